package dev.chargehand.internal.engine.resume;

import dev.chargehand.store.RunRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** How often, and when, a run is woken that makes no progress. */
final class WakeAttempts {

    private static final int MOST = 10;

    private static final List<Duration> PAUSES =
            List.of(Duration.ofSeconds(1), Duration.ofSeconds(4), Duration.ofSeconds(15), Duration.ofSeconds(60));

    private static final Duration LATER_PAUSES = Duration.ofMinutes(10);

    private WakeAttempts() {}

    /** Return whether the run is left to a human. */
    static boolean areUsedUp(RunRecord run) {
        return run.attempts() >= MOST;
    }

    /** Return when the run may be woken again if it is woken now. */
    static Instant next(RunRecord run, Instant now) {
        return now.plus(run.attempts() < PAUSES.size() ? PAUSES.get(run.attempts()) : LATER_PAUSES);
    }
}
