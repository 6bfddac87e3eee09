package dev.chargehand.event;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;

/**
 * An event of a background task. {@link BackgroundTaskStarted} is an event of the run that starts the task; all others are events of
 * the task's own run, between its {@link RunEvent.RunStart} and its {@link RunEvent.RunFinish}.
 */
@Experimental
public sealed interface BackgroundTaskEvent extends RunEvent.OfTask {

    /** Return the task: the id of the run of its first attempt. */
    RunId taskId();

    /** Return the call that started it. */
    String callId();

    /** Return the id of the agent or workflow that works on it. */
    String agentId();

    /** A task is stored, and some process will execute it. */
    record BackgroundTaskStarted(Origin origin, RunId taskId, String callId, String agentId)
            implements BackgroundTaskEvent {}

    /**
     * A process executes the task for the first time.
     *
     * @param attempt the number of the attempt, from 1
     */
    record BackgroundTaskRunning(Origin origin, RunId taskId, String callId, String agentId, int attempt)
            implements BackgroundTaskEvent {}

    /** A step of the task is over, and it continues. */
    record BackgroundTaskProgress(Origin origin, RunId taskId, String callId, String agentId)
            implements BackgroundTaskEvent {}

    /** The task waits: for a human, for data or for a time. */
    record BackgroundTaskSuspended(Origin origin, RunId taskId, String callId, String agentId)
            implements BackgroundTaskEvent {}

    /** A process continues the task. */
    record BackgroundTaskResumed(Origin origin, RunId taskId, String callId, String agentId)
            implements BackgroundTaskEvent {}

    /** The task ended with an answer. */
    record BackgroundTaskCompleted(Origin origin, RunId taskId, String callId, String agentId, String text)
            implements BackgroundTaskEvent {}

    /**
     * The task, or an attempt of it, ended without a complete answer.
     *
     * @param retried whether another attempt follows
     */
    record BackgroundTaskFailed(
            Origin origin, RunId taskId, String callId, String agentId, StopReason stopReason, boolean retried)
            implements BackgroundTaskEvent {}

    /** The task was cancelled. */
    record BackgroundTaskCancelled(Origin origin, RunId taskId, String callId, String agentId, String by)
            implements BackgroundTaskEvent {}
}
