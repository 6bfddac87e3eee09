package dev.chargehand.internal.engine.watch;

import dev.chargehand.event.Cursor;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What the threads of a reader of several runs have for it; they wait while it is far behind. Thread-safe. */
final class Arrivals {

    private static final int CAPACITY = 256;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Condition taken = lock.newCondition();
    private final ArrayDeque<Item> queue = new ArrayDeque<>();
    private boolean changed;
    private boolean closed;

    /** What arrives. */
    sealed interface Item {

        /** An event of a run, with the place after it if it was one with an id. */
        record Happened(
                RunId root, RunEvent event, @Nullable Cursor cursor) implements Item {}

        /** No event of a run follows. */
        record Over(RunId root) implements Item {}

        /** A run could not be read further. */
        record Broken(RunId root, RuntimeException why) implements Item {}

        /** Runs may have been stored. */
        record Changed() implements Item {}
    }

    /** Put something; returns false if nothing is taken any more. */
    boolean put(Item item) {
        lock.lock();
        try {
            while (queue.size() >= CAPACITY && !closed) {
                taken.awaitUninterruptibly();
            }
            if (!closed) {
                queue.add(item);
                arrived.signal();
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Note that runs may have been stored; it is noted once until it is taken. */
    void putChange() {
        lock.lock();
        try {
            changed = true;
            arrived.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Take the next one, waiting for it; empty once it is closed. A change comes before all events. */
    Optional<Item> take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (queue.isEmpty() && !changed && !closed) {
                arrived.await();
            }
            if (closed) {
                return Optional.empty();
            }
            if (changed) {
                changed = false;
                return Optional.of(new Item.Changed());
            }
            taken.signal();
            return Optional.of(queue.remove());
        } finally {
            lock.unlock();
        }
    }

    /** Give nothing more: threads that wait are woken. */
    void close() {
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
