package dev.chargehand.verify.harness;

import dev.chargehand.server.ServerBuilder;
import dev.chargehand.server.ServerLimit;
import java.util.List;

/** Limits that no caller of a harness reaches. */
public final class Unlimited {

    private static final long PLENTY = 1_000_000;

    private Unlimited() {}

    /** Let callers send as many requests as they like. */
    public static ServerBuilder requests(ServerBuilder server) {
        return set(
                server,
                ServerLimit.REQUESTS_PER_SECOND,
                ServerLimit.REQUEST_BURST,
                ServerLimit.STARTS_PER_SECOND,
                ServerLimit.START_BURST);
    }

    /** Let callers also have as many runs and streams as they like. */
    public static ServerBuilder all(ServerBuilder server) {
        return set(
                requests(server),
                ServerLimit.RUNS,
                ServerLimit.RUNS_OF_TENANT,
                ServerLimit.RUNS_OF_CALLER,
                ServerLimit.STREAMS,
                ServerLimit.STREAMS_OF_TENANT,
                ServerLimit.STREAMS_OF_CALLER,
                ServerLimit.STREAMS_OF_RUN);
    }

    private static ServerBuilder set(ServerBuilder server, ServerLimit... limits) {
        ServerBuilder changed = server;
        for (ServerLimit limit : List.of(limits)) {
            changed = changed.limit(limit, PLENTY);
        }
        return changed;
    }
}
