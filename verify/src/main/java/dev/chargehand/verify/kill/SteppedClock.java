package dev.chargehand.verify.kill;

import dev.chargehand.internal.limit.SystemTimeSource;
import dev.chargehand.run.TimeSource;
import java.time.Duration;
import java.time.Instant;

/** The machine's clock, which may be set, or have gone on while its process was stopped. Thread-safe. */
final class SteppedClock implements TimeSource {

    private final TimeSource machine = new SystemTimeSource();
    private volatile Duration set = Duration.ZERO;
    private volatile Duration passed = Duration.ZERO;

    /** Sets the time of day, forward or back. */
    void set(Duration step) {
        set = step;
    }

    /** Lets time pass, as it does while a process is stopped. */
    void pass(Duration time) {
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
