package dev.chargehand.internal.run;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.StoreException;
import dev.chargehand.internal.fact.State;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended in this process, or that it waits.
 *
 * @param state the state it ended in
 * @param cause what made it fail, or null
 * @param pending what it and those below it wait for
 */
record Outcome(State state, @Nullable Throwable cause, List<PendingApproval> pending) {

    /** Makes the outcome of a run that does not wait. */
    static Outcome ended(State state, @Nullable Throwable cause) {
        return new Outcome(state, cause, List.of());
    }

    boolean isSuspended() {
        return state.status() == RunStatus.SUSPENDED;
    }

    /** Returns the result, or throws it as the failure that it is. */
    RunResult resultOrThrow() {
        if (isSuspended() && cause instanceof StoreException unread) {
            throw unread;
        }
        RunResult result = Results.of(state, pending);
        if (result.stopReason() instanceof StopReason.Failed failed) {
            throw new RunFailedException(result, failed, cause);
        }
        return result;
    }
}
