package dev.chargehand.internal.agent;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.state.State;
import java.util.List;
import java.util.function.Consumer;

/**
 * The stages in which kinds of run differ: how a step gets its answer, and how it is decided. To open and execute calls
 * is common to all kinds.
 */
public interface Stages {

    /**
     * Get the answer to the next step: what was answered, why the run ends without an answer, or why the model is to
     * answer again.
     *
     * @throws dev.chargehand.internal.agent.model.ModelFailedException if no model answered
     * @throws dev.chargehand.internal.agent.model.ProcessingFailedException if a processor failed
     */
    List<Fact> ask(State state);

    /** Return whether the decision calls foreign code, which may then receive stored facts only. */
    boolean decidesOutside(State state);

    /**
     * Decide whether the run continues after the open step, whose calls are over.
     *
     * @param onScoring is called with the names of the scorers that are about to be called
     */
    List<Fact> decide(State state, Consumer<List<String>> onScoring);
}
