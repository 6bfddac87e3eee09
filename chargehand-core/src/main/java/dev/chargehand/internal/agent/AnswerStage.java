package dev.chargehand.internal.agent;

import dev.chargehand.internal.agent.model.StepRequest;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.state.ConversationState;
import java.util.List;

/** Second stage: gets the answer to the request of a step. */
@FunctionalInterface
public interface AnswerStage {

    /**
     * Get the answer to the next step: what was answered, why the run ends without an answer, or why the model is to
     * answer again.
     *
     * @throws dev.chargehand.internal.agent.model.ModelFailedException if no model answered
     * @throws dev.chargehand.internal.agent.model.ProcessingFailedException if a processor failed
     */
    List<Fact> ask(ConversationState state, StepRequest request);
}
