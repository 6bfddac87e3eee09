package dev.chargehand.event;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event of a workflow's run, between its {@link RunEvent.RunStart} and its {@link RunEvent.RunFinish}. The step of such an event is
 * the number of the round.
 */
@Experimental
public sealed interface WorkflowEvent extends RunEvent.OfWorkflow {

    /** A workflow starts. */
    record WorkflowStart(Origin origin, String workflowId, String version, Json input) implements WorkflowEvent {}

    /**
     * A step starts.
     *
     * @param stepPath its place in the workflow, such as {@code check} or {@code notify[3]}
     * @param iteration the number of the iteration of a loop, from 1
     * @param nestedRunId the run of the agent or workflow that does the work in the first attempt; null if none does
     */
    record WorkflowStepStart(
            Origin origin,
            String stepPath,
            String callId,
            String stepId,
            Json input,
            int iteration,
            @Nullable RunId nestedRunId)
            implements WorkflowEvent {}

    /**
     * A step has ended.
     *
     * @param output what it gave; null if it failed
     * @param error what went wrong; null if nothing did
     * @param duration that of the last attempt
     */
    record WorkflowStepResult(
            Origin origin,
            String stepPath,
            String callId,
            String stepId,
            @Nullable Json output,
            @Nullable String error,
            Duration duration)
            implements WorkflowEvent {}

    /** An attempt failed, and another one follows after the delay. */
    record WorkflowStepRetry(
            Origin origin, String stepPath, String callId, String stepId, int attempt, String error, Duration delay)
            implements WorkflowEvent {}

    /**
     * An entry waits for a time.
     *
     * @param until the time
     */
    record WorkflowStepWaiting(Origin origin, String stepPath, String callId, Instant until) implements WorkflowEvent {}

    /**
     * A step waits for an answer from outside.
     *
     * @param approval what it waits for; it can be answered from now on
     */
    record WorkflowStepSuspended(Origin origin, String stepPath, String callId, String stepId, PendingApproval approval)
            implements WorkflowEvent {}

    /** A step that waited for an answer is executed again, or an entry that waited for a time continues. */
    record WorkflowStepResumed(Origin origin, String stepPath, String callId, String stepId) implements WorkflowEvent {}

    /** Conditions of an entry left out steps. */
    record WorkflowStepSkipped(Origin origin, String entryId, List<String> steps) implements WorkflowEvent {
        public WorkflowStepSkipped {
            steps = List.copyOf(steps);
        }
    }

    /**
     * A workflow is over.
     *
     * @param output what it gave; null if it did not complete
     * @param state the state that its steps shared, at the end
     */
    record WorkflowFinish(
            Origin origin,
            RunStatus status,
            StopReason stopReason,
            @Nullable Json output,
            Json state) implements WorkflowEvent {}
}
