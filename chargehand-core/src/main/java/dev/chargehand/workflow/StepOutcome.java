package dev.chargehand.workflow;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.json.Json;
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
 */
@Experimental
public record StepOutcome(
        String path, String stepId, Json input, Optional<Json> output, Optional<String> error, int attempts) {}
