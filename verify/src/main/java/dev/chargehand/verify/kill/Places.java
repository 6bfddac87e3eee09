package dev.chargehand.verify.kill;

import dev.chargehand.verify.kill.KillPoint.Place;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Counts how often a process is where something may happen to it, and keeps it there if it is to be killed or stopped. Thread-safe. */
final class Places {

    private final KillPoint point;
    private final Consumer<Place> onReached;
    private final Map<Place, AtomicInteger> counts = new EnumMap<>(Place.class);
    private final ReentrantReadWriteLock writes = new ReentrantReadWriteLock();
    private final CountDownLatch continued = new CountDownLatch(1);
    private volatile boolean armed;

    /**
     * Make places.
     *
     * @param onReached hears that the process exists; what it does then, its signal says
     */
    Places(KillPoint point, Consumer<Place> onReached) {
        this.point = point;
        this.onReached = onReached;
        this.armed = !point.whileAnswering();
        for (Place place : Place.values()) {
            counts.put(place, new AtomicInteger());
        }
    }

    /** Say that an answer is about to be given. */
    void answering() {
        armed = true;
    }

    /** Say that the process was stopped, and continue. */
    void wake() {
        continued.countDown();
    }

    /** Write; a process that is stopped does so in no write, which would lock the store for all processes. */
    <T> T writing(Supplier<T> write) {
        writes.readLock().lock();
        try {
            return write.get();
        } finally {
            writes.readLock().unlock();
        }
    }

    /** Say that the process is somewhere; does not return if it is to be killed here. */
    void at(Place place) {
        if (!armed) {
            return;
        }
        int nth = Objects.requireNonNull(counts.get(place)).incrementAndGet();
        if (place == point.counted() && nth == point.nth()) {
            reached();
        }
    }

    private void reached() {
        switch (point.signal()) {
            case KILL -> {
                onReached.accept(point.place());
                await(new CountDownLatch(1));
            }
            case STOP -> {
                writes.writeLock().lock();
                try {
                    onReached.accept(point.place());
                    await(continued);
                } finally {
                    writes.writeLock().unlock();
                }
            }
            case TERMINATE, NONE -> onReached.accept(point.place());
        }
    }

    /** Return how often the process has been somewhere. */
    int count(Place place) {
        return Objects.requireNonNull(counts.get(place)).get();
    }

    /** A caller that abandons this call must still not get past it. */
    private static void await(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
