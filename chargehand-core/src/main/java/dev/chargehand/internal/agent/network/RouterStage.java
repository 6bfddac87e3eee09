package dev.chargehand.internal.agent.network;

import dev.chargehand.internal.agent.AnswerStage;
import dev.chargehand.internal.agent.model.AnswerFacts;
import dev.chargehand.internal.agent.model.ModelFailedException;
import dev.chargehand.internal.agent.model.StepRequest;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.ConversationState;
import java.util.List;

/**
 * Second stage of a network: gets the router's decision. A decision is not emitted as text: processors look at the input
 * before it, and at the result.
 */
final class RouterStage implements AnswerStage {

    private final RunScope run;
    private final AnswerFacts facts;

    RouterStage(RunScope run) {
        this.run = run;
        this.facts = new AnswerFacts(run);
    }

    /**
     * Return the decision, or why the run ends without it.
     *
     * @throws ModelFailedException if no model answered
     */
    @Override
    public List<Fact> ask(ConversationState state, StepRequest request) {
        Spending judged = request.processing().spent();
        if (request.trip() != null) {
            return facts.tripped(state.stepNumber(), request.trip(), judged);
        }
        return switch (new RouterCaller(run, state, request).decide()) {
            case Fact.Answered answered -> facts.accepted(answered, request.processing());
            case Fact.Stopped stopped ->
                List.of(new Fact.Stopped(
                        stopped.reason(), stopped.partialText(), stopped.spent().plus(judged), stopped.at()));
            case Fact other -> throw new IllegalStateException("A router decides, or ends the run: " + other);
        };
    }
}
