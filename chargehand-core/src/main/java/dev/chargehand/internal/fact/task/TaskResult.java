package dev.chargehand.internal.fact.task;

import dev.chargehand.run.RunId;
import java.util.Objects;

/**
 * The result of a background task that a run gives to its model.
 *
 * @param taskId the task
 * @param position the position of its message in the thread of the run
 */
public record TaskResult(RunId taskId, long position) {
    public TaskResult {
        Objects.requireNonNull(taskId, "taskId");
    }
}
