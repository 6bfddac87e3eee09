package dev.chargehand.internal.call;

import dev.chargehand.spi.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;

/** A wait that the end of a run, or its release, cuts short. */
public final class Pause {

    private Pause() {}

    /**
     * Wait until a time; not at all if it is over.
     *
     * @throws RunInterruptedException if the run is to end
     * @throws RunLeftException if it is released
     */
    public static void until(TimeSource time, Instant end, Cancellation cancellation) {
        Duration left = Duration.between(time.now(), end);
        if (left.isPositive()) {
            await(time, left, cancellation);
            cancellation.admit();
        }
    }

    /**
     * Wait.
     *
     * @throws RunInterruptedException if the run is to end
     */
    public static void await(TimeSource time, Duration wait, Cancellation cancellation) {
        CountDownLatch over = new CountDownLatch(1);
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
