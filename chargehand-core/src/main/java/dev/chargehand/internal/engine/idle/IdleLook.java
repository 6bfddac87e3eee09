package dev.chargehand.internal.engine.idle;

import dev.chargehand.background.Task;
import dev.chargehand.background.TaskStatus;
import dev.chargehand.internal.engine.background.StoredTasks;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.util.ArrayList;
import java.util.List;

/**
 * The turns and tasks of an until-idle call as the store has them at one moment.
 *
 * @param turns the turns, those that have ended too, the oldest first
 * @param attempts the runs of tasks, the oldest first
 * @param tasks all tasks that the store has
 */
record IdleLook(List<RunRecord> turns, List<RunRecord> attempts, List<Task> tasks) {

    private static final int MOST = 1000;

    /** Read it; the end of a task stores the next turn with it, so one read sees the task or the turn. */
    static IdleLook at(Store store, RunId first) {
        List<RunRecord> turns = new ArrayList<>();
        List<RunRecord> attempts = new ArrayList<>();
        for (RunRecord run : store.list(RunFilter.ROOTS.untilIdle(first).limit(MOST))) {
            if (run.task().isPresent()) {
                attempts.add(run);
            } else {
                turns.addFirst(run);
            }
        }
        return new IdleLook(turns, attempts.reversed(), StoredTasks.of(attempts));
    }

    /** Return whether something is executed or is about to be. */
    boolean works() {
        return turns.stream().anyMatch(turn -> !turn.status().isEnded() && turn.status() != RunStatus.SUSPENDED)
                || tasks.stream().anyMatch(task -> !task.status().isEnded() && task.status() != TaskStatus.SUSPENDED);
    }

    /** Return whether something waits for an answer from outside. */
    boolean waits() {
        return turns.stream().anyMatch(turn -> !turn.status().isEnded())
                || tasks.stream().anyMatch(task -> !task.status().isEnded());
    }
}
