package dev.chargehand.internal.call;

import dev.chargehand.spi.TimeSource;
import java.time.Duration;

/**
 * A moment that may be moved while a caller waits for it.
 *
 * <p>Moving it costs one write: who waits looks again when its alarm rings. One thread moves it.
 */
public final class Deadline {

    private static final long NEVER = Long.MAX_VALUE;

    private final TimeSource time;
    private final Duration lookAgain;
    private volatile long started;
    private volatile long limitNanos;

    /** Set the deadline to a while from now, after which it is only moved away. */
    public Deadline(TimeSource time, Duration limit) {
        this(time, limit, limit);
    }

    /**
     * Set the deadline to a while from now.
     *
     * @param lookAgain how long who waits may go without looking; the shortest limit the deadline may be moved to
     */
    public Deadline(TimeSource time, Duration limit, Duration lookAgain) {
        this.time = time;
        this.lookAgain = lookAgain;
        this.started = time.nanoTime();
        this.limitNanos = limit.toNanos();
    }

    /** Move the deadline to a while from now. */
    public void restart(long newLimitNanos) {
        started = time.nanoTime();
        limitNanos = newLimitNanos;
    }

    /** Take the deadline away until it is restarted. */
    public void pause() {
        limitNanos = NEVER;
    }

    /** Return when to look again, given how long it is until the deadline: it may have been moved nearer by then. */
    Duration nextLook(Duration remaining) {
        return remaining.compareTo(lookAgain) < 0 ? remaining : lookAgain;
    }

    /**
     * Return how long it is until the deadline; not above zero once it has passed. One that is taken away cannot come
     * back nearer than the shortest limit.
     */
    public Duration remaining() {
        long limit = limitNanos;
        return limit == NEVER ? lookAgain : Duration.ofNanos(limit - (time.nanoTime() - started));
    }
}
