package dev.chargehand.workflow;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How a call of a step ended.
 *
 * <p>Immutable and thread-safe.
 *
 * @param path where the step stands, such as {@code check} or {@code notify[3]}; a loop has it once for each iteration
 * @param stepId the id of the step
 * @param input what it received
 * @param output what it gave; empty if it failed
 * @param error what went wrong; empty if nothing did
 * @param attempts how often it was attempted, from 1
 * @param times when its last attempt was made
 */
@Experimental
public record StepOutcome(
        String path,
        String stepId,
        Json input,
        Optional<Json> output,
        Optional<String> error,
        int attempts,
        Times times) {

    /** How a call ended. */
    public enum Status {
        /** It has an output. */
        COMPLETED,
        /** It has an error: it failed, was rejected, or was not executed since another call had failed. */
        FAILED
    }

    /**
     * When the last attempt of a call was made, by the clock of its process.
     *
     * @param startedAt when it was started; for a call that was never executed, when it ended
     * @param endedAt when its end was stored
     */
    public record Times(Instant startedAt, Instant endedAt) {

        /** Return how long the attempt took; zero if the clock was set back meanwhile. */
        public Duration duration() {
            return endedAt.isBefore(startedAt) ? Duration.ZERO : Duration.between(startedAt, endedAt);
        }
    }

    /** Return how the call ended. */
    public Status status() {
        return error.isPresent() ? Status.FAILED : Status.COMPLETED;
    }
}
