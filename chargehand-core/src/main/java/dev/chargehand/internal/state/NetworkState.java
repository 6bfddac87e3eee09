package dev.chargehand.internal.state;

import dev.chargehand.internal.fact.Fact;

/**
 * The state of a network's run, whose answers are decisions of its router; the one answer after a stop with feedback is
 * a text.
 */
public final class NetworkState extends ConversationState {

    NetworkState(Origin origin, Progress progress, Past past, Steps steps) {
        super(origin, progress, past, steps);
    }

    @Override
    ConversationState with(Origin same, Progress changed, Past changedPast, Steps changedSteps) {
        return new NetworkState(same, changed, changedPast, changedSteps);
    }

    /** An answer that was cut is no decision. */
    @Override
    StepState opened(Fact.Answered answered, boolean executes) {
        return executes ? RouterStep.of(answered) : ModelStep.of(answered, false);
    }

    /** A router's request lists in words what it can choose. */
    @Override
    public String kind() {
        return "network";
    }

    @Override
    public boolean offersTools() {
        return lastStop().isPresent();
    }
}
