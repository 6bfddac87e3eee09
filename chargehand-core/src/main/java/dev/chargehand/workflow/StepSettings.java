package dev.chargehand.workflow;

import dev.chargehand.json.JsonSchema;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a step is executed. Immutable.
 *
 * @param timeout the limit of an attempt, or null for that of tools
 * @param question the schema of what it may ask, or null for any
 * @param answer the schema of the data that answers it, or null for any
 * @param delegate what does the work in a run of its own, for which the handler makes the input; or null
 */
record StepSettings(
        boolean repeatable,
        int retries,
        Backoff backoff,
        @Nullable Duration timeout,
        @Nullable JsonSchema question,
        @Nullable JsonSchema answer,
        boolean failsIfInterrupted,
        @Nullable Delegate delegate) {

    static final StepSettings DEFAULT =
            new StepSettings(false, 0, Backoff.exponential(Duration.ofSeconds(1)), null, null, null, false, null);

    StepSettings withRepeatable() {
        return new StepSettings(true, retries, backoff, timeout, question, answer, failsIfInterrupted, delegate);
    }

    StepSettings withRetries(int count, Backoff waits) {
        return new StepSettings(repeatable, count, waits, timeout, question, answer, failsIfInterrupted, delegate);
    }

    StepSettings withTimeout(Duration limit) {
        return new StepSettings(repeatable, retries, backoff, limit, question, answer, failsIfInterrupted, delegate);
    }

    StepSettings withQuestion(JsonSchema asked, JsonSchema given) {
        return new StepSettings(repeatable, retries, backoff, timeout, asked, given, failsIfInterrupted, delegate);
    }

    StepSettings withFailureIfInterrupted() {
        return new StepSettings(repeatable, retries, backoff, timeout, question, answer, true, delegate);
    }

    StepSettings withDelegate(Delegate value) {
        return new StepSettings(false, retries, backoff, null, null, null, false, value);
    }
}
