package dev.chargehand.testkit;

import dev.chargehand.spi.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A clock that stands still until a test turns it.
 *
 * <p>A test that lets a limit pass first waits until its alarm exists, then turns the clock:
 *
 * <pre>{@code
 * clock.awaitAlarm(Duration.ofMinutes(2));   // the model is being waited for
 * clock.advance(Duration.ofMinutes(2));      // no first token
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class ManualClock implements TimeSource {

    private static final long MOMENT_NANOS = 2_000_000;
    private static final long LONGEST_WAIT_SECONDS = 10;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final List<Pending> alarms = new ArrayList<>();
    private final Instant start;
    private long nanos;
    private long sequence;

    /** Make a clock that shows the first moment of 2026, UTC. */
    public ManualClock() {
        this(Instant.parse("2026-01-01T00:00:00Z"));
    }

    /** Make a clock that shows a moment. */
    public ManualClock(Instant start) {
        this.start = start;
    }

    private record Pending(long due, long sequence, Duration delay, Runnable task) {}

    @Override
    public Instant now() {
        return start.plusNanos(nanoTime());
    }

    @Override
    public long nanoTime() {
        lock.lock();
        try {
            return nanos;
        } finally {
            lock.unlock();
        }
    }

    /** Keep a task until the clock is turned that far; one without a delay runs at once, on a thread of its own. */
    @Override
    public Alarm schedule(Duration delay, Runnable task) {
        if (!delay.isPositive()) {
            Thread.ofVirtual().name("manual-clock").start(task);
            return () -> {};
        }
        lock.lock();
        try {
            Pending alarm = new Pending(nanos + delay.toNanos(), ++sequence, delay, task);
            alarms.add(alarm);
            changed.signalAll();
            return () -> remove(alarm);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Turn the clock, and runs what becomes due on this thread, in order, each at its own time.
     *
     * <p>An alarm is set when the thread of what it bounds was started; a moment of real time is left to such threads,
     * so that what is to be given up has started.
     */
    public void advance(Duration by) {
        LockSupport.parkNanos(MOMENT_NANOS);
        long target = nanoTime() + by.toNanos();
        for (Pending due = next(target); due != null; due = next(target)) {
            due.task().run();
        }
    }

    /**
     * Wait until an alarm that was set for a delay is pending.
     *
     * @throws AssertionError if there is none within ten seconds of real time
     */
    public void awaitAlarm(Duration delay) {
        awaitAlarm(delay, delay);
    }

    /**
     * Wait until an alarm is pending that was set for a delay between two, for delays that are spread at random.
     *
     * @return the delay of that alarm
     * @throws AssertionError if there is none within ten seconds of real time
     */
    public Duration awaitAlarm(Duration shortest, Duration longest) {
        lock.lock();
        try {
            long left = TimeUnit.SECONDS.toNanos(LONGEST_WAIT_SECONDS);
            while (true) {
                for (Pending alarm : alarms) {
                    if (alarm.delay().compareTo(shortest) >= 0 && alarm.delay().compareTo(longest) <= 0) {
                        return alarm.delay();
                    }
                }
                if (left <= 0) {
                    throw new AssertionError("No alarm was set for " + shortest
                            + (longest.equals(shortest) ? "" : " to " + longest) + "; pending are " + pending() + ".");
                }
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while waiting for an alarm.", e);
        } finally {
            lock.unlock();
        }
    }

    /** Return how long it is until each pending alarm, the next one first. */
    public List<Duration> pending() {
        lock.lock();
        try {
            return alarms.stream()
                    .map(alarm -> Duration.ofNanos(alarm.due() - nanos))
                    .sorted()
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Pending next(long target) {
        lock.lock();
        try {
            Pending due = alarms.stream()
                    .filter(alarm -> alarm.due() <= target)
                    .min(Comparator.comparingLong(Pending::due).thenComparingLong(Pending::sequence))
                    .orElse(null);
            nanos = Math.max(nanos, due == null ? target : due.due());
            if (due != null) {
                alarms.remove(due);
            }
            return due;
        } finally {
            lock.unlock();
        }
    }

    private void remove(Pending alarm) {
        lock.lock();
        try {
            alarms.remove(alarm);
        } finally {
            lock.unlock();
        }
    }
}
