package dev.chargehand.internal.engine.idle;

import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunRecord;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** The turns of an until-idle call that have arrived and were not read. Thread-safe. */
final class IdleTurns {

    private final ConcurrentLinkedQueue<RunStream> unread = new ConcurrentLinkedQueue<>();

    /** All that have arrived, read or not. */
    private final Set<RunId> known = ConcurrentHashMap.newKeySet();

    /** Those that another process has claimed. */
    private final Set<RunId> followed = ConcurrentHashMap.newKeySet();

    private volatile boolean left;

    /** Add a turn that is about to be executed. One that another process had before is read from the store already. */
    void add(RunStream turn) {
        if (followed.contains(turn.runId())) {
            continueUnread(turn);
        } else {
            addUnread(turn);
        }
    }

    private void addUnread(RunStream turn) {
        known.add(turn.runId());
        unread.add(turn);
        if (left) {
            leave();
        }
    }

    /**
     * Read turns from the store that another process has claimed, because this one had stopped for a while; also those that are over, and
     * those that this one is still about to claim or to execute.
     */
    void follow(IdleLook look, OtherProcesses others) {
        for (RunRecord turn : look.turns()) {
            boolean isLeft =
                    turn.status() == RunStatus.RUNNING && turn.owner().isEmpty(); // it will be taken, perhaps here
            boolean isTaken = turn.status() != RunStatus.PENDING && !isLeft && !others.owns(turn);
            if (isTaken && !known.contains(turn.runId())) {
                followed.add(turn.runId());
                addUnread(others.follow(turn.runId(), AgentPath.parse(turn.path())));
            }
        }
    }

    /** Return whether a turn is read from the store, since another process has claimed it. */
    boolean isFollowed(RunId turn) {
        return followed.contains(turn);
    }

    /** Note that a turn waits for a time: it arrives again when it continues. */
    void sleeps(RunId turn) {
        known.remove(turn);
        followed.remove(turn);
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
            continueUnread(turn);
        }
    }

    private static void continueUnread(RunStream turn) {
        Thread ignored = Thread.ofVirtual().name("unread turn " + turn.runId()).start(() -> discard(turn));
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
