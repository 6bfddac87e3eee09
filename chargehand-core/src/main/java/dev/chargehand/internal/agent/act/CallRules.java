package dev.chargehand.internal.agent.act;

import dev.chargehand.internal.state.CallState;
import dev.chargehand.internal.state.State;
import java.util.List;

/**
 * How the calls of a step or round depend on each other.
 *
 * @param concurrency how many are executed at once
 * @param inOrder whether a call starts only when those before it are over
 * @param onFailure what the failure of one means for the others
 */
public record CallRules(int concurrency, boolean inOrder, OnFailure onFailure) {

    /** What the failure of a call means for the others. */
    public enum OnFailure {
        /** Nothing. */
        CONTINUE,
        /** Those that have not started do not start. */
        START_NO_MORE,
        /** All others end. */
        CANCEL
    }

    /** Make the rules of calls that depend on each other in no way. */
    public static CallRules independent(int concurrency) {
        return new CallRules(concurrency, false, OnFailure.CONTINUE);
    }

    /** Return the calls about which can be decided now. */
    List<CallState> unopened(State state) {
        if (!inOrder) {
            return state.unopened();
        }
        return state.pendingCalls().stream()
                .limit(1)
                .filter(CallState::isUnopened)
                .toList();
    }

    /** Return whether nothing is left to be done for what is open but to wait. */
    public boolean isWaiting(State state) {
        return state.isWaiting()
                || (inOrder
                        && unopened(state).isEmpty()
                        && !state.pendingCalls().isEmpty());
    }

    /** Return whether a failed call ends all others. */
    public boolean isCancelled(State state) {
        return onFailure == OnFailure.CANCEL && state.failures() > 0;
    }

    /** Return whether a failed call lets no other one start. */
    boolean startsNoMore(State state) {
        return onFailure != OnFailure.CONTINUE && state.failures() > 0;
    }
}
