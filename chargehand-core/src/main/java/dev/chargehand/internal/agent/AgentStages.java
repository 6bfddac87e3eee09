package dev.chargehand.internal.agent;

import dev.chargehand.internal.scope.Hooks;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.ConversationState;

/** The stages of an agent's run: its model answers with texts and calls. */
public final class AgentStages implements AnswerStages {

    private final ComposeStage compose;
    private final AskStage ask;
    private final DecideStage decide;

    public AgentStages(RunScope run) {
        Hooks hooks = new Hooks(run);
        this.compose = new ComposeStage(run, hooks, new AnswerRequest(run));
        this.ask = new AskStage(run);
        this.decide = new DecideStage(run, hooks, new AgentGateRules(run));
    }

    @Override
    public ComposeStage request(ConversationState state) {
        return compose;
    }

    @Override
    public AnswerStage answer(ConversationState state) {
        return ask;
    }

    @Override
    public DecideStage decision() {
        return decide;
    }
}
