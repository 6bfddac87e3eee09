package dev.chargehand.internal.agent.network;

import dev.chargehand.internal.agent.AgentStages;
import dev.chargehand.internal.agent.ComposeStage;
import dev.chargehand.internal.agent.DecideStage;
import dev.chargehand.internal.agent.Stages;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.scope.Hooks;
import dev.chargehand.internal.scope.RunScope;
import dev.chargehand.internal.state.State;
import java.util.List;
import java.util.function.Consumer;

/** The stages of a network's run: its router decides what is called. The one answer after a last stop is an agent's. */
public final class NetworkStages implements Stages {

    private final ComposeStage compose;
    private final RouterStage router;
    private final DecideStage decide;
    private final Stages lastAnswer;

    public NetworkStages(RunScope run) {
        Hooks hooks = new Hooks(run);
        this.compose = new ComposeStage(run, hooks, new RouterRequest(run));
        this.router = new RouterStage(run);
        this.decide = new DecideStage(run, hooks, new NetworkGateRules(run));
        this.lastAnswer = new AgentStages(run);
    }

    @Override
    public List<Fact> ask(State state) {
        return state.lastStop().isPresent() ? lastAnswer.ask(state) : router.ask(state, compose.compose(state));
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
