package dev.chargehand.server.internal.wire;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.run.RunId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Holds the events of a run back until an answer that a request has given: a client that answers has received what was before. A run that waits
 * again before it has carried out all of these answers continues by itself. Used by one thread.
 */
public final class AnswerGate {

    private record CallOfRun(String run, String call) {}

    private final Map<CallOfRun, Integer> left = new HashMap<>();
    private final Set<RunId> roots;
    private boolean open;

    /** Make a gate that one of some answers opens; without answers it is open. */
    public AnswerGate(List<PendingApproval> answered) {
        open = answered.isEmpty();
        roots = answered.stream().map(PendingApproval::rootRunId).collect(Collectors.toSet());
        answered.forEach(call -> left.put(new CallOfRun(call.runId().value(), call.callId()), call.waitNumber()));
    }

    /** Return whether events are sent. */
    public boolean isOpen() {
        return open;
    }

    /** Return whether an event opens the gate. This is called with each event, also when the gate is open. */
    public boolean opens(RunEvent event) {
        String callId =
                switch (event) {
                    case RunEvent.ToolCallAnswered answer -> answer.callId();
                    case WorkflowEvent.WorkflowStepResumed step -> step.callId();
                    case WorkflowEvent.WorkflowStepResult declined ->
                        declined.callId(); // one that was resumed is not left
                    default -> "";
                };
        CallOfRun call = new CallOfRun(event.runId().value(), callId);
        if (event instanceof RunEvent.RunFinish && roots.contains(event.runId())) {
            left.clear(); // it has ended without taking all answers, as a run does that is cancelled right after them
            boolean ended = !open;
            open = true;
            return ended;
        }
        Integer waits = left.computeIfPresent(call, (key, number) -> number - 1);
        boolean isGiven = waits != null && waits == 0;
        if (isGiven) {
            left.remove(call);
        }
        boolean opened = isGiven && !open;
        open = open || isGiven;
        return opened;
    }

    /** Return whether an event is of a run that waits, among others, for answers which the request has given. */
    public boolean skips(RunEvent event) {
        return event instanceof RunEvent.RunSuspend && open && !left.isEmpty();
    }
}
