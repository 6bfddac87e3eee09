package dev.chargehand.internal.engine.tree;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.error.StoreException;
import dev.chargehand.internal.call.CallerContext;
import dev.chargehand.internal.call.InstrumentedCall;
import dev.chargehand.internal.scope.StepResults;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.WaitingCalls;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.spi.Outcome;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended in this process, or that it waits.
 *
 * @param state the state it ended in
 * @param cause what made it fail, or null
 * @param below what it and its descendants wait for, and what these descendants have used
 */
public record RunOutcome(State state, @Nullable Throwable cause, WaitingCalls.Below below) {

    /** Make the outcome of a run that does not wait. */
    public static RunOutcome ended(State state, @Nullable Throwable cause) {
        return new RunOutcome(state, cause, WaitingCalls.Below.NOTHING);
    }

    /** Advance a run that is instrumented, and end that. */
    static RunOutcome within(InstrumentedCall work, Supplier<RunOutcome> run) {
        try {
            RunOutcome outcome;
            try (CallerContext.Opened ignored = work.open()) {
                outcome = run.get();
            }
            work.end(outcome.observed());
            return outcome;
        } catch (RuntimeException | Error e) {
            work.end(e);
            throw e;
        }
    }

    public boolean isSuspended() {
        return state.status() == RunStatus.SUSPENDED;
    }

    /** Return how an instrumentation sees it. */
    public Outcome observed() {
        return Outcome.ofRun(state.status(), state.stopReason().orElse(null), cause);
    }

    /**
     * Return the result, or throw it as the failure that it is.
     *
     * @param steps shows its steps
     */
    public RunResult resultOrThrow(StepResults steps) {
        if (isSuspended() && cause instanceof StoreException unread) {
            throw unread;
        }
        RunResult result = RunResults.of(state, below, steps);
        if (result.stopReason() instanceof StopReason.Failed failed) {
            throw new RunFailedException(result, failed, cause);
        }
        return result;
    }
}
