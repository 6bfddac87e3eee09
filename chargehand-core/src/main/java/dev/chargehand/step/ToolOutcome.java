package dev.chargehand.step;

import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a tool call ended, as application code sees it.
 *
 * @param callId our id of the call
 * @param toolName the tool's name
 * @param arguments what the model wrote, JSON or not
 * @param result the whole result, or null if the call failed
 * @param failure what the model received of the failure, or null; after an exception it has the error id that the log has
 * @param detail the exception that the tool threw: class, message and causes, without known secrets and bounded; null if it
 *     threw none. It is stored with the run, and no model receives it
 * @param childRunId the run of the delegation, or null for a tool
 * @param duration from the intent to the end; zero if the call was never executed
 */
public record ToolOutcome(
        String callId,
        String toolName,
        String arguments,
        @Nullable Json result,
        @Nullable String failure,
        @Nullable String detail,
        @Nullable RunId childRunId,
        Duration duration) {

    /** Creates the outcome of a call that threw nothing. */
    public ToolOutcome(
            String callId,
            String toolName,
            String arguments,
            @Nullable Json result,
            @Nullable String failure,
            @Nullable RunId childRunId,
            Duration duration) {
        this(callId, toolName, arguments, result, failure, null, childRunId, duration);
    }

    /** Returns the whole result, if the call did not fail. */
    public Optional<Json> output() {
        return Optional.ofNullable(result);
    }

    /** Returns what the model was told of the failure, if the call failed. */
    public Optional<String> error() {
        return Optional.ofNullable(failure);
    }
}
