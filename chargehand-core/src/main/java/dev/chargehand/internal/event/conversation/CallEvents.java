package dev.chargehand.internal.event.conversation;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.approval.WaitKind;
import dev.chargehand.event.BackgroundTaskEvent;
import dev.chargehand.event.DelegatedCall;
import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.event.RunEvents;
import dev.chargehand.internal.event.Slot;
import dev.chargehand.internal.fact.CallKind;
import dev.chargehand.internal.fact.ChildEnd;
import dev.chargehand.internal.fact.ChildLink;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Refusal;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.WaitingCalls;
import dev.chargehand.json.Json;
import dev.chargehand.memory.Scope;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Reports what happened to the calls of a step. Used by the run's own thread only. */
record CallEvents(RunEvents events, StepEvents steps) {

    void opened(Fact.CallOpened opened, State after) {
        ChildLink child = opened.child();
        if (child != null
                && opened.kind() == CallKind.CHILD
                && after.openCall(opened.callId()).isDelegation()) {
            events.emit(
                    after.stepNumber(),
                    Slot.DELEGATION_START,
                    o -> new RunEvent.DelegationStart(
                            o,
                            new DelegatedCall(
                                    opened.callId(),
                                    child.agentId(),
                                    child.displayName(),
                                    child.version(),
                                    child.runId()),
                            child.prompt()));
        }
    }

    void parked(Fact.CallParked parked, State after) {
        PendingApproval approval = WaitingCalls.of(after, after.openCall(parked.callId()));
        boolean data = parked.kind() == WaitKind.DATA;
        events.emit(
                after.stepNumber(),
                data ? Slot.TOOL_CALL_SUSPENDED : Slot.TOOL_CALL_APPROVAL,
                o -> data ? new RunEvent.ToolCallSuspended(o, approval) : new RunEvent.ToolCallApproval(o, approval));
    }

    void decided(Fact.CallDecided decided, State after) {
        String tool = after.openCall(decided.callId()).call().name();
        String answer = decided.answer().name().toLowerCase(Locale.ROOT);
        String from = decided.from() == null ? null : "message";
        events.emit(
                after.stepNumber(),
                Slot.TOOL_CALL_ANSWERED,
                o -> new RunEvent.ToolCallAnswered(
                        o, decided.callId(), tool, answer, decided.approver(), decided.reason(), from));
    }

    void closed(Fact.CallClosed closed, State after) {
        int step = after.stepNumber();
        CallState call = after.openCall(closed.callId());
        Duration took = call.durationUntil(closed.at());
        if (closed.refusal() != null) {
            rejected(step, call, closed.refusal());
        }
        ChildEnd child = closed.child();
        if (child != null && call.isDelegation()) {
            events.emit(
                    step,
                    Slot.DELEGATION_END,
                    o -> new RunEvent.DelegationEnd(
                            o,
                            new DelegatedCall(
                                    closed.callId(),
                                    child.agentId(),
                                    call.agentName(),
                                    call.child().version(),
                                    child.runId()),
                            child.stop(),
                            child.text(),
                            child.spent().totalUsage(),
                            took));
        }
        if (!steps.emitsCall(call)) {
            return;
        }
        String error = closed.error();
        String tool = call.call().name();
        if (error != null) {
            events.emit(
                    step,
                    Slot.TOOL_ERROR,
                    o -> new RunEvent.ToolError(o, closed.callId(), tool, error, closed.detail(), took));
        } else {
            Json output = closed.output() == null ? Json.of(null) : closed.output(); // as a null result is read back
            if (after.conversation().remembered().isEditedBy(tool)) {
                noted(step, closed.callId(), output);
            }
            events.emit(step, Slot.TOOL_RESULT, o -> new RunEvent.ToolResult(o, closed.callId(), tool, output, took));
            if (call.isTask()) {
                events.emit(
                        step,
                        Slot.BACKGROUND_TASK_STARTED,
                        o -> new BackgroundTaskEvent.BackgroundTaskStarted(
                                o,
                                call.child().runId(),
                                closed.callId(),
                                call.child().agentId()));
            }
        }
    }

    /** Versions before this one stored a sentence, of which no event is made. */
    private void noted(int step, String callId, Json output) {
        Optional<Long> revision = CallState.revisionIn(output);
        Optional<Scope> scope = output.at("/scope").flatMap(Json::string).flatMap(name -> Arrays.stream(Scope.values())
                .filter(each -> each.name().equalsIgnoreCase(name))
                .findFirst());
        if (revision.isPresent() && scope.isPresent()) {
            events.emit(
                    step,
                    Slot.WORKING_MEMORY_UPDATE,
                    o -> new RunEvent.WorkingMemoryUpdate(o, callId, revision.get(), scope.get()));
        }
    }

    private void rejected(int step, CallState call, Refusal refusal) {
        String callId = call.callId();
        String tool = call.call().name();
        String agentId = refusal.agentId();
        String agentName = refusal.agentName() == null ? String.valueOf(agentId) : refusal.agentName();
        events.emit(
                step,
                agentId == null ? Slot.TOOL_OUTPUT_DENIED : Slot.DELEGATION_REJECTED,
                o -> agentId == null
                        ? new RunEvent.ToolOutputDenied(o, callId, tool, refusal.reason())
                        : new RunEvent.DelegationRejected(o, callId, agentId, agentName, refusal.reason()));
    }
}
