package dev.chargehand.internal.engine.watch;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Passes what several threads read to one reader, in the order in which it arrives. Some of them wait while the reader is behind, and
 * some must not. Thread-safe.
 *
 * @param <T> what is passed
 */
public final class HandOver<T> {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Condition taken = lock.newCondition();
    private final ArrayDeque<Item<T>> queue = new ArrayDeque<>();
    private final int capacity;
    private int bounded;
    private boolean woken;
    private boolean closed;

    private record Item<T>(T value, boolean isBounded) {}

    /** Make it; {@code capacity} is how many items of threads that wait it has at most. */
    public HandOver(int capacity) {
        this.capacity = capacity;
    }

    /** Pass an item, waiting for a place; returns false if nothing is taken any more. */
    public boolean put(T item) {
        lock.lock();
        try {
            while (bounded >= capacity && !closed) {
                taken.awaitUninterruptibly();
            }
            return add(new Item<>(item, true));
        } finally {
            lock.unlock();
        }
    }

    /** Pass an item without waiting. */
    public void add(T item) {
        lock.lock();
        try {
            boolean ignored = add(new Item<>(item, false));
        } finally {
            lock.unlock();
        }
    }

    private boolean add(Item<T> item) {
        if (!closed) {
            queue.add(item);
            bounded += item.isBounded() ? 1 : 0;
            arrived.signal();
        }
        return !closed;
    }

    /** Take the next item; null if none has arrived. */
    public @Nullable T poll() {
        lock.lock();
        try {
            Item<T> item = queue.poll();
            if (item == null) {
                return null;
            }
            if (item.isBounded()) {
                bounded--;
                taken.signal();
            }
            return item.value();
        } finally {
            lock.unlock();
        }
    }

    /** Return whether no item has arrived. */
    public boolean isEmpty() {
        lock.lock();
        try {
            return queue.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Return whether an item that was passed without waiting has not been taken. */
    public boolean hasAdded() {
        lock.lock();
        try {
            return queue.size() > bounded;
        } finally {
            lock.unlock();
        }
    }

    /** Wake the reader without an item, now or when it waits next. */
    public void wake() {
        lock.lock();
        try {
            woken = true;
            arrived.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Wait until something arrives, or the reader is woken. */
    void await() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (queue.isEmpty() && !woken && !closed) {
                arrived.await();
            }
            woken = false;
        } finally {
            lock.unlock();
        }
    }

    /** Wait until something arrives, or the reader is woken; returns false if neither happens in time. */
    public boolean await(Duration most) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = most.toNanos();
            while (queue.isEmpty() && !woken && !closed && left > 0) {
                left = arrived.awaitNanos(left);
            }
            woken = false;
            return left > 0;
        } finally {
            lock.unlock();
        }
    }

    /** Return whether nothing is taken any more. */
    public boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Pass nothing more: threads that wait are woken. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            queue.clear();
            arrived.signalAll();
            taken.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
