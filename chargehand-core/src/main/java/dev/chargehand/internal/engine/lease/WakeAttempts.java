package dev.chargehand.internal.engine.lease;

import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.RunRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * How often, and when, a run is woken that makes no progress. Attempts have a time of their own, which is the time of day as
 * long as that is not set back, and continues as the process does when it is. Thread-safe.
 */
public final class WakeAttempts {

    /** How often a run is tried before it is left to a human. */
    public static final int MOST = 10;

    private static final List<Duration> PAUSES =
            List.of(Duration.ofSeconds(1), Duration.ofSeconds(4), Duration.ofSeconds(15), Duration.ofSeconds(60));

    private static final Duration LATER_PAUSES = Duration.ofMinutes(10);

    private final TimeSource time;
    private Instant latest;
    private long latestAt;

    /** Make it for a runtime. */
    public WakeAttempts(TimeSource time) {
        this.time = time;
        this.latest = time.now();
        this.latestAt = time.nanoTime();
    }

    /** Return the time by which runs are tried again. */
    public synchronized Instant now() {
        long at = time.nanoTime();
        Instant passed = latest.plusNanos(at - latestAt);
        Instant ofDay = time.now();
        latest = ofDay.isAfter(passed) ? ofDay : passed;
        latestAt = at;
        return latest;
    }

    /** Return whether the run is left to a human. */
    public static boolean areUsedUp(RunRecord run) {
        return run.attempts() >= MOST;
    }

    /** Return when the run may be woken again if it is woken now. */
    public Instant next(RunRecord run) {
        return now().plus(pauseAfter(run.attempts()));
    }

    /** Return how long to wait before the next attempt. */
    public static Duration pauseAfter(int attempts) {
        return attempts < PAUSES.size() ? PAUSES.get(attempts) : LATER_PAUSES;
    }
}
