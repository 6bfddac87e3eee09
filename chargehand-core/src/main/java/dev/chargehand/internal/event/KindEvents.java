package dev.chargehand.internal.event;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.state.State;
import dev.chargehand.run.StopReason;

/** Reports the facts in which kinds of run differ. Used by the run's own thread only. */
public interface KindEvents {

    /** Continue a run whose earlier events were emitted elsewhere; the start of an open step was emitted before. */
    void continueAt(State state);

    /** Report what comes before a fact that was not reported as it happened. */
    void catchUp(Fact fact);

    /** Report the whole text that a fact holds, which was not reported as it arrived. */
    void wholeText(Fact fact, State after);

    /** Report a stored fact. */
    void narrate(Fact fact, State after);

    /** Remember what is needed if a reader comes later; there is no reader now. */
    void note(Fact fact, State after);

    /** Report that the run is over, and neither failed nor was cancelled. */
    void runOver(State after, StopReason reason);
}
