package dev.chargehand.internal.fact;

import dev.chargehand.json.Json;
import dev.chargehand.run.StopReason;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A fact that only the run of a workflow has. Its rounds are what the steps of an agent's run are. */
public sealed interface RoundFact extends Fact {

    /**
     * A round started: what it calls is determined by the definition and by what happened before.
     *
     * @param round its number, from 1
     * @param entry the id of the entry of the workflow
     * @param iteration how often the entry was reached without another in between, this time included, from 1
     * @param calls what it calls, in the order of the definition
     * @param skipped the ids of the steps that a condition left out
     * @param input JSON text of what the entry received, if no call has it; null if one does
     * @param given how many of the calls this run does not execute: their outputs were given by a caller, or copied from another run
     */
    record Planned(
            int round,
            String entry,
            int iteration,
            List<PlannedCall> calls,
            List<String> skipped,
            @Nullable String input,
            int given,
            Instant at)
            implements RoundFact {
        public Planned {
            Parts.require(entry, at);
            calls = List.copyOf(calls);
            skipped = List.copyOf(skipped);
        }

        /** Return how many of its calls the run executes. */
        public int executed() {
            return calls.size() - given;
        }
    }

    /**
     * An attempt of a call failed, and another one follows.
     *
     * @param attempt the number of the one that failed, from 1
     * @param error what went wrong, without secrets
     * @param next when the next one may start
     * @param child how the nested run of the attempt ended, or null if it had none
     * @param spent what the attempt used that no nested run reports
     */
    record CallRetried(
            String callId,
            int attempt,
            String error,
            Instant next,
            @Nullable ChildEnd child,
            Spending spent,
            Instant at)
            implements RoundFact {
        public CallRetried {
            Parts.require(callId, error, next, spent, at);
        }

        /** Make the fact of an attempt without a nested run. */
        public CallRetried(String callId, int attempt, String error, Instant next, Instant at) {
            this(callId, attempt, error, next, null, Spending.NOTHING, at);
        }

        /** Return the fact with the end of the nested run of the attempt. */
        public CallRetried with(ChildEnd end) {
            return new CallRetried(callId, attempt, error, next, end, spent, at);
        }

        /** Return the fact with what the attempt used itself. */
        public CallRetried with(Spending used) {
            return new CallRetried(callId, attempt, error, next, child, used, at);
        }
    }

    /**
     * A round ended.
     *
     * @param stop why the run ends with it, or null if it continues
     * @param again whether the entry is executed again
     * @param output JSON text of what the entry gave; null if it is the output of the round's only call
     */
    record RoundClosed(
            int round,
            @Nullable StopReason stop,
            boolean again,
            @Nullable String output,
            Instant at) implements RoundFact {
        public RoundClosed {
            Parts.require(at);
        }
    }

    /**
     * What the end of a call of a step adds to the run of its workflow.
     *
     * @param patch a JSON merge patch of the shared state, or null if the step did not change it
     * @param spent what the call used that no nested run reports: the judge of a scorer
     */
    record StepEffects(@Nullable Json patch, Spending spent) {
        public StepEffects {
            Parts.require(spent);
        }

        /** Make the effects of a step, or null if it has none. */
        public static @Nullable StepEffects of(@Nullable Json patch, Spending spent) {
            return patch == null && spent.isNothing() ? null : new StepEffects(patch, spent);
        }
    }

    /**
     * A call of a step of a workflow, under the id that was minted for it.
     *
     * @param path where it stands, such as {@code check} or {@code notify[3]}
     * @param step the id of the step that is executed
     * @param input JSON text
     */
    public record PlannedCall(String callId, String path, String step, String input) {
        public PlannedCall {
            Parts.require(callId, path, step, input);
        }
    }
}
