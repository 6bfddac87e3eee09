package dev.chargehand.internal.agent;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.state.State;
import java.util.List;

/** First and second stage: composes the request of a step, and gets the answer to it. */
@FunctionalInterface
public interface AnswerStage {

    /**
     * Get the answer to the next step: what was answered, why the run ends without an answer, or why the model is to
     * answer again.
     *
     * @throws dev.chargehand.internal.agent.model.ModelFailedException if no model answered
     * @throws dev.chargehand.internal.agent.model.ProcessingFailedException if a processor failed
     */
    List<Fact> ask(State state);
}
