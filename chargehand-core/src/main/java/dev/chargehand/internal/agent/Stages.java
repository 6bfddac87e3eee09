package dev.chargehand.internal.agent;

import dev.chargehand.internal.agent.act.CallExecutor;
import dev.chargehand.internal.agent.act.CallOpener;
import dev.chargehand.internal.agent.act.CallRules;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.state.State;
import java.util.List;

/**
 * The stages in which kinds of run differ: what is called next, whether and how a call is executed, and what follows once all
 * calls are over. To execute calls side by side, to wait for answers and to end is common to all kinds.
 */
public interface Stages {

    /** The run that is being advanced. Used by its own thread only. */
    interface Work {

        /** Return its journal. */
        Journal journal();

        /** Store the added facts and emit them. */
        void record();

        /** Store the added facts unless a delivery to the run must be read first; returns whether they are stored. */
        boolean recordUnlessDelivered();
    }

    /**
     * Return what is called first, with its intents, if no code of the application decides it: that is stored with the start of the run.
     *
     * @param state the run when it has just started
     */
    default List<Fact> first(State state) {
        return List.of();
    }

    /** Add the facts of what is called next: the answer of a model, for example. */
    void ask(Work work);

    /** Return what decides whether a call may be executed. */
    CallOpener opener();

    /** Return what executes a call. */
    CallExecutor executor();

    /** Return how the calls of what is open depend on each other. */
    CallRules rules(State state);

    /**
     * Add and store what follows on the calls that are over. The ends of the last of them may be added and not stored yet: they are
     * stored before code of the application is called, and before anything that a store may reject.
     */
    void decide(Work work);
}
