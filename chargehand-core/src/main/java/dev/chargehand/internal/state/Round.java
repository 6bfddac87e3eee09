package dev.chargehand.internal.state;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RequestedCall;
import dev.chargehand.internal.fact.RoundFact;
import dev.chargehand.internal.fact.RoundFact.PlannedCall;
import dev.chargehand.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A round of a workflow: one execution of an entry. Immutable.
 *
 * @param planned what it calls
 * @param stepCalls where its calls stand, in the order of the plan
 * @param closed how it ended, or null if it is not over, or was cut short
 */
public record Round(RoundFact.Planned planned, StepCalls stepCalls, RoundFact.@Nullable RoundClosed closed) {

    static Round of(RoundFact.Planned planned) {
        List<CallState> calls = planned.calls().stream()
                .map(call -> CallState.of(new RequestedCall(call.callId(), null, call.step(), call.input())))
                .toList();
        return new Round(planned, StepCalls.of(calls), null);
    }

    Round with(StepCalls changed) {
        return new Round(planned, changed, closed);
    }

    Round over(RoundFact.RoundClosed end) {
        return new Round(planned, stepCalls, end);
    }

    /** Return where its calls stand, in the order of the plan. */
    public List<CallState> calls() {
        return stepCalls;
    }

    /** Return how many calls of the plan stand before a call. */
    public int place(String callId) {
        return stepCalls.place(callId);
    }

    /** Return the plan of one of its calls. */
    public PlannedCall plannedCall(String callId) {
        return planned.calls().get(place(callId));
    }

    /** Return the index of the item that a call is for, or -1 if its entry calls steps once. */
    public int item(String callId) {
        PlannedCall call = plannedCall(callId);
        return call.path().equals(call.step()) ? -1 : place(callId);
    }

    /** Return what its entry gave, once it is over. */
    public Json output() {
        if (closed == null) {
            throw new IllegalStateException("Round " + planned.round() + " is not over.");
        }
        return closed.output() == null ? outputOf(stepCalls.getFirst()) : Json.parse(closed.output());
    }

    /** Return what a call gave that is over and has not failed. */
    public static Json outputOf(CallState call) {
        Fact.CallClosed end = call.closed();
        return end == null || end.output() == null ? Json.of(null) : end.output();
    }
}
