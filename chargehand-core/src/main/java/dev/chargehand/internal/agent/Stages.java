package dev.chargehand.internal.agent;

import dev.chargehand.internal.state.State;

/**
 * The stages in which kinds of run differ: how a step gets its answer, and how it is decided. To open and execute calls
 * is common to all kinds.
 */
public interface Stages {

    /** Return the stage that composes the request for the next answer of a run. */
    ComposeStage request(State state);

    /** Return the stage that gets the next answer of a run. */
    AnswerStage answer(State state);

    /** Return the stage that decides whether a run continues. */
    DecideStage decision();
}
