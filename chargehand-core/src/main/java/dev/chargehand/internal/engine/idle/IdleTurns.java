package dev.chargehand.internal.engine.idle;

import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.run.RunId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** The turns of an until-idle call that have arrived and were not read. Thread-safe. */
final class IdleTurns {

    private final ConcurrentLinkedQueue<RunStream> unread = new ConcurrentLinkedQueue<>();

    /** All that have arrived, read or not. */
    private final Set<RunId> known = ConcurrentHashMap.newKeySet();

    private volatile boolean left;

    /** Add a turn that is about to be executed, or that another process executes. */
    void add(RunStream turn) {
        known.add(turn.runId());
        unread.add(turn);
        if (left) {
            leave();
        }
    }

    /** Note that a turn waits for a time: it arrives again when it continues. */
    void sleeps(RunId turn) {
        known.remove(turn);
    }

    boolean knows(RunId turn) {
        return known.contains(turn);
    }

    boolean isEmpty() {
        return unread.isEmpty();
    }

    /** Take the next one; null if none has arrived. */
    @Nullable
    RunStream poll() {
        return unread.poll();
    }

    /** Let those continue without a reader that were not read, or arrive later: else they would wait for one. */
    void leave() {
        left = true;
        for (RunStream turn = unread.poll(); turn != null; turn = unread.poll()) {
            RunStream next = turn;
            Thread ignored =
                    Thread.ofVirtual().name("unread turn " + next.runId()).start(() -> discard(next));
        }
    }

    private static void discard(RunStream turn) {
        try {
            RunResult ignored = turn.result();
        } catch (RuntimeException e) {
            // its run says how it has ended
        }
    }

    /** Close those that were not read; those that arrive later continue without a reader. */
    void close() {
        for (RunStream turn = unread.poll(); turn != null; turn = unread.poll()) {
            turn.close();
        }
        leave();
    }
}
