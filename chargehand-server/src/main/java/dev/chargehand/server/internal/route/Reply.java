package dev.chargehand.server.internal.route;

import dev.chargehand.json.Json;
import dev.chargehand.server.internal.http.Exchange;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The answer of a handler. */
public sealed interface Reply {

    /** Return this answer with further headers, as far as it takes them. */
    Reply withHeaders(Map<String, String> more);

    /**
     * A response with a body that is ready.
     *
     * @param mediaType the media type of the body
     * @param body the body, or null for none
     */
    record Whole(
            int status,
            Map<String, String> headers,
            String mediaType,
            @Nullable Json body) implements Reply {
        public Whole {
            headers = Map.copyOf(headers);
        }

        @Override
        public Whole withHeaders(Map<String, String> more) {
            Map<String, String> all = new LinkedHashMap<>(headers);
            all.putAll(more);
            return new Whole(status, all, mediaType, body);
        }
    }

    /** A response that is written while it is made. */
    @FunctionalInterface
    non-sealed interface Streamed extends Reply {

        /**
         * Write the response.
         *
         * @throws IOException if the client is gone
         */
        void writeTo(Exchange exchange) throws IOException;

        @Override
        default Reply withHeaders(Map<String, String> more) {
            return this;
        }
    }

    /** Return a response with status 200. */
    static Reply ok(Object value) {
        return of(200, value);
    }

    /** Return a response with a body. */
    static Reply of(int status, Object value) {
        return new Whole(status, Map.of(), "application/json", Json.of(value));
    }

    /** Return a response with a body and headers. */
    static Reply of(int status, Object value, Map<String, String> headers) {
        return new Whole(status, headers, "application/json", Json.of(value));
    }

    /** Return a response without a body. */
    static Reply empty(int status) {
        return new Whole(status, Map.of(), "application/json", null);
    }
}
