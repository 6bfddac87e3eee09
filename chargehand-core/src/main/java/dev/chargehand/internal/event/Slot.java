package dev.chargehand.internal.event;

import dev.chargehand.event.BackgroundTaskEvent;
import dev.chargehand.event.EventId;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.WorkflowEvent;

/**
 * The events that a stored fact determines, with their fixed places among the events of one fact. The events of a fact
 * are emitted in this order. A number never changes: cursors contain it.
 */
public enum Slot {
    RUN_START(RunEvent.RunStart.class, 10),
    WORKFLOW_START(WorkflowEvent.WorkflowStart.class, 15),
    RUN_RESUME(RunEvent.RunResume.class, 20),
    BACKGROUND_TASK_RUNNING(BackgroundTaskEvent.BackgroundTaskRunning.class, 21),
    BACKGROUND_TASK_RESUMED(BackgroundTaskEvent.BackgroundTaskResumed.class, 22),
    MEMORY_RECALL(RunEvent.MemoryRecall.class, 24),
    MEMORY_PROBLEM(RunEvent.MemoryProblem.class, 26),
    USAGE(RunEvent.UsageReport.class, 30),
    ROUTING_AGENT_END(RunEvent.RoutingAgentEnd.class, 40),
    TRIPWIRE(RunEvent.Tripwire.class, 50),
    WORKFLOW_STEP_SKIPPED(WorkflowEvent.WorkflowStepSkipped.class, 55),
    WORKFLOW_STEP_START(WorkflowEvent.WorkflowStepStart.class, 58),
    WORKFLOW_STEP_RESUMED(WorkflowEvent.WorkflowStepResumed.class, 59),
    DELEGATION_START(RunEvent.DelegationStart.class, 60),
    TOOL_CALL_APPROVAL(RunEvent.ToolCallApproval.class, 70),
    TOOL_CALL_SUSPENDED(RunEvent.ToolCallSuspended.class, 80),
    WORKFLOW_STEP_WAITING(WorkflowEvent.WorkflowStepWaiting.class, 84),
    WORKFLOW_STEP_SUSPENDED(WorkflowEvent.WorkflowStepSuspended.class, 86),
    TOOL_CALL_ANSWERED(RunEvent.ToolCallAnswered.class, 90),
    TOOL_OUTPUT_DENIED(RunEvent.ToolOutputDenied.class, 100),
    DELEGATION_REJECTED(RunEvent.DelegationRejected.class, 110),
    DELEGATION_END(RunEvent.DelegationEnd.class, 120),
    TOOL_ERROR(RunEvent.ToolError.class, 130),
    WORKING_MEMORY_UPDATE(RunEvent.WorkingMemoryUpdate.class, 135),
    TOOL_RESULT(RunEvent.ToolResult.class, 140),
    BACKGROUND_TASK_STARTED(BackgroundTaskEvent.BackgroundTaskStarted.class, 142),
    WORKFLOW_STEP_RETRY(WorkflowEvent.WorkflowStepRetry.class, 144),
    WORKFLOW_STEP_RESULT(WorkflowEvent.WorkflowStepResult.class, 146),
    SCORING_COMPLETE(RunEvent.ScoringComplete.class, 150),
    DELEGATION_BAIL(RunEvent.DelegationBail.class, 160),
    OBJECT_RESULT(RunEvent.ObjectResult.class, 170),
    STEP_FINISH(RunEvent.StepFinish.class, 180),
    NETWORK_STEP_FINISH(RunEvent.NetworkStepFinish.class, 190),
    ITERATION_END(RunEvent.IterationEnd.class, 200),
    WORKFLOW_FINISH(WorkflowEvent.WorkflowFinish.class, 205),
    ERROR(RunEvent.Error.class, 210),
    ABORT(RunEvent.Abort.class, 220),
    NETWORK_FINISH(RunEvent.NetworkFinish.class, 230),
    BACKGROUND_TASK_SUSPENDED(BackgroundTaskEvent.BackgroundTaskSuspended.class, 232),
    BACKGROUND_TASK_COMPLETED(BackgroundTaskEvent.BackgroundTaskCompleted.class, 234),
    BACKGROUND_TASK_FAILED(BackgroundTaskEvent.BackgroundTaskFailed.class, 236),
    BACKGROUND_TASK_CANCELLED(BackgroundTaskEvent.BackgroundTaskCancelled.class, 238),
    RUN_SUSPEND(RunEvent.RunSuspend.class, 240),
    RUN_FINISH(RunEvent.RunFinish.class, 250),

    /** One for each call of an answer: the number of the first, to which the index of the call is added. */
    TOOL_CALL(RunEvent.ToolCall.class, 1_000);

    private final Class<? extends RunEvent> event;
    private final int number;

    Slot(Class<? extends RunEvent> event, int number) {
        this.event = event;
        this.number = number;
    }

    /** Return the type of the event. */
    public Class<? extends RunEvent> event() {
        return event;
    }

    /** Return the id of the event of a fact; {@code index} is 0 for all but calls. */
    EventId of(long position, int index) {
        return new EventId(position, number + index);
    }
}
