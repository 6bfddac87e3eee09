package dev.chargehand.internal.engine.idle;

import dev.chargehand.RunResult;
import dev.chargehand.background.IdleReason;
import dev.chargehand.event.Idle;
import dev.chargehand.event.Origin;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The results of the turns of an until-idle call that are over or sleep. Used by one thread at a time. */
final class TurnResults {

    private final List<RunResult> results = new ArrayList<>();

    /** Return whether a turn waits for a time only: it continues by itself. */
    static boolean sleeps(RunResult turn) {
        return turn.status() == RunStatus.SUSPENDED && turn.pendingApprovals().isEmpty();
    }

    /** Add that of a turn, unless it had nothing to say to a model; it replaces what the turn had when it slept. */
    boolean add(RunResult turn) {
        boolean called = results.isEmpty() || !turn.steps().isEmpty();
        if (called) {
            results.removeIf(before -> before.runId().equals(turn.runId()));
            results.add(turn);
        }
        return called;
    }

    /** Return why a call is over after a turn that does not sleep; nothing if what is left decides. */
    static Optional<IdleReason> endAfter(RunResult turn, boolean called) {
        return switch (turn.status()) {
            case ABORTED -> Optional.of(IdleReason.CANCELLED);
            case SUSPENDED -> Optional.of(IdleReason.SUSPENDED);
            case INCOMPLETE -> called ? Optional.empty() : Optional.of(IdleReason.LIMIT);
            default -> Optional.empty();
        };
    }

    /** Return the last event of a call. */
    Idle idle(RuntimeEnvironment environment, RunId first, AgentPath path, IdleReason reason, int tasks) {
        Origin origin =
                new Origin(Optional.empty(), first, path, 0, environment.time().now(), false, environment.tenantId());
        return new Idle(origin, reason, results.size(), tasks);
    }

    boolean isEmpty() {
        return results.isEmpty();
    }

    List<RunResult> all() {
        return List.copyOf(results);
    }

    /** Return the text of the last one; empty if there is none. */
    String text() {
        return results.isEmpty() ? "" : results.getLast().text();
    }

    /**
     * Return why a call is over of which nothing is left: its turns end with its thread, or with a turn that has started tasks.
     *
     * @param hasTasks whether it has started any, so that its thread existed
     */
    IdleReason whenDone(IdleLook look, Store store, boolean hasTasks) {
        RunResult last = results.getLast();
        StopReason stop = last.stopReason();
        if (stop instanceof StopReason.LimitReached || stop instanceof StopReason.BudgetExhausted) {
            return IdleReason.LIMIT;
        }
        boolean isDeleted = hasTasks
                && (look.hasResultOfDeletedTurn()
                        || last.threadId()
                                .filter(thread -> store.findThread(thread).isEmpty())
                                .isPresent());
        return isDeleted ? IdleReason.CANCELLED : IdleReason.DONE;
    }
}
