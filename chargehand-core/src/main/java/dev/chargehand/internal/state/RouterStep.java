package dev.chargehand.internal.state;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.state.value.RoutingDecision;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;

/**
 * A step whose answer is a router's decision, which its text contains: it calls one primitive, or is the router's own
 * answer.
 */
public final class RouterStep extends StepState {

    private final RoutingDecision decision;

    private RouterStep(Parts parts, RoutingDecision decision) {
        super(parts);
        this.decision = decision;
    }

    static RouterStep of(Fact.Answered answered) {
        return new RouterStep(Parts.of(answered, true), RoutingDecision.stored(answered.text()));
    }

    @Override
    StepState with(Parts parts) {
        return new RouterStep(parts, decision);
    }

    /** Return what the router decided. */
    public RoutingDecision decision() {
        return decision;
    }

    /** What was chosen to be the text, what the primitive returned, or the router's own answer. */
    @Override
    String ownText() {
        Fact.StepClosed closed = closed();
        if (closed != null && closed.answer() != null) {
            return closed.answer();
        }
        if (calls().isEmpty()) {
            return decision.prompt();
        }
        Fact.CallClosed end = calls().getFirst().closed();
        return end == null ? "" : end.text();
    }

    @Override
    public String selectionReason() {
        return decision.isAnswer() && !passesAsItIs() ? "" : decision.selectionReason();
    }

    @Override
    String spokenText() {
        return decision.isAnswer() ? text() : "";
    }

    /** The final answer of a network is addressed to the user, regardless of its author. */
    @Override
    String finalResult() {
        Fact.StepClosed closed = closed();
        return closed != null && !calls().isEmpty() && isFinal(closed) && !text().isBlank() ? text() : "";
    }

    private static boolean isFinal(Fact.StepClosed closed) {
        StopReason stop = closed.stop();
        return closed.answer() != null
                || (stop != null && stop.status() == RunStatus.COMPLETED && !(stop instanceof StopReason.Bailed));
    }
}
