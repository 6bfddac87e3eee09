package dev.chargehand.server.internal.wire;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Holds the events of a run back until an answer that a request has given: a client that answers has received what was before. Used by one
 * thread.
 */
public final class AnswerGate {

    private record CallOfRun(String run, String call) {}

    private final Map<CallOfRun, Integer> left = new HashMap<>();
    private boolean open;

    /** Make a gate that one of some answers opens; without answers it is open. */
    public AnswerGate(List<PendingApproval> answered) {
        open = answered.isEmpty();
        answered.forEach(call -> left.put(new CallOfRun(call.runId().value(), call.callId()), call.waitNumber()));
    }

    /** Return whether events are sent. */
    public boolean isOpen() {
        return open;
    }

    /** Return whether an event opens the gate. */
    public boolean opens(RunEvent event) {
        if (open || !(event instanceof RunEvent.ToolCallAnswered answer)) {
            return false;
        }
        Integer waits = left.computeIfPresent(
                new CallOfRun(answer.runId().value(), answer.callId()), (call, number) -> number - 1);
        open = waits != null && waits == 0;
        return open;
    }
}
