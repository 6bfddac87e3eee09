package dev.chargehand.internal.state;

import java.util.AbstractList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;

/**
 * The calls of a step, of which one can be changed without copying the others: a model may make thousands at once, and
 * each of them goes through several states. Which call is where never changes. Immutable.
 */
final class StepCalls extends AbstractList<CallState> implements RandomAccess {

    private static final int CHUNK = 64;

    private final CallState[][] chunks;
    private final int size;

    /** Where each call stands; empty if there are few, which are found by looking at all of them. */
    private final Map<String, Integer> places;

    private StepCalls(CallState[][] chunks, int size, Map<String, Integer> places) {
        this.chunks = chunks;
        this.size = size;
        this.places = places;
    }

    static StepCalls of(List<CallState> calls) {
        if (calls instanceof StepCalls same) {
            return same;
        }
        int size = calls.size();
        CallState[][] chunks = new CallState[(size + CHUNK - 1) / CHUNK][];
        for (int i = 0; i < chunks.length; i++) {
            chunks[i] =
                    calls.subList(i * CHUNK, Math.min(size, (i + 1) * CHUNK)).toArray(CallState[]::new);
        }
        Map<String, Integer> places = size <= CHUNK ? Map.of() : HashMap.newHashMap(size);
        for (int i = 0; i < size && size > CHUNK; i++) {
            places.putIfAbsent(calls.get(i).callId(), i);
        }
        return new StepCalls(chunks, size, places);
    }

    /** Return where a call stands, or -1. */
    int place(String callId) {
        if (size > CHUNK) {
            return places.getOrDefault(callId, -1);
        }
        for (int i = 0; i < size; i++) {
            if (get(i).callId().equals(callId)) {
                return i;
            }
        }
        return -1;
    }

    /** Return these with another call at a place. */
    StepCalls with(int place, CallState call) {
        CallState[][] changed = chunks.clone();
        CallState[] chunk = chunks[place / CHUNK].clone();
        chunk[place % CHUNK] = call;
        changed[place / CHUNK] = chunk;
        return new StepCalls(changed, size, places);
    }

    @Override
    public CallState get(int index) {
        return chunks[index / CHUNK][index % CHUNK];
    }

    @Override
    public int size() {
        return size;
    }
}
