package dev.chargehand.internal.state;

import dev.chargehand.internal.fact.ChildLink;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RequestedCall;
import dev.chargehand.message.Message;
import dev.chargehand.run.BailStrategy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A step whose answer exists.
 *
 * @param answered the answer
 * @param decision what the answer decides if it is that of a router, or null
 * @param calls its calls, in the answer's order; none if they are not to be executed
 * @param closed how the step was decided, or null if it was not, or not to its end
 * @param closedAt when the step was over, or null if it is not
 * @param withheld whether processors pass the text only when the step is decided
 * @param answer the text that processors passed instead, or null
 * @param said what was said to the run after the step
 */
public record StepState(
        Fact.Answered answered,
        @Nullable RoutingDecision decision,
        List<CallState> calls,
        Fact.@Nullable StepClosed closed,
        @Nullable Instant closedAt,
        boolean withheld,
        @Nullable String answer,
        List<Message> said) {

    public StepState {
        calls = StepCalls.of(calls);
        said = List.copyOf(said);
    }

    /**
     * Start a step. The calls of an answer that was cut, or that was to be the last, are not to be executed.
     *
     * @param last whether the answer is the run's last
     * @param routed whether the answer is that of a router
     */
    static StepState of(Fact.Answered answered, boolean last, boolean routed) {
        boolean executes = answered.finish().isComplete() && !last;
        return new StepState(
                answered,
                executes && routed ? RoutingDecision.stored(answered.text()) : null,
                executes ? calls(answered) : List.of(),
                null,
                null,
                false,
                null,
                List.of());
    }

    private static List<CallState> calls(Fact.Answered answered) {
        List<CallState> calls = new ArrayList<>(answered.calls().size());
        for (RequestedCall call : answered.calls()) {
            calls.add(CallState.of(call));
        }
        return calls;
    }

    /** Return the number of the step, from 1. */
    public int number() {
        return answered.step();
    }

    /**
     * Return what the step says, as far as processors let it pass: the model's text; of a router's decision, what was
     * chosen to be said of it, what the primitive gave, or the router's own answer. Empty if the primitive gave
     * nothing. While the step is open, hooks and scorers see it as it is; a step that is cut short while its text is
     * withheld has none.
     */
    public String text() {
        if (answer != null) {
            return answer;
        }
        if (isCutShort()) {
            return "";
        }
        return decision == null ? answered.text() : found(decision);
    }

    private String found(RoutingDecision decided) {
        if (closed != null && closed.answer() != null) {
            return closed.answer();
        }
        if (calls.isEmpty()) {
            return decided.prompt();
        }
        Fact.CallClosed end = calls.getFirst().closed();
        return end == null ? "" : end.text();
    }

    /** Return what the model showed of its reasoning, unless the text does not pass as it is. */
    public String reasoning() {
        return answer != null || isCutShort() ? "" : answered.reasoning();
    }

    /**
     * Return why a router chose what it did; empty if it was no router's step, or its own answer does not pass as it
     * is.
     */
    public String selectionReason() {
        if (decision == null || (decision.isAnswer() && (answer != null || isCutShort()))) {
            return "";
        }
        return decision.selectionReason();
    }

    /**
     * Return what the provider wants back with the reasoning, or null if there is nothing, or the text does not pass.
     */
    public @Nullable String providerState() {
        return answer != null || isCutShort() ? null : answered.providerState();
    }

    private boolean isCutShort() {
        return withheld && closed == null && closedAt != null;
    }

    /** Return a call by its id. */
    public CallState call(String callId) {
        int place = place(callId);
        if (place < 0) {
            throw new IllegalStateException("Step " + number() + " has no call " + callId + ".");
        }
        return calls.get(place);
    }

    /** Return how many calls of the answer stand before a call, or -1 if there is no such call. */
    public int place(String callId) {
        return StepCalls.of(calls).place(callId);
    }

    /** Return whether every call is over. */
    public boolean isSettled() {
        for (CallState call : calls) {
            if (!call.isClosed()) {
                return false;
            }
        }
        return true;
    }

    /** Return the delegation whose text becomes the run's answer, if one bailed. */
    public Optional<CallState> bailed(BailStrategy strategy) {
        if (bails() == 0) {
            return Optional.empty();
        }
        Comparator<CallState> byTime = Comparator.comparing(StepState::bailOf);
        return calls.stream()
                .filter(call -> call.closed() != null && call.closed().hasBailed())
                .min(strategy == BailStrategy.FIRST ? byTime : byTime.reversed());
    }

    private static int bailOf(CallState call) {
        Fact.CallClosed end = Objects.requireNonNull(call.closed());
        Integer place = Objects.requireNonNull(end.verdict()).bail();
        return place == null ? 0 : place;
    }

    /** Return the ids of the sub-agents that the step has called, each once, in order of their first call. */
    public List<String> subAgentsInvoked() {
        return subAgentsInvoked(calls.stream());
    }

    static List<String> subAgentsInvoked(Stream<CallState> calls) {
        return calls.map(CallState::opened)
                .filter(Objects::nonNull)
                .map(Fact.CallOpened::child)
                .filter(Objects::nonNull)
                .map(ChildLink::agentId)
                .distinct()
                .toList();
    }

    /** Return how many delegations of the step have bailed. */
    public int bails() {
        int bails = 0;
        for (CallState call : calls) {
            if (call.closed() != null && call.closed().hasBailed()) {
                bails++;
            }
        }
        return bails;
    }

    StepState opened(Fact.CallOpened fact) {
        return with(fact.callId(), call -> call.after(fact));
    }

    StepState parked(Fact.CallParked fact) {
        return with(fact.callId(), call -> call.after(fact));
    }

    StepState decided(Fact.CallDecided fact) {
        return with(fact.callId(), call -> call.after(fact));
    }

    StepState closed(Fact.CallClosed fact, @Nullable String reference) {
        return with(fact.callId(), call -> call.after(fact, reference));
    }

    StepState processed(Fact.Processed fact) {
        String passes = fact.answer() == null ? answer : fact.answer();
        return new StepState(answered, decision, calls, closed, closedAt, withheld || fact.withheld(), passes, said);
    }

    StepState over(Fact.@Nullable StepClosed decided, Instant at) {
        return new StepState(answered, decision, calls, decided, at, withheld, answer, List.of());
    }

    StepState followedBy(Fact.Said fact) {
        return new StepState(answered, decision, calls, closed, closedAt, withheld, answer, fact.messages());
    }

    private StepState with(String callId, UnaryOperator<CallState> change) {
        int place = place(callId);
        List<CallState> changed = place < 0 ? calls : StepCalls.of(calls).with(place, change.apply(calls.get(place)));
        return new StepState(answered, decision, changed, null, null, withheld, answer, List.of());
    }
}
