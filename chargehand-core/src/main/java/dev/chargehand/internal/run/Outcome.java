package dev.chargehand.internal.run;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.internal.fact.State;
import dev.chargehand.run.StopReason;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended in this process.
 *
 * @param state the state it ended in
 * @param cause what made it fail, or null
 */
record Outcome(State state, @Nullable Throwable cause) {

    /** Returns the result, or throws it as the failure that it is. */
    RunResult resultOrThrow() {
        RunResult result = Results.of(state);
        if (result.stopReason() instanceof StopReason.Failed failed) {
            throw new RunFailedException(result, failed, cause);
        }
        return result;
    }
}
