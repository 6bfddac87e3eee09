package dev.chargehand.verify.kill;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the tools of a scenario did, in all its processes. */
final class Ledger {

    private final List<Entry> entries = new ArrayList<>();
    private final Map<String, Set<String>> begun = new HashMap<>();
    private final Map<String, Set<String>> begunBeforeStop = new HashMap<>();

    /**
     * An effect.
     *
     * @param slot what the plan calls it
     * @param key the idempotency key it was done under
     * @param callId the call
     * @param attempt the number of the attempt, from 1
     * @param late whether the process that did it had been stopped since it started the call
     */
    record Entry(String tool, String slot, String key, String callId, int attempt, boolean late) {

        /** Return what happens once at most if it may not be repeated. */
        String once() {
            return key + " " + attempt;
        }
    }

    /** Hear what a process says, or its parent of it, and keep what it did. */
    void hear(Line line) {
        switch (line.word()) {
            case Line.BEGUN ->
                begun.computeIfAbsent(line.part(1), process -> new HashSet<>()).add(line.part(0));
            case Line.STOPPED ->
                begunBeforeStop.put(line.part(0), Set.copyOf(begun.getOrDefault(line.part(0), Set.of())));
            case Line.EFFECT -> {
                boolean late =
                        begunBeforeStop.getOrDefault(line.part(5), Set.of()).contains(line.part(3));
                entries.add(new Entry(
                        line.part(0), line.part(1), line.part(2), line.part(3), Integer.parseInt(line.part(4)), late));
            }
            default -> {}
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
