package dev.chargehand.internal.state;

import dev.chargehand.internal.fact.Fact;

/** The state of an agent's run, whose answers are texts and calls of the model. */
public final class AgentState extends ConversationState {

    AgentState(Origin origin, Progress progress, Past past, Steps steps) {
        super(origin, progress, past, steps);
    }

    @Override
    ConversationState with(Origin same, Progress changed, Past changedPast, Steps changedSteps) {
        return new AgentState(same, changed, changedPast, changedSteps);
    }

    @Override
    StepState opened(Fact.Answered answered, boolean executes) {
        return ModelStep.of(answered, executes);
    }

    @Override
    public String kind() {
        return "agent";
    }

    @Override
    public boolean offersTools() {
        return true;
    }
}
