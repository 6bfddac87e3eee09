package dev.chargehand.spi;

import java.time.Duration;
import java.time.Instant;

/**
 * A source of the time and of alarms; every limit of a run goes through it, so that a test can turn the clock.
 *
 * <p>Where it throws or returns null, the machine's clock steps in, and a warning is logged once. It must not block:
 * runs call it on their own threads, and no limit holds for it.
 *
 * <p>Thread-safe.
 */
public interface TimeSource {

    /** Return the time of day. */
    Instant now();

    /** Return nanoseconds that only ever grow, for measuring; their zero means nothing. */
    long nanoTime();

    /**
     * Run a task once after a delay.
     *
     * @param task short and never blocking; it runs on a thread of the time source
     * @return an alarm to call off
     */
    Alarm schedule(Duration delay, Runnable task);

    /** A task that waits for its time. */
    interface Alarm {

        /** Call the task off if it has not run yet; harmless otherwise. */
        void cancel();
    }
}
