package dev.chargehand.server.internal.wire;

import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** Headers that the answers of wires have besides those of their handlers. */
public final class WireHeaders {

    private WireHeaders() {}

    /** Return a route whose answers have further headers, which are asked for when the answer is known. */
    public static Route on(Route route, Function<Call, Map<String, String>> headers) {
        return new Route(
                route.method(),
                route.template(),
                route.access(),
                route.summary(),
                route.operation(),
                call -> with(route.handler().handle(call), headers.apply(call)));
    }

    private static Reply with(Reply reply, Map<String, String> headers) {
        return switch (reply) {
            case Reply.Whole whole -> with(whole, headers);
            case WireStream stream -> stream.withHeaders(headers);
            case Reply.Streamed other -> other;
        };
    }

    /** Return an answer with further headers. */
    public static Reply.Whole with(Reply.Whole whole, Map<String, String> headers) {
        Map<String, String> all = new LinkedHashMap<>(whole.headers());
        all.putAll(headers);
        return new Reply.Whole(whole.status(), all, whole.mediaType(), whole.body());
    }
}
