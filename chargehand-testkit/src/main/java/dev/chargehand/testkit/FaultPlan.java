package dev.chargehand.testkit;

import dev.chargehand.error.StoreException;
import dev.chargehand.testkit.FaultyStore.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which call of a store meets which faults, and who hangs.
 *
 * <p>Thread-safe; faults themselves run outside the lock.
 */
final class FaultPlan {

    /** What a call meets before and after its work. */
    private record Faults(List<Runnable> before, List<Runnable> after) {}

    static final Duration FOR_EVER = Duration.ofDays(36_500);

    private record Planned(Operation operation, int nth, boolean after, Runnable fault) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Operation, Integer> counts = new EnumMap<>(Operation.class);
    private final List<Planned> planned = new ArrayList<>();
    private int hanging;
    private long releases;
    private boolean closed;

    void before(Operation operation, int nth, Runnable fault) {
        plan(new Planned(operation, nth, false, fault));
    }

    void after(Operation operation, int nth, Runnable fault) {
        plan(new Planned(operation, nth, true, fault));
    }

    private void plan(Planned fault) {
        if (fault.nth() < 1) {
            throw new IllegalArgumentException("Calls are counted from 1, not from " + fault.nth() + ".");
        }
        lock.lock();
        try {
            planned.add(fault);
        } finally {
            lock.unlock();
        }
    }

    /** Count a call and return what is planned for it. */
    private Faults arrive(Operation operation) {
        lock.lock();
        try {
            int nth = counts.merge(operation, 1, Integer::sum);
            int nthOfAll = counts.merge(Operation.ANY, 1, Integer::sum);
            List<Planned> hits = planned.stream()
                    .filter(fault -> fault.nth() == (fault.operation() == Operation.ANY ? nthOfAll : nth)
                            && (fault.operation() == Operation.ANY || fault.operation() == operation))
                    .toList();
            return new Faults(
                    faults(hits.stream().filter(fault -> !fault.after())),
                    faults(hits.stream().filter(Planned::after)));
        } finally {
            lock.unlock();
        }
    }

    /** Make a call, with what is planned for it. */
    <T extends @Nullable Object> T call(Operation operation, Supplier<T> work) {
        Faults faults = arrive(operation);
        faults.before().forEach(Runnable::run);
        T result = work.get();
        faults.after().forEach(Runnable::run);
        return result;
    }

    private static List<Runnable> faults(Stream<Planned> hits) {
        return hits.map(Planned::fault).toList();
    }

    int count(Operation operation) {
        lock.lock();
        try {
            return counts.getOrDefault(operation, 0);
        } finally {
            lock.unlock();
        }
    }

    /** Wait for a release, the end, or a time; an interrupt is kept for later. */
    void hang(Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        boolean interrupted = false;
        lock.lock();
        hanging++;
        changed.signalAll();
        try {
            long release = releases;
            while (!closed && releases == release && end - System.nanoTime() > 0) {
                try {
                    long ignored = changed.awaitNanos(end - System.nanoTime());
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (closed) {
                throw new StoreException(
                        StoreException.Kind.UNUSABLE, "Planned fault: the store was closed while a call hung.", null);
            }
        } finally {
            hanging--;
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    void awaitHanging(int calls) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (hanging < calls) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    void release() {
        lock.lock();
        try {
            releases++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
