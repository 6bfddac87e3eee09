package dev.chargehand.internal.fact;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A step whose answer is there.
 *
 * @param answered the answer
 * @param calls its calls, in the answer's order
 * @param closedAt when the step was over, or null if it is not
 */
public record StepState(
        Fact.Answered answered,
        List<CallState> calls,
        @Nullable Instant closedAt) {

    public StepState {
        calls = List.copyOf(calls);
    }

    static StepState of(Fact.Answered answered) {
        boolean whole = answered.finish().isComplete();
        return new StepState(
                answered,
                whole
                        ? answered.calls().stream()
                                .map(call -> new CallState(call, null, null))
                                .toList()
                        : List.of(),
                null);
    }

    /** Returns the number of the step, from 1. */
    public int number() {
        return answered.step();
    }

    /** Returns a call by its id. */
    public CallState call(String callId) {
        return calls.stream()
                .filter(call -> call.callId().equals(callId))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("Step " + number() + " has no call " + callId + "."));
    }

    /** Tells whether every call is over. */
    public boolean isSettled() {
        return calls.stream().allMatch(CallState::isClosed);
    }

    StepState opened(Fact.CallOpened fact) {
        return with(fact.callId(), call -> new CallState(call.call(), fact, null));
    }

    StepState closed(Fact.CallClosed fact) {
        return with(fact.callId(), call -> new CallState(call.call(), call.opened(), fact));
    }

    StepState over(Instant at) {
        return new StepState(answered, calls, at);
    }

    private StepState with(String callId, UnaryOperator<CallState> change) {
        List<CallState> changed = new ArrayList<>(calls);
        changed.replaceAll(call -> call.callId().equals(callId) ? change.apply(call) : call);
        return new StepState(answered, changed, closedAt);
    }
}
