package dev.chargehand.jdbc.internal.call;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A bounded queue of calls that can be closed: earlier calls are still taken, later calls are rejected.
 *
 * <p>Thread-safe. The lock is held for a few instructions, and callers on virtual threads wait without a carrier.
 */
public final class CallQueue {

    /** How putting a call ended. */
    public enum Put {
        DONE,
        FULL,
        CLOSED
    }

    private final int capacity;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition notEmpty = lock.newCondition();
    private final Condition notFull = lock.newCondition();
    private final ArrayDeque<Call<?>> calls = new ArrayDeque<>();
    private boolean closed;

    public CallQueue(int capacity) {
        this.capacity = capacity;
    }

    /** Put a call, waiting for a place until a moment of {@link System#nanoTime()}; an interrupt is kept for later. */
    public Put put(Call<?> call, long deadline) {
        boolean interrupted = false;
        lock.lock();
        try {
            while (!closed && calls.size() >= capacity) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    return Put.FULL;
                }
                try {
                    long ignored = notFull.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (closed) {
                return Put.CLOSED;
            }
            calls.add(call);
            notEmpty.signal();
            return Put.DONE;
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Take at least one call, waiting for it, and at most some; none if the queue is closed and empty. */
    public List<Call<?>> take(int atMost) {
        lock.lock();
        try {
            while (!closed && calls.isEmpty()) {
                notEmpty.awaitUninterruptibly();
            }
            List<Call<?>> taken = new ArrayList<>();
            while (taken.size() < atMost && !calls.isEmpty()) {
                taken.add(calls.poll());
            }
            notFull.signalAll();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    public int size() {
        lock.lock();
        try {
            return calls.size();
        } finally {
            lock.unlock();
        }
    }

    public void close() {
        lock.lock();
        try {
            closed = true;
            notEmpty.signalAll();
            notFull.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
