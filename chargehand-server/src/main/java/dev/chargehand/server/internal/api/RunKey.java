package dev.chargehand.server.internal.api;

import dev.chargehand.RunOptions;
import dev.chargehand.server.Principal;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ReadRun;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Makes the idempotency key of a start, which another caller, resource or route with the same text does not have. */
public final class RunKey {

    /** The header that says that an earlier request with the key has started the run of an answer. */
    static final String REPLAYED = "Idempotency-Replayed";

    private static final int LENGTH = 255;

    private RunKey() {}

    /** Return the headers that say whether an earlier request has started the run of a call. */
    static Map<String, String> replayed(Call call) {
        return ReadRun.isRepeated(call) ? Map.of(REPLAYED, "true") : Map.of();
    }

    /** Return the key of a call; empty if it has none. */
    public static Optional<String> of(Call call, Optional<String> resource) {
        return call.header("idempotency-key").map(text -> of(call, resource, text));
    }

    /** Return the options that say who starts a run, and under which key; another body with the key is a mistake. */
    static Consumer<RunOptions.Builder> options(Call call, Optional<String> resource) {
        Optional<String> key = of(call, resource);
        Optional<String> digest =
                key.map(text -> Owners.digest(call.body().canonical().text()));
        return options -> {
            options.requester(call.principal().id());
            key.ifPresent(options::idempotencyKey);
            digest.ifPresent(options::idempotencyDigest);
        };
    }

    /** Return the key of a text that a client chose, for the route of the call. */
    public static String of(Call call, Optional<String> resource, String text) {
        return of(call, resource, call.route().method() + " " + call.route().template(), text);
    }

    /** Return the key of a text that a client chose for several routes, which have the parameter {@code id} in common. */
    public static String of(Call call, Optional<String> resource, String where, String text) {
        if (text.isEmpty() || text.length() > LENGTH || !text.chars().allMatch(c -> c > 0x20 && c < 0x7f)) {
            throw Problem.BAD_REQUEST.of("An idempotency key must have 1 to 255 visible characters of ASCII.");
        }
        Principal principal = call.principal();
        return "http-"
                + Owners.digest(
                        principal.tenantId(), resource.orElse(""), principal.id(), where, call.parameter("id"), text);
    }
}
