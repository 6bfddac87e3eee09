package dev.chargehand.tests;

import dev.chargehand.spi.TimeSource;
import dev.chargehand.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** A clock that a test turns, and whose time of day is set forward and back without any time passing. */
public final class SteppedTime implements TimeSource {

    public final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T22:00:00Z"));

    private volatile Duration offset = Duration.ZERO;

    /** Set the time of day forward, or back. */
    public void step(Duration by) {
        offset = offset.plus(by);
    }

    public LocalDate today() {
        return LocalDate.ofInstant(now(), ZoneOffset.UTC);
    }

    @Override
    public Instant now() {
        return clock.now().plus(offset);
    }

    @Override
    public long nanoTime() {
        return clock.nanoTime();
    }

    @Override
    public Alarm schedule(Duration delay, Runnable task) {
        return clock.schedule(delay, task);
    }
}
