package dev.chargehand.tests;

import dev.chargehand.spi.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/** The time of a process that is stopped: it passes, and no alarm rings. */
record StoppedTime(AtomicReference<Duration> passed) implements TimeSource {

    @Override
    public Instant now() {
        return Instant.EPOCH.plus(passed.get()).plus(Duration.ofDays(20_000));
    }

    @Override
    public long nanoTime() {
        return passed.get().toNanos();
    }

    @Override
    public Alarm schedule(Duration delay, Runnable task) {
        return () -> {};
    }
}
