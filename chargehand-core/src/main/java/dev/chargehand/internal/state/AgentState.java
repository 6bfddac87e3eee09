package dev.chargehand.internal.state;

import dev.chargehand.internal.fact.Fact;

/** The state of an agent's run, whose answers are texts and calls of the model. */
public final class AgentState extends State {

    AgentState(Origin origin, Progress progress, Steps steps) {
        super(origin, progress, steps);
    }

    @Override
    State with(Origin same, Progress changed, Steps changedSteps) {
        return new AgentState(same, changed, changedSteps);
    }

    @Override
    StepState begun(Fact.Answered answered, boolean executes) {
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
