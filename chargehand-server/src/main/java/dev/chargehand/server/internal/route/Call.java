package dev.chargehand.server.internal.route;

import dev.chargehand.json.Json;
import dev.chargehand.server.Principal;
import dev.chargehand.server.internal.http.Exchange;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A request that has found its route.
 *
 * @param route the route
 * @param signedIn the caller
 * @param parameters the parameters of the path, decoded
 * @param query the parameters of the query, decoded
 * @param headers the headers that handlers read, by their names in lower case
 * @param body the body; an empty object if none was sent
 * @param held what the request holds until it was answered
 */
public record Call(
        Route route,
        SignedIn signedIn,
        Map<String, String> parameters,
        Map<String, String> query,
        Map<String, String> headers,
        Json body,
        Held held) {

    private static final Pattern WAIT = Pattern.compile("(?:^|[,;\\s])wait=(\\d{1,4})(?:$|[,;\\s])");

    /**
     * Return the headers that handlers read.
     *
     * @throws ProblemException if one that has one value was sent with several
     */
    static Map<String, String> headers(Exchange exchange) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String name : List.of("accept", "prefer")) {
            List<String> lines = exchange.headers(name);
            if (!lines.isEmpty()) {
                headers.put(name, String.join(", ", lines));
            }
        }
        for (String name : List.of("idempotency-key", "last-event-id")) {
            List<String> values = exchange.headers(name).stream().distinct().toList();
            if (values.size() > 1) {
                throw Problem.BAD_REQUEST.of("The header '" + name + "' was sent with several values; send one.");
            }
            values.forEach(value -> headers.put(name, value));
        }
        return headers;
    }

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

    /** Return a header; empty if it was not sent. */
    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    /** Return whether the client wants a media type rather than the one that it gets without a wish. */
    public boolean prefers(String mediaType, String byDefault) {
        return Accept.of(header("accept").stream().toList()).prefers(mediaType, byDefault);
    }

    /** Return how long the client wants to wait for a result, at most a minute; empty if it does not want to. */
    public Optional<Duration> wait(int most) {
        Matcher matcher = WAIT.matcher(header("prefer").orElse(""));
        return matcher.find()
                ? Optional.of(Duration.ofSeconds(Math.min(most, Integer.parseInt(matcher.group(1)))))
                : Optional.empty();
    }
}
