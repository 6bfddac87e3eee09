package dev.chargehand.internal.engine.lease;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.spi.TimeSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The pauses between looks at what another thread or process may change: each twice as long as the one before, up to a quarter of
 * a second. Where the clock stands still, as in a test that turns it, a pause ends after a second of the machine's: what is waited for
 * does not depend on the clock. Used by one thread.
 */
public final class Pauses {

    private static final Duration FIRST = Duration.ofMillis(20);
    private static final Duration LONGEST = Duration.ofMillis(250);
    private static final long STANDING_CLOCK_SECONDS = 1;

    private final TimeSource time;
    private final Cancellation cancellation;
    private Duration next = FIRST;

    /** Start with a short pause; a cancellation or a release ends each of them at once. */
    public Pauses(TimeSource time, Cancellation cancellation) {
        this.time = time;
        this.cancellation = cancellation;
    }

    /** Wait for one pause. */
    public void await() throws InterruptedException {
        await(next);
    }

    /** Wait for one pause, or for a shorter time. */
    public void await(Duration most) throws InterruptedException {
        CountDownLatch passed = new CountDownLatch(1);
        TimeSource.Alarm alarm;
        try {
            alarm = time.schedule(most.compareTo(next) < 0 ? most : next, passed::countDown);
        } catch (ConfigurationException e) {
            if (cancellation.isReleased()) {
                return; // a runtime that is closed has no alarms any more
            }
            throw e;
        }
        Cancellation.Registration registration = cancellation.onRelease(passed::countDown);
        Duration longer = next.multipliedBy(2);
        next = longer.compareTo(LONGEST) > 0 ? LONGEST : longer;
        try {
            boolean ignored = passed.await(STANDING_CLOCK_SECONDS, TimeUnit.SECONDS);
        } finally {
            alarm.cancel();
            registration.close();
        }
    }
}
