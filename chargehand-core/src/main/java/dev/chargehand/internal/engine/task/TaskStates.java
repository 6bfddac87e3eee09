package dev.chargehand.internal.engine.task;

import dev.chargehand.background.Task;
import dev.chargehand.background.TaskLink;
import dev.chargehand.background.TaskStatus;
import dev.chargehand.internal.fact.task.TaskOrigin;
import dev.chargehand.internal.state.State;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;

/** How a background task stands, as the run of its last attempt does. */
public final class TaskStates {

    private TaskStates() {}

    /** Return a task whose last attempt has ended. */
    public static Task ended(State state, TaskOrigin origin, StopReason stop) {
        boolean timedOut =
                stop instanceof StopReason.LimitReached limit && limit.which().equals(TimeLimit.TASK.key());
        return new Task(
                new TaskLink(origin.taskId(), origin.runId(), origin.callId(), origin.threadId(), origin.attempt()),
                state.runId(),
                state.agentId(),
                statusOf(stop.status(), timedOut),
                state.spent().totalUsage(),
                state.started().at(),
                state.lastAt());
    }

    /**
     * Return the status of a task.
     *
     * @param timedOut whether its run was ended by the time limit of tasks
     */
    public static TaskStatus statusOf(RunStatus run, boolean timedOut) {
        return switch (run) {
            case PENDING -> TaskStatus.PENDING;
            case RUNNING -> TaskStatus.RUNNING;
            case SUSPENDED -> TaskStatus.SUSPENDED;
            case COMPLETED -> TaskStatus.COMPLETED;
            case ABORTED -> TaskStatus.CANCELLED;
            case FAILED -> TaskStatus.FAILED;
            case INCOMPLETE -> timedOut ? TaskStatus.TIMED_OUT : TaskStatus.FAILED;
        };
    }
}
