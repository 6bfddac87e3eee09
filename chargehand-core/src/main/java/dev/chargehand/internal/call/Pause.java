package dev.chargehand.internal.call;

import dev.chargehand.spi.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;

/** A wait that the end of a run, or its release, cuts short. */
public final class Pause {

    private Pause() {}

    /**
     * Wait until a time; not at all if it is over, and never longer than from the start to it, so that a clock that is set back does
     * not prolong the wait. It ends early if the run is released.
     *
     * @param over ends the wait when it is counted down
     * @throws RunInterruptedException if the run is to end
     */
    public static void between(
            TimeSource time, Instant start, Instant end, Cancellation cancellation, CountDownLatch over) {
        Duration whole = Duration.between(start, end);
        Duration left = Duration.between(time.now(), end);
        Duration wait = left.compareTo(whole) > 0 ? whole : left;
        if (wait.isPositive()) {
            await(time, wait, cancellation, over);
        }
    }

    /**
     * Wait.
     *
     * @throws RunInterruptedException if the run is to end
     */
    public static void await(TimeSource time, Duration wait, Cancellation cancellation) {
        await(time, wait, cancellation, new CountDownLatch(1));
    }

    private static void await(TimeSource time, Duration wait, Cancellation cancellation, CountDownLatch over) {
        TimeSource.Alarm alarm = time.schedule(wait, over::countDown);
        Cancellation.Registration registration = cancellation.onRelease(over::countDown);
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            registration.close();
            alarm.cancel();
        }
        cancellation.check();
    }
}
