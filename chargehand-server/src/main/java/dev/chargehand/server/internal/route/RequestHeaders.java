package dev.chargehand.server.internal.route;

import dev.chargehand.server.internal.http.Exchange;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The headers of a request that handlers read. Immutable and thread-safe. */
public final class RequestHeaders {

    /** Those of a request that has none. */
    public static final RequestHeaders NONE = new RequestHeaders(Accept.of(List.of()), Map.of());

    private final Accept accept;
    private final Map<String, String> values;

    private RequestHeaders(Accept accept, Map<String, String> values) {
        this.accept = accept;
        this.values = values;
    }

    /**
     * Read the headers.
     *
     * @throws ProblemException if one that has one value was sent with several
     */
    static RequestHeaders of(Exchange exchange) {
        Map<String, String> values = new LinkedHashMap<>();
        List<String> preferences = exchange.headers("prefer");
        if (!preferences.isEmpty()) {
            values.put("prefer", String.join(", ", preferences));
        }
        for (String name : List.of("idempotency-key", "last-event-id")) {
            List<String> sent = exchange.headers(name).stream().distinct().toList();
            if (sent.size() > 1) {
                throw Problem.BAD_REQUEST.of("The header '" + name + "' was sent with several values; send one.");
            }
            sent.forEach(value -> values.put(name, value));
        }
        return new RequestHeaders(Accept.of(exchange.headers("accept")), values);
    }

    /** Return what the client accepts. */
    Accept accept() {
        return accept;
    }

    /** Return the value of a header, by its name in lower case; empty if it was not sent. */
    Optional<String> find(String name) {
        return Optional.ofNullable(values.get(name));
    }
}
