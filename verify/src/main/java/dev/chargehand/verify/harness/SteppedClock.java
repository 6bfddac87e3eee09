package dev.chargehand.verify.harness;

import dev.chargehand.internal.call.SystemTimeSource;
import dev.chargehand.spi.TimeSource;
import java.time.Duration;
import java.time.Instant;

/** The machine's clock, which may be set, or have continued while its process was stopped. Thread-safe. */
public final class SteppedClock implements TimeSource {

    private final TimeSource machine = new SystemTimeSource();
    private volatile Duration set = Duration.ZERO;
    private volatile Duration passed = Duration.ZERO;

    /** Make one that shows the time of the machine. */
    public SteppedClock() {}

    /** Set the time of day, forward or back. */
    public void set(Duration step) {
        set = step;
    }

    /** Let time pass, as it does while a process is stopped. */
    public void pass(Duration time) {
        passed = time;
    }

    @Override
    public Instant now() {
        return machine.now().plus(set).plus(passed);
    }

    @Override
    public long nanoTime() {
        return machine.nanoTime() + passed.toNanos();
    }

    @Override
    public Alarm schedule(Duration delay, Runnable task) {
        return machine.schedule(delay, task);
    }
}
