package dev.chargehand.internal.call;

import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.log.Redactor;
import dev.chargehand.spi.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A clock that is not ours. Where it throws, the machine's steps in: a limit that cannot be measured would be none.
 * Thread-safe.
 */
public final class GuardedTimeSource implements TimeSource {

    private static final Log LOG = Log.of(GuardedTimeSource.class);

    private final TimeSource given;
    private final TimeSource machine;
    private final Redactor redactor;
    private final AtomicBoolean hasFailed = new AtomicBoolean();
    private volatile Reading last;

    /** What the clock said when it last said something, and what the machine's said then, in nanoseconds. */
    private record Reading(long given, long machine) {}

    /**
     * Guard a clock.
     *
     * @param machine what steps in, and never throws
     */
    public GuardedTimeSource(TimeSource given, TimeSource machine, Redactor redactor) {
        this.given = given;
        this.machine = machine;
        this.redactor = redactor;
        long now = machine.nanoTime();
        this.last = new Reading(read(now), now);
    }

    private long read(long otherwise) {
        try {
            return given.nanoTime();
        } catch (RuntimeException | Error e) {
            failed(e);
            return otherwise;
        }
    }

    @Override
    public Instant now() {
        try {
            return Objects.requireNonNull(given.now(), "now() returned null");
        } catch (RuntimeException | Error e) {
            failed(e);
            return machine.now();
        }
    }

    @Override
    public long nanoTime() {
        Reading before = last;
        long now = machine.nanoTime();
        Reading reading = new Reading(read(before.given() + (now - before.machine())), now);
        last = reading;
        return reading.given();
    }

    @Override
    public Alarm schedule(Duration delay, Runnable task) {
        AtomicBoolean rung = new AtomicBoolean();
        Runnable once = () -> {
            if (rung.compareAndSet(false, true)) {
                task.run();
            }
        };
        try {
            Alarm alarm = Objects.requireNonNull(given.schedule(delay, once), "schedule() returned null");
            return () -> cancel(alarm);
        } catch (RuntimeException | Error e) {
            failed(e);
            return machine.schedule(delay, once); // the given one may have set its alarm before it threw
        }
    }

    private void cancel(Alarm alarm) {
        try {
            alarm.cancel();
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    private void failed(Throwable e) {
        if (hasFailed.compareAndSet(false, true)) {
            LOG.warn(
                    "The time source {} failed, and will not be reported again; the machine's clock steps in: {}",
                    given.getClass().getName(),
                    redactor.describe(e));
        }
    }
}
