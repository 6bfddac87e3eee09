package dev.chargehand.store;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The deliveries to one run and its calls that wait, in memory. Used under the store's lock. */
final class MemoryInbox {

    private final Map<String, Entry> deliveries = new LinkedHashMap<>();
    private final Map<String, Wait> waits = new LinkedHashMap<>();

    private static final class Entry {
        private final Delivery delivery;
        private final long number;
        private boolean drained;

        private Entry(Delivery delivery, long number) {
            this.delivery = delivery;
            this.number = number;
        }
    }

    /** A delivery that has not been read, with its place among all deliveries of the store. */
    record Undrained(long number, Delivery delivery) {}

    private static final class Wait {
        private final WaitingCall call;
        private boolean answered;

        private Wait(WaitingCall call) {
            this.call = call;
        }
    }

    Delivered deliver(Delivery delivery, long number) {
        Entry stored = deliveries.get(delivery.id());
        if (stored != null) {
            return new Delivered.Duplicate(stored.delivery.digest());
        }
        if (delivery.kind().answers()) {
            Wait wait = waitFor(delivery.id());
            if (wait == null || wait.answered) {
                return new Delivered.NotWaiting();
            }
            wait.answered = true;
        }
        deliveries.put(delivery.id(), new Entry(delivery, number));
        return new Delivered.Accepted();
    }

    private @Nullable Wait waitFor(String id) {
        return waits.values().stream()
                .filter(wait -> Delivery.idOf(wait.call.callId(), wait.call.waitNumber())
                        .equals(id))
                .findFirst()
                .orElse(null);
    }

    boolean hasUndrained(String id) {
        Entry entry = deliveries.get(id);
        return entry != null && !entry.drained;
    }

    List<Undrained> undrained() {
        List<Undrained> undrained = new ArrayList<>();
        for (Entry entry : deliveries.values()) {
            if (!entry.drained) {
                undrained.add(new Undrained(entry.number, entry.delivery));
            }
        }
        return undrained;
    }

    void drain(String id) {
        Entry entry = deliveries.get(id);
        if (entry != null) {
            entry.drained = true;
        }
    }

    void waits(List<WaitingCall> begun, List<String> over) {
        over.forEach(waits::remove);
        begun.forEach(call -> waits.put(call.callId(), new Wait(call)));
    }

    /** Store all waiting calls; one that is stored already stays as it is. */
    void derived(List<WaitingCall> all) {
        all.forEach(call -> waits.putIfAbsent(call.callId(), new Wait(call)));
    }

    List<WaitingCall> waiting() {
        return waits.values().stream()
                .filter(wait -> !wait.answered)
                .map(wait -> wait.call)
                .toList();
    }
}
