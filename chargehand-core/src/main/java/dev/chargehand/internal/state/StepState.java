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
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A step whose answer exists. The subtypes hold the differences between a model's own answer and a router's decision. */
public abstract sealed class StepState permits ModelStep, RouterStep {

    private final Parts parts;

    /** Derived once, since a step never changes; two threads that derive it at once derive the same. */
    private @Nullable List<Message> messages;

    StepState(Parts parts) {
        this.parts = parts;
    }

    /**
     * What every step has.
     *
     * @param answered the answer
     * @param calls its calls, in the answer's order; none if they are not to be executed
     * @param closed how the step was decided, or null if it was not, or not to its end
     * @param closedAt when the step was over, or null if it is not
     * @param withheld whether processors pass the text only when the step is decided
     * @param answer the text that processors passed instead, or null
     * @param said what was said to the run after the step
     */
    record Parts(
            Fact.Answered answered,
            StepCalls calls,
            Fact.@Nullable StepClosed closed,
            @Nullable Instant closedAt,
            boolean withheld,
            @Nullable String answer,
            List<Message> said) {

        Parts {
            said = List.copyOf(said);
        }

        static Parts of(Fact.Answered answered, boolean executes) {
            StepCalls calls = executes ? requested(answered) : StepCalls.NONE;
            return new Parts(answered, calls, null, null, false, null, List.of());
        }

        private static StepCalls requested(Fact.Answered answered) {
            List<CallState> calls = new ArrayList<>();
            for (RequestedCall call : answered.calls()) {
                calls.add(CallState.of(call));
            }
            return StepCalls.of(calls);
        }
    }

    /** Return whether the calls of an answer are executed; they are not if it was cut, or was to be the last. */
    static boolean executes(Fact.Answered answered, boolean last) {
        return answered.finish().isComplete() && !last;
    }

    abstract StepState with(Parts changed);

    /**
     * Return what a step that is over adds to the conversation of its run.
     *
     * @param derived derives it, when it is asked for the first time
     */
    List<Message> messages(Function<StepState, List<Message>> derived) {
        List<Message> known = messages;
        if (known == null) {
            known = List.copyOf(derived.apply(this));
            messages = known;
        }
        return known;
    }

    /** Return the text of the step if processors pass it as it is. */
    abstract String ownText();

    /**
     * Return why a router chose what it did; empty if it was no router's step, or its own answer does not pass as it
     * is.
     */
    public abstract String selectionReason();

    /** Return the text of the message that holds the answer. */
    abstract String spokenText();

    /** Return the text of the step that is a message to the user of its own, after the results; empty if there is none. */
    abstract String finalResult();

    /** Return the answer. */
    public Fact.Answered answered() {
        return parts.answered;
    }

    /** Return its calls, in the answer's order; none if they are not to be executed. */
    public List<CallState> calls() {
        return parts.calls;
    }

    /** Return its calls, with what is known of all of them. */
    StepCalls stepCalls() {
        return parts.calls;
    }

    /** Return how the step was decided, or null if it was not, or not to its end. */
    public Fact.@Nullable StepClosed closed() {
        return parts.closed;
    }

    /** Return whether processors pass the text only when the step is decided. */
    public boolean withheld() {
        return parts.withheld;
    }

    /** Return the text that processors passed instead, or null. */
    public @Nullable String answer() {
        return parts.answer;
    }

    /** Return what was said to the run after the step. */
    public List<Message> said() {
        return parts.said;
    }

    /** Return the number of the step, from 1. */
    public int number() {
        return parts.answered.step();
    }

    /**
     * Return what the step says, as far as processors let it pass. While the step is open, hooks and scorers see it as
     * it is; a step that is cut short while its text is withheld has none.
     */
    public String text() {
        if (parts.answer != null && !isPassedForBail()) {
            return parts.answer;
        }
        return isCutShort() ? "" : ownText();
    }

    /** Return what the model showed of its reasoning, unless the text does not pass as it is. */
    public String reasoning() {
        return passesAsItIs() ? parts.answered.reasoning() : "";
    }

    /**
     * Return what the provider wants back with the reasoning, or null if there is nothing, or the text does not pass.
     */
    public @Nullable String providerState() {
        return passesAsItIs() ? parts.answered.providerState() : null;
    }

    /** Return whether the text is what was answered, and neither replaced nor withheld for good. */
    boolean passesAsItIs() {
        return (parts.answer == null || isPassedForBail()) && !isCutShort();
    }

    /** Return whether the text that processors passed is that of a delegation that bailed, and not the step's own. */
    boolean isPassedForBail() {
        return false;
    }

    private boolean isCutShort() {
        return parts.withheld && parts.closed == null && parts.closedAt != null;
    }

    /** Return a call by its id. */
    public CallState call(String callId) {
        int place = place(callId);
        if (place < 0) {
            throw new IllegalStateException("Step " + number() + " has no call " + callId + ".");
        }
        return parts.calls.get(place);
    }

    /** Return how many calls of the answer stand before a call, or -1 if there is no such call. */
    public int place(String callId) {
        return parts.calls.place(callId);
    }

    /** Return whether every call is over. */
    public boolean isSettled() {
        return parts.calls.areOver();
    }

    /** Return whether the step may be the run's last: its answer is complete and calls nothing. */
    public boolean isCandidate() {
        return parts.calls.isEmpty() && parts.answered.finish().isComplete();
    }

    /** Return the delegation whose text becomes the run's answer, if one bailed. */
    public Optional<CallState> bailed(BailStrategy strategy) {
        if (bails() == 0) {
            return Optional.empty();
        }
        Comparator<CallState> byTime = Comparator.comparing(StepState::bailOf);
        return parts.calls.stream()
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
        return subAgentsInvoked(parts.calls.stream());
    }

    static List<String> subAgentsInvoked(Stream<CallState> calls) {
        return calls.filter(CallState::isDelegation)
                .map(CallState::opened)
                .filter(Objects::nonNull)
                .map(Fact.CallOpened::child)
                .filter(Objects::nonNull)
                .map(ChildLink::agentId)
                .distinct()
                .toList();
    }

    /** Return how many delegations of the step have bailed. */
    public int bails() {
        return parts.calls.bails();
    }

    /** Return the open step with other states of its calls. */
    StepState with(StepCalls changed) {
        return with(new Parts(
                parts.answered, changed, parts.closed, parts.closedAt, parts.withheld, parts.answer, parts.said));
    }

    StepState processed(Fact.Processed fact) {
        String passes = fact.answer() == null ? parts.answer : fact.answer();
        return with(new Parts(
                parts.answered,
                parts.calls,
                parts.closed,
                parts.closedAt,
                parts.withheld || fact.withheld(),
                passes,
                parts.said));
    }

    StepState over(Fact.@Nullable StepClosed decided, Instant at) {
        return with(new Parts(parts.answered, parts.calls, decided, at, parts.withheld, parts.answer, List.of()));
    }

    StepState followedBy(Fact.Said fact) {
        return with(new Parts(
                parts.answered,
                parts.calls,
                parts.closed,
                parts.closedAt,
                parts.withheld,
                parts.answer,
                Stream.concat(parts.said.stream(), fact.messages().stream()).toList()));
    }
}
