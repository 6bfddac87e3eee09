package dev.chargehand.internal.scope;

import dev.chargehand.internal.fact.ChildLink;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.ConversationState;
import dev.chargehand.internal.state.State;
import dev.chargehand.run.Budget;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import java.util.Optional;

/** Starts the background tasks of the runs of a tree. Thread-safe. */
public interface Tasks {

    /** Whether one more task may start. */
    sealed interface Admission {}

    /**
     * It may.
     *
     * @param grant what it may use, of what is left to the run above
     */
    record Admitted(Budget grant) implements Admission {}

    /** The work is to be done by a nested run. */
    record InForeground() implements Admission {}

    /** Nothing may be started. */
    record Rejected(String reason) implements Admission {}

    /** Decide whether one more task may start, before the intent is stored. */
    Admission admit(RunScope parent, ChildLink child);

    /**
     * Return why a root run that is about to call its model for the first time ends without that: it is a turn of an until-idle call
     * that has nothing to read, or there were too many.
     */
    Optional<StopReason> endOfTurn(ConversationState state);

    /** Return to the budget of the tree what a task of it has not used, whose end a run of it has read. */
    void ended(RunId taskId);

    /** Return the places of tasks that were admitted and not started; called when the root run is left. */
    void close();

    /**
     * Store the run of an opened call as pending, unless it is stored already.
     *
     * @throws dev.chargehand.error.ConfigurationException if it cannot be started as it is
     */
    void start(RunScope parent, State state, CallState call);
}
