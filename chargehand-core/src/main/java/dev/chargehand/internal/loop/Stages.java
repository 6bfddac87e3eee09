package dev.chargehand.internal.loop;

import dev.chargehand.internal.fact.CallState;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.State;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The five stages of a run, in order. Each takes the state and returns a request or facts, and touches nothing else. */
final class Stages {

    private final Compose compose;
    private final Ask ask;
    private final Open open;
    private final Act act;
    private final Decide decide;

    Stages(RunScope run, Hooks hooks) {
        this.compose = new Compose(run, hooks);
        this.ask = new Ask(run);
        this.open = new Open(run, hooks);
        this.act = new Act(run);
        this.decide = new Decide(run, hooks);
    }

    StepRequest compose(State state) {
        return compose.compose(state);
    }

    List<Fact> ask(State state, StepRequest request) {
        return ask.ask(state, request);
    }

    boolean openingAsksOutside(List<CallState> calls) {
        return open.asksOutside(calls);
    }

    Fact open(State state, CallState call) {
        return open.open(state, call);
    }

    Supplier<Optional<Fact>> act(State state, CallState call, Siblings siblings) {
        return act.begin(state, call, siblings);
    }

    Fact.CallClosed supersede(CallState call) {
        return act.supersede(call);
    }

    boolean decidingAsksOutside(State state) {
        return decide.asksOutside(state);
    }

    List<Fact> decide(State state, Consumer<List<String>> onScoring) {
        return decide.decide(state, onScoring);
    }
}
