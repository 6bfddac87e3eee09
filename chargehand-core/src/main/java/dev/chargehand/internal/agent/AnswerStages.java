package dev.chargehand.internal.agent;

import dev.chargehand.internal.state.ConversationState;

/** The stages in which agents and networks differ: how a step gets its answer, and how it is decided. */
public interface AnswerStages {

    /** Return the stage that composes the request for the next answer of a run. */
    ComposeStage request(ConversationState state);

    /** Return the stage that gets the next answer of a run. */
    AnswerStage answer(ConversationState state);

    /** Return the stage that decides whether a run continues. */
    DecideStage decision();
}
