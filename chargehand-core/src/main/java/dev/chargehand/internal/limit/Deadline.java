package dev.chargehand.internal.limit;

import dev.chargehand.run.TimeSource;
import java.time.Duration;

/**
 * A moment that may be moved while somebody waits for it.
 *
 * <p>Moving it costs one write: who waits looks again when its alarm rings. One thread moves it.
 */
public final class Deadline {

    private static final long NEVER = Long.MAX_VALUE;

    private final TimeSource time;
    private volatile long started;
    private volatile long limitNanos;

    /** Sets the deadline to a while from now. */
    public Deadline(TimeSource time, Duration limit) {
        this.time = time;
        this.started = time.nanoTime();
        this.limitNanos = limit.toNanos();
    }

    /** Moves the deadline to a while from now. */
    public void restart(long newLimitNanos) {
        started = time.nanoTime();
        limitNanos = newLimitNanos;
    }

    /** Takes the deadline away until it is restarted. */
    public void pause() {
        limitNanos = NEVER;
    }

    /** Returns how long it is until the deadline; not above zero once it has passed. */
    Duration remaining() {
        long limit = limitNanos;
        return limit == NEVER ? Duration.ofSeconds(1) : Duration.ofNanos(limit - (time.nanoTime() - started));
    }
}
