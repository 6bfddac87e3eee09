package dev.chargehand.verify.kill;

import java.util.ArrayList;
import java.util.List;

/** What the tools of a scenario did, in all its processes. */
final class Ledger {

    private final List<Entry> entries = new ArrayList<>();

    /**
     * An effect.
     *
     * @param slot what the plan calls it
     * @param key the idempotency key it was done under
     * @param callId the call
     */
    record Entry(String tool, String slot, String key, String callId) {}

    /** Hears what a process says, and keeps what it did. */
    void hear(Line line) {
        if (line.word().equals(Line.EFFECT)) {
            entries.add(new Entry(line.part(0), line.part(1), line.part(2), line.part(3)));
        }
    }

    boolean has(String callId) {
        return entries.stream().anyMatch(entry -> entry.callId().equals(callId));
    }

    List<Entry> of(String slot) {
        return entries.stream().filter(entry -> entry.slot().equals(slot)).toList();
    }

    List<Entry> entries() {
        return List.copyOf(entries);
    }
}
