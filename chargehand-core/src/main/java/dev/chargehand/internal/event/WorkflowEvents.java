package dev.chargehand.internal.event;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.approval.WaitKind;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.internal.fact.CallAnswer;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RoundFact;
import dev.chargehand.internal.fact.RoundFact.PlannedCall;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.Round;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.WaitingCalls;
import dev.chargehand.internal.state.WorkflowState;
import dev.chargehand.json.Json;
import dev.chargehand.run.StopReason;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Reports the facts of a workflow: its rounds and the calls of its steps. Used by the run's own thread only. */
public record WorkflowEvents(RunEvents events) implements KindEvents {

    @Override
    public void continueAt(State state) {}

    @Override
    public void catchUp(Fact fact) {}

    @Override
    public void wholeText(Fact fact, State after) {}

    @Override
    public void note(Fact fact, State after) {}

    @Override
    public void runOver(State after, StopReason reason) {}

    @Override
    public void narrate(Fact fact, State after) {
        WorkflowState state = (WorkflowState) after;
        switch (fact) {
            case Fact.Started started -> started(started, state);
            case Fact.CallOpened opened -> opened(opened, state);
            case Fact.CallParked parked -> parked(parked, state);
            case Fact.CallClosed closed -> closed(closed, state);
            case Fact.Stopped stopped -> finished(stopped.reason(), state);
            case RoundFact.Planned planned -> planned(planned, state);
            case RoundFact.CallRetried retried -> retried(retried, state);
            case RoundFact.RoundClosed closed -> {
                if (closed.stop() != null) {
                    finished(closed.stop(), state);
                }
            }
            default -> {}
        }
    }

    private void started(Fact.Started started, WorkflowState state) {
        String version =
                started.definition() == null ? "" : started.definition().version();
        events.emit(
                0,
                Slot.WORKFLOW_START,
                o -> new WorkflowEvent.WorkflowStart(o, started.agentId(), version, state.input()));
    }

    private void planned(RoundFact.Planned planned, WorkflowState state) {
        if (!planned.skipped().isEmpty()) {
            events.emit(
                    state.stepNumber(),
                    Slot.WORKFLOW_STEP_SKIPPED,
                    o -> new WorkflowEvent.WorkflowStepSkipped(o, planned.entry(), planned.skipped()));
        }
    }

    private void opened(Fact.CallOpened opened, WorkflowState state) {
        CallState opening = state.openCall(opened.callId());
        if (opening.decided() != null) {
            if (opening.decided().answer() != CallAnswer.DUE || opening.isPaused()) {
                resumed(opening, state);
            }
            if (opening.parked() == null || (opening.parked().kind() != WaitKind.APPROVAL && !opening.isPaused())) {
                return; // else it was approved or paused, and starts now
            }
        }
        Round round = state.round();
        PlannedCall call = round.plannedCall(opened.callId());
        events.emit(
                state.stepNumber(),
                Slot.WORKFLOW_STEP_START,
                o -> new WorkflowEvent.WorkflowStepStart(
                        o,
                        call.path(),
                        call.callId(),
                        call.step(),
                        Json.parse(call.input()),
                        round.planned().iteration(),
                        opened.child() == null ? null : opened.child().runId()));
    }

    private void resumed(CallState call, WorkflowState state) {
        PlannedCall planned = state.round().plannedCall(call.callId());
        events.emit(
                state.stepNumber(),
                Slot.WORKFLOW_STEP_RESUMED,
                o -> new WorkflowEvent.WorkflowStepResumed(o, planned.path(), planned.callId(), planned.step()));
    }

    private void parked(Fact.CallParked parked, WorkflowState state) {
        CallState call = state.openCall(parked.callId());
        PlannedCall planned = state.round().plannedCall(parked.callId());
        if (parked.kind() != WaitKind.TIMER) {
            PendingApproval approval = WaitingCalls.of(state, call);
            events.emit(
                    state.stepNumber(),
                    Slot.WORKFLOW_STEP_SUSPENDED,
                    o -> new WorkflowEvent.WorkflowStepSuspended(
                            o, planned.path(), planned.callId(), planned.step(), approval));
        } else if (call.retried() == null) { // else the retry says it
            events.emit(
                    state.stepNumber(),
                    Slot.WORKFLOW_STEP_WAITING,
                    o -> new WorkflowEvent.WorkflowStepWaiting(
                            o, planned.path(), planned.callId(), parked.expiresAt()));
        }
    }

    private void retried(RoundFact.CallRetried retried, WorkflowState state) {
        PlannedCall call = state.round().plannedCall(retried.callId());
        events.emit(
                state.stepNumber(),
                Slot.WORKFLOW_STEP_RETRY,
                o -> new WorkflowEvent.WorkflowStepRetry(
                        o,
                        call.path(),
                        call.callId(),
                        call.step(),
                        retried.attempt(),
                        retried.error(),
                        between(retried.at(), retried.next())));
    }

    private void closed(Fact.CallClosed closed, WorkflowState state) {
        CallState ended = state.openCall(closed.callId());
        if (ended.isSleep()) {
            if (!closed.hasFailed() && ended.parked() != null) {
                resumed(ended, state);
            }
            return;
        }
        if (ended.opened() == null && ended.parked() == null) {
            return; // it never started
        }
        PlannedCall call = state.round().plannedCall(closed.callId());
        @Nullable Json output = closed.hasFailed() ? null : Round.outputOf(ended);
        events.emit(
                state.stepNumber(),
                Slot.WORKFLOW_STEP_RESULT,
                o -> new WorkflowEvent.WorkflowStepResult(
                        o,
                        call.path(),
                        call.callId(),
                        call.step(),
                        output,
                        closed.error(),
                        ended.durationUntil(closed.at())));
    }

    private void finished(StopReason reason, WorkflowState state) {
        events.emit(
                state.stepNumber(),
                Slot.WORKFLOW_FINISH,
                o -> new WorkflowEvent.WorkflowFinish(
                        o, reason.status(), reason, state.output().orElse(null), state.shared()));
    }

    private static Duration between(Instant from, Instant to) {
        return to.isBefore(from) ? Duration.ZERO : Duration.between(from, to);
    }
}
