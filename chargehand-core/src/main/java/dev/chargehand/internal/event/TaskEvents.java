package dev.chargehand.internal.event;

import dev.chargehand.event.BackgroundTaskEvent;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.task.TaskOrigin;
import dev.chargehand.internal.state.State;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;

/** Reports the facts of a run that is a background task. Used by the run's own thread only. */
record TaskEvents(RunEvents events) {

    /** Report that a task is executed, or makes progress. */
    void narrate(Fact fact, State after) {
        TaskOrigin origin = after.started().background().origin();
        if (origin == null) {
            return;
        }
        RunId task = origin.taskId();
        String call = origin.callId();
        String agent = after.agentId();
        switch (fact) {
            case Fact.ExecutionStarted ignored ->
                events.emit(
                        0,
                        Slot.BACKGROUND_TASK_RUNNING,
                        o -> new BackgroundTaskEvent.BackgroundTaskRunning(o, task, call, agent, origin.attempt()));
            case Fact.Resumed ignored ->
                events.emit(
                        after.stepNumber(),
                        Slot.BACKGROUND_TASK_RESUMED,
                        o -> new BackgroundTaskEvent.BackgroundTaskResumed(o, task, call, agent));
            case Fact.StepClosed closed -> {
                if (closed.stop() == null) {
                    events.emit(
                            closed.step(), o -> new BackgroundTaskEvent.BackgroundTaskProgress(o, task, call, agent));
                }
            }
            default -> {}
        }
    }

    /** Report that a task has ended, or waits. */
    void over(State after) {
        TaskOrigin origin = after.started().background().origin();
        if (origin == null) {
            return;
        }
        int step = after.stepNumber();
        RunId task = origin.taskId();
        String call = origin.callId();
        String agent = after.agentId();
        StopReason stop = after.stop();
        if (stop == null) {
            events.emit(
                    step,
                    Slot.BACKGROUND_TASK_SUSPENDED,
                    o -> new BackgroundTaskEvent.BackgroundTaskSuspended(o, task, call, agent));
        } else if (stop instanceof StopReason.Cancelled cancelled) {
            events.emit(
                    step,
                    Slot.BACKGROUND_TASK_CANCELLED,
                    o -> new BackgroundTaskEvent.BackgroundTaskCancelled(o, task, call, agent, cancelled.by()));
        } else if (stop.status() == RunStatus.COMPLETED) {
            events.emit(
                    step,
                    Slot.BACKGROUND_TASK_COMPLETED,
                    o -> new BackgroundTaskEvent.BackgroundTaskCompleted(o, task, call, agent, after.text()));
        } else {
            events.emit(
                    step,
                    Slot.BACKGROUND_TASK_FAILED,
                    o -> new BackgroundTaskEvent.BackgroundTaskFailed(
                            o, task, call, agent, stop, origin.isRetriedAfter(stop)));
        }
    }
}
