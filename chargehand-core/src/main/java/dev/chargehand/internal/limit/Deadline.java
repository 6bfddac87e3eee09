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
    private final Duration lookAgain;
    private volatile long started;
    private volatile long limitNanos;

    /** Sets the deadline to a while from now, after which it is only moved away. */
    public Deadline(TimeSource time, Duration limit) {
        this(time, limit, limit);
    }

    /**
     * Sets the deadline to a while from now.
     *
     * @param lookAgain how long who waits may go without looking; the shortest limit the deadline may be moved to
     */
    public Deadline(TimeSource time, Duration limit, Duration lookAgain) {
        this.time = time;
        this.lookAgain = lookAgain;
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

    /** Returns when to look again, given how long it is until the deadline: it may have been moved nearer by then. */
    Duration nextLook(Duration remaining) {
        return remaining.compareTo(lookAgain) < 0 ? remaining : lookAgain;
    }

    /**
     * Returns how long it is until the deadline; not above zero once it has passed. One that is taken away cannot come back
     * nearer than the shortest limit.
     */
    Duration remaining() {
        long limit = limitNanos;
        return limit == NEVER ? lookAgain : Duration.ofNanos(limit - (time.nanoTime() - started));
    }
}
