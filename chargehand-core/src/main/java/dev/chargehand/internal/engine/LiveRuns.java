package dev.chargehand.internal.engine;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.run.RunId;
import dev.chargehand.spi.TimeSource;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The root runs that are live in a runtime, until it is closed. Thread-safe; no lock is held while anything is called.
 */
final class LiveRuns {

    private final Map<RunId, LocalRun> runs = new ConcurrentHashMap<>();
    private final Set<RunId> starting = ConcurrentHashMap.newKeySet();
    private final AtomicInteger entering = new AtomicInteger();
    private final AtomicBoolean asked = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Cancellation waits = new Cancellation();
    private final Consumer<LocalRun> leave;
    private volatile Runnable active = () -> {};
    private volatile boolean closing;
    private volatile boolean graceOver;

    /** Know none yet; {@code leave} has a run stop when the runtime is closed. */
    LiveRuns(Consumer<LocalRun> leave) {
        this.leave = leave;
    }

    /** A place for a run that is about to be live; close it when it is, or will never be. */
    @FunctionalInterface
    interface Place extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Make place for a run that may be in the store already.
     *
     * @throws ConfigurationException if the runtime is closed
     */
    Place enter(RunId runId) {
        entering.incrementAndGet();
        if (closing) {
            left();
            throw closed();
        }
        starting.add(runId);
        return () -> {
            starting.remove(runId);
            left();
        };
    }

    private void left() {
        entering.decrementAndGet();
        changed();
    }

    /** Return whether runs may start. */
    boolean isOpen() {
        return !closing;
    }

    /** Return what is released when this is closed. */
    Cancellation waits() {
        return waits;
    }

    /** Fail if no run may start any more. */
    void requireOpen() {
        if (closing) {
            throw closed();
        }
    }

    private static ConfigurationException closed() {
        return new ConfigurationException("The runtime is closed and cannot start or resume runs; build another one.");
    }

    /** Call something short after every added run. */
    void whenActive(Runnable call) {
        active = call;
    }

    /** Call what is called after every added run: there is something to look for. */
    void noteActive() {
        active.run();
    }

    /** Return whether no run is live. */
    boolean isEmpty() {
        return runs.isEmpty();
    }

    /** Return the runs. */
    Collection<LocalRun> all() {
        return List.copyOf(runs.values());
    }

    /** Add a run; while the runtime is being closed, it stops at once. */
    void add(LocalRun run) {
        runs.put(run.runId(), run);
        active.run();
        if (closing) {
            leave.accept(run);
        }
        if (graceOver) {
            run.abandon();
        }
    }

    /** Remove a run that has ended here. */
    void remove(RunId runId) {
        runs.remove(runId);
        changed();
    }

    /** Return a run. */
    Optional<LocalRun> find(RunId runId) {
        return Optional.ofNullable(runs.get(runId));
    }

    /** Return whether a run is live, or about to be. */
    boolean has(RunId runId) {
        return starting.contains(runId) || runs.containsKey(runId);
    }

    /** Notice that a run may have let go of itself. */
    void changed() {
        if (closing) {
            lock.lock();
            try {
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /**
     * Have every run stop, and wait until none is live. Calls in flight are abandoned when the grace time is over or
     * the calling thread is interrupted; listeners that are then still at their last events are not waited for. A
     * second call waits for the first.
     *
     * @param clocks measure the grace time; the first to reach its end ends it
     * @param last closes what the runs needed
     */
    void close(List<TimeSource> clocks, Duration grace, Runnable last) {
        boolean interrupted = false;
        if (!asked.compareAndSet(false, true)) {
            interrupted = awaitClosed();
        } else {
            closing = true;
            waits.release();
            try {
                interrupted = awaitAll(clocks, grace);
                last.run();
            } finally {
                closed.countDown();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Wait until nothing is live; returns whether the calling thread was interrupted meanwhile. */
    private boolean awaitAll(List<TimeSource> clocks, Duration grace) {
        runs.values().forEach(leave);
        List<TimeSource.Alarm> alarms = clocks.stream()
                .map(clock -> clock.schedule(grace, this::endGrace))
                .toList();
        boolean interrupted = await(() -> graceOver || are(LocalRun::hasEnded));
        alarms.forEach(TimeSource.Alarm::cancel);
        if (graceOver) {
            runs.values().forEach(LocalRun::abandon);
            interrupted |= await(() -> are(LocalRun::hasLetGo));
        }
        return interrupted;
    }

    private void endGrace() {
        graceOver = true;
        changed();
    }

    private boolean are(Predicate<LocalRun> soFar) {
        return entering.get() == 0 && runs.values().stream().allMatch(soFar);
    }

    /** Wait until something is so; an interrupt ends the grace time. */
    private boolean await(BooleanSupplier isSo) {
        boolean interrupted = false;
        lock.lock();
        try {
            while (!isSo.getAsBoolean()) {
                try {
                    changed.await();
                } catch (InterruptedException e) {
                    interrupted = true;
                    graceOver = true;
                }
            }
        } finally {
            lock.unlock();
        }
        return interrupted;
    }

    private boolean awaitClosed() {
        boolean interrupted = false;
        while (true) {
            try {
                closed.await();
                return interrupted;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }
}
