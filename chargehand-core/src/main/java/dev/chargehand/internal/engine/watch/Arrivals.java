package dev.chargehand.internal.engine.watch;

import dev.chargehand.event.Cursor;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** What the threads of a reader of several runs have for it; they wait while it is far behind. Thread-safe. */
final class Arrivals {

    private static final int CAPACITY = 256;

    private final HandOver<Item> items = new HandOver<>(CAPACITY);
    private final AtomicBoolean changed = new AtomicBoolean();

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
        return items.put(item);
    }

    /** Note that runs may have been stored; it is noted once until it is taken. */
    void putChange() {
        changed.set(true);
        items.wake();
    }

    /** Take the next one, waiting for it; empty once it is closed. A change comes before all events. */
    Optional<Item> take() throws InterruptedException {
        while (!items.isClosed()) {
            Item next = changed.getAndSet(false) ? new Item.Changed() : items.poll();
            if (next != null) {
                return Optional.of(next);
            }
            items.await();
        }
        return Optional.empty();
    }

    /** Give nothing more: threads that wait are woken. */
    void close() {
        items.close();
    }
}
