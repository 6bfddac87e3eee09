package dev.chargehand.internal.agent.network;

import dev.chargehand.internal.agent.AgentStages;
import dev.chargehand.internal.agent.AnswerStage;
import dev.chargehand.internal.agent.AnswerStages;
import dev.chargehand.internal.agent.ComposeStage;
import dev.chargehand.internal.agent.DecideStage;
import dev.chargehand.internal.scope.Hooks;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.ConversationState;

/** The stages of a network's run: its router decides what is called. The one answer after a last stop is an agent's. */
public final class NetworkStages implements AnswerStages {

    private final ComposeStage compose;
    private final RouterStage router;
    private final DecideStage decide;
    private final AnswerStages lastAnswer;

    public NetworkStages(RunScope run) {
        Hooks hooks = new Hooks(run);
        this.compose = new ComposeStage(run, hooks, new RouterRequest(run));
        this.router = new RouterStage(run);
        this.decide = new DecideStage(run, hooks, new NetworkGateRules(run));
        this.lastAnswer = new AgentStages(run);
    }

    @Override
    public ComposeStage request(ConversationState state) {
        return state.lastStop().isPresent() ? lastAnswer.request(state) : compose;
    }

    @Override
    public AnswerStage answer(ConversationState state) {
        return state.lastStop().isPresent() ? lastAnswer.answer(state) : router;
    }

    @Override
    public DecideStage decision() {
        return decide;
    }
}
