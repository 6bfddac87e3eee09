package dev.chargehand.internal.agent;

import dev.chargehand.completion.Completion;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.StepState;
import java.util.Optional;
import java.util.function.Supplier;

/** The rules of the gate in which kinds of run differ. */
public interface GateRules {

    /** Return whether a step is scored. */
    boolean isScored(StepState step);

    /** Return the scoring of the open step, which is scored. */
    Scoring scoring(ConversationState state);

    /** Return what the feedback after a failed scoring requests. */
    String requestAfterScoring(StepState step);

    /** Return how many answers in a row that do not fit the schema of the object are followed by one more answer. */
    int acceptedMisfits();

    /**
     * Return the request for an object, instead of a text.
     *
     * @param problem why the text is none
     */
    String requestForObject(StepState step, String problem);

    /**
     * The scoring of a step.
     *
     * @param completion the scorers
     * @param answer returns the answer that the scorers found, if it is not the step's own text
     */
    record Scoring(Completion completion, Supplier<Optional<String>> answer) {}
}
