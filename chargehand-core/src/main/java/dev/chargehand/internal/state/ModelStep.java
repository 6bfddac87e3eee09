package dev.chargehand.internal.state;

import dev.chargehand.internal.fact.Fact;

/** A step whose answer is the model's own: its text, and the calls that the model makes. */
public final class ModelStep extends StepState {

    private ModelStep(Parts parts) {
        super(parts);
    }

    static ModelStep of(Fact.Answered answered, boolean executes) {
        return new ModelStep(Parts.of(answered, executes));
    }

    @Override
    StepState with(Parts parts) {
        return new ModelStep(parts);
    }

    @Override
    String ownText() {
        return answered().text();
    }

    @Override
    boolean isPassedForBail() {
        String passed = answer();
        return passed != null && !passed.isEmpty() && bails() > 0;
    }

    @Override
    public String selectionReason() {
        return "";
    }

    @Override
    String spokenText() {
        return text();
    }

    @Override
    String finalResult() {
        return "";
    }
}
