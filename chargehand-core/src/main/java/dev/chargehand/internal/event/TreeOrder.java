package dev.chargehand.internal.event;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Puts what parallel runs emit into the order in which the facts of their tree were stored: what follows a fact waits
 * until all events of the facts before it were emitted. Used under the lock of the sink.
 *
 * @param <E> what is emitted
 */
final class TreeOrder<E> {

    private final Out<E> out;
    private final TreeMap<Long, Waiting<E>> waiting = new TreeMap<>();

    /** The fact whose events are emitted now; 0 until the first fact. */
    private long next;

    /** Takes what is emitted, in its order. */
    @FunctionalInterface
    interface Out<E> {

        /** Take an event that follows a fact. */
        void accept(long after, E event);
    }

    /** What follows a fact that it is not the turn of. */
    private static final class Waiting<E> {

        private final List<E> events = new ArrayList<>();
        private boolean passed;
    }

    TreeOrder(Out<E> out) {
        this.out = out;
    }

    /** Return whether a fact was reported. */
    boolean hasStarted() {
        return next > 0;
    }

    /** Return whether an event that follows a fact is emitted at once. */
    boolean isEmitting(long after) {
        return after <= next;
    }

    /** Put an event that follows a fact. */
    void put(long after, E event) {
        if (isReached(after)) {
            out.accept(after, event);
        } else {
            waiting(after).events.add(event);
        }
    }

    /** Note that all events of a fact were put. */
    void pass(long position) {
        if (!isReached(position)) {
            waiting(position).passed = true;
        } else if (position == next && position > 0) {
            next++;
            emitWhatFollows();
        }
    }

    /** Emit all that waits: nothing more is to come before it. */
    void flush() {
        while (!waiting.isEmpty()) {
            emit(waiting.pollFirstEntry());
        }
    }

    private void emit(Map.Entry<Long, Waiting<E>> turn) {
        turn.getValue().events.forEach(event -> out.accept(turn.getKey(), event));
    }

    private void emitWhatFollows() {
        boolean passed = true;
        while (passed && !waiting.isEmpty() && waiting.firstKey() == next) {
            Map.Entry<Long, Waiting<E>> turn = waiting.pollFirstEntry();
            emit(turn);
            passed = turn.getValue().passed;
            next += passed ? 1 : 0;
        }
    }

    /** The first fact of a tree that this process stores is the first that is reported. */
    private boolean isReached(long position) {
        if (next == 0) {
            next = position;
        }
        return position <= next;
    }

    private Waiting<E> waiting(long position) {
        return waiting.computeIfAbsent(position, p -> new Waiting<>());
    }
}
