package dev.chargehand.server.internal.route;

import dev.chargehand.json.Json;
import dev.chargehand.server.Principal;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;

/**
 * A request that has found its route.
 *
 * @param route the route
 * @param signedIn the caller
 * @param parameters the parameters of the path, decoded
 * @param query the parameters of the query, decoded
 * @param headers the headers that handlers read
 * @param body the body; an empty object if none was sent
 * @param held what the request holds until it was answered
 */
public record Call(
        Route route,
        SignedIn signedIn,
        Map<String, String> parameters,
        Map<String, String> query,
        RequestHeaders headers,
        Json body,
        Held held) {

    private static final int MOST_WAIT = 60; // seconds

    /** Return the caller. */
    public Principal principal() {
        return signedIn.principal();
    }

    /** Return a parameter of the path. */
    public String parameter(String name) {
        return parameters.getOrDefault(name, "");
    }

    /** Return a parameter of the query; empty if it is missing or has no value. */
    public Optional<String> query(String name) {
        Operation operation = route.operation();
        if (operation.isDescribed()
                && operation.parameters().stream().noneMatch(each -> each.name().equals(name))) {
            throw new IllegalStateException("The document does not name parameter '" + name + "'.");
        }
        return Optional.ofNullable(query.get(name)).filter(value -> !value.isEmpty());
    }

    /**
     * Return a number of the query.
     *
     * @throws ProblemException if it is not a number within the bounds
     */
    public int query(String name, int least, int most, int byDefault) {
        Optional<String> text = query(name);
        if (text.isEmpty()) {
            return byDefault;
        }
        try {
            int value = Integer.parseInt(text.get());
            boolean plain = text.get().chars().allMatch(c -> c >= '0' && c <= '9');
            if (plain && value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw Problem.BAD_REQUEST.of(
                "The parameter '" + name + "' must be a whole number from " + least + " to " + most + ".");
    }

    /**
     * Return a time of the query.
     *
     * @throws ProblemException if it is not a time
     */
    public Optional<Instant> instant(String name) {
        try {
            return query(name).map(Instant::parse);
        } catch (DateTimeParseException e) {
            throw Problem.BAD_REQUEST.of("The parameter '" + name + "' must be a time such as 2026-01-31T12:00:00Z.");
        }
    }

    /** Return the value of a header, by its name in lower case; empty if it was not sent. */
    public Optional<String> header(String name) {
        return headers.find(name);
    }

    /** Return whether the client wants a media type rather than the one that it gets without a wish. */
    public boolean prefers(String mediaType, String byDefault) {
        return headers.accept().prefers(mediaType, byDefault);
    }

    /** Return how long the client wants to wait for a result, at most a minute; empty if it does not want to. */
    public Optional<Duration> waitTime() {
        return header("prefer").flatMap(text -> Prefer.waiting(text, MOST_WAIT));
    }
}
