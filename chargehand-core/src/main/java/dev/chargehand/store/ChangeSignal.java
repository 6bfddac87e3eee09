package dev.chargehand.store;

import dev.chargehand.run.RunStatus;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * A counter of changes of a store, with threads that wait for the next one: an implementation of {@link
 * Store#awaitChange} for stores.
 *
 * <p>A change that is made through the store object is signalled. A change of another process is found by a look, which
 * one of the waiting threads makes for all of them, every 250 ms at most; without a waiting thread nothing looks.
 * Thread-safe; no lock is held during a look.
 */
public final class ChangeSignal {

    private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(250);

    private final BooleanSupplier look;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private long changes = 1;
    private boolean looking;
    private long lookedAt = System.nanoTime() - BETWEEN_LOOKS;

    /**
     * Create a signal.
     *
     * @param look returns whether something may have changed since it was called before; one thread at a time calls it
     */
    public ChangeSignal(BooleanSupplier look) {
        this.look = look;
    }

    /**
     * Return whether to signal appends: after one of them a run is suspended or pending, or a root run has ended. Only the
     * process that executes its tree needs the end of a nested run.
     */
    public static boolean isNews(List<Append> appends) {
        for (Append append : appends) {
            if (append.status() != RunStatus.RUNNING
                    && (append.isRoot() || !append.status().isEnded())) {
                return true;
            }
        }
        return false;
    }

    /** Count a change and wake the waiting threads. */
    public void signal() {
        lock.lock();
        try {
            changes++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Wait until something has changed, as {@link Store#awaitChange} does. An exception of the look reaches one of the
     * waiting threads.
     */
    public long await(long seen, Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        while (mustLook(seen, deadline)) {
            boolean found = false;
            try {
                found = look.getAsBoolean();
            } finally {
                looked(found);
            }
        }
        lock.lock();
        try {
            return changes;
        } finally {
            lock.unlock();
        }
    }

    /** Wait until there is a change, the time is over or the thread is interrupted: false; or until it is to look. */
    private boolean mustLook(long seen, long deadline) {
        lock.lock();
        try {
            while (changes == seen) {
                long now = System.nanoTime();
                long untilLook = lookedAt + BETWEEN_LOOKS - now;
                if (!looking && untilLook <= 0) {
                    looking = true;
                    return true;
                }
                long left = deadline - now;
                if (left <= 0) {
                    return false;
                }
                long ignored = changed.awaitNanos(looking ? left : Math.min(left, untilLook));
            }
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    private void looked(boolean found) {
        lock.lock();
        try {
            looking = false;
            lookedAt = System.nanoTime();
            changes += found ? 1 : 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
