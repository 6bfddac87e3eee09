package dev.chargehand.internal.agent;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.scope.Hooks;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.State;
import java.util.List;
import java.util.function.Consumer;

/** The stages of an agent's run: its model answers with texts and calls. */
public final class AgentStages implements Stages {

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
    public List<Fact> ask(State state) {
        return ask.ask(state, compose.compose(state));
    }

    @Override
    public boolean decidesOutside(State state) {
        return decide.asksOutside(state);
    }

    @Override
    public List<Fact> decide(State state, Consumer<List<String>> onScoring) {
        return decide.decide(state, onScoring);
    }
}
