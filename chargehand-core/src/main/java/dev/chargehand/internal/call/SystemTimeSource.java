package dev.chargehand.internal.call;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.spi.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The machine's clock, with one daemon thread for its alarms. */
public final class SystemTimeSource implements TimeSource, AutoCloseable {

    private final ScheduledThreadPoolExecutor alarms;

    /** Start the thread of the alarms. */
    public SystemTimeSource() {
        alarms = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("chargehand-alarms").factory());
        alarms.setRemoveOnCancelPolicy(true);
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    /**
     * {@inheritDoc}
     *
     * @throws ConfigurationException if it is closed: its runtime is
     */
    @Override
    public Alarm schedule(Duration delay, Runnable task) {
        Future<?> future;
        try {
            future = alarms.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            throw new ConfigurationException("The runtime is closed and calls nothing any more; build another one.", e);
        }
        return () -> future.cancel(false);
    }

    @Override
    public void close() {
        alarms.shutdownNow();
    }
}
