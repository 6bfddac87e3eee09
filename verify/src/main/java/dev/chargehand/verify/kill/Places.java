package dev.chargehand.verify.kill;

import dev.chargehand.verify.kill.KillPoint.Place;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Counts how often a process is where it may be killed, and keeps it there if it is to be. Thread-safe. */
final class Places {

    private final KillPoint point;
    private final Consumer<Place> onReached;
    private final Map<Place, AtomicInteger> counts = new EnumMap<>(Place.class);
    private volatile boolean armed;

    /**
     * Makes places.
     *
     * @param onReached hears that the process is where it is to be killed; it goes no further then, unless it is asked to terminate
     */
    Places(KillPoint point, Consumer<Place> onReached) {
        this.point = point;
        this.onReached = onReached;
        this.armed = !point.whileAnswering();
        for (Place place : Place.values()) {
            counts.put(place, new AtomicInteger());
        }
    }

    /** Says that an answer is about to be given. */
    void answering() {
        armed = true;
    }

    /** Says that the process is somewhere; does not return if it is to be killed here. */
    void at(Place place) {
        if (!armed) {
            return;
        }
        int nth = Objects.requireNonNull(counts.get(place)).incrementAndGet();
        if (place == point.place() && nth == point.nth()) {
            onReached.accept(place);
            if (!point.terminates()) {
                stay();
            }
        }
    }

    /** Returns how often the process has been somewhere. */
    int count(Place place) {
        return Objects.requireNonNull(counts.get(place)).get();
    }

    private static void stay() {
        while (true) {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                // Whoever gives up on this call must still not get past it.
            }
        }
    }
}
