package dev.chargehand.step;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a tool call, as application code receives it.
 *
 * <p>{@link #succeeded} and {@link #failed} make one for a test of code that reads steps. Immutable; every method with
 * an argument returns a changed copy. Two outcomes are equal if all their values are.
 */
public final class ToolOutcome {
    private final Call call;
    private final @Nullable Json output;
    private final @Nullable String error;
    private final @Nullable String detail;
    private final @Nullable RunId childRunId;
    private final @Nullable DelegationOutcome delegation;
    private final Duration duration;

    private ToolOutcome(
            Call call,
            @Nullable Json output,
            @Nullable String error,
            @Nullable String detail,
            @Nullable RunId childRunId,
            @Nullable DelegationOutcome delegation,
            Duration duration) {
        this.call = call;
        this.output = output;
        this.error = error;
        this.detail = detail;
        this.childRunId = childRunId;
        this.delegation = delegation;
        this.duration = duration;
    }

    private record Call(String callId, String toolName, String arguments) {}

    /** Create the outcome of a call that returned a result. */
    public static ToolOutcome succeeded(String callId, String toolName, String arguments, Json output) {
        return new ToolOutcome(new Call(callId, toolName, arguments), output, null, null, null, null, Duration.ZERO);
    }

    /** Create the outcome of a call that failed, with the error that the model receives. */
    public static ToolOutcome failed(String callId, String toolName, String arguments, String error) {
        return new ToolOutcome(new Call(callId, toolName, arguments), null, error, null, null, null, Duration.ZERO);
    }

    /** Create the outcome of a call that had not ended when its run did. */
    public static ToolOutcome unfinished(String callId, String toolName, String arguments) {
        return new ToolOutcome(new Call(callId, toolName, arguments), null, null, null, null, null, Duration.ZERO);
    }

    /** Return our id of the call. */
    public String callId() {
        return call.callId();
    }

    /** Return the tool's name. */
    public String toolName() {
        return call.toolName();
    }

    /** Return what the model wrote, JSON or not. */
    public String arguments() {
        return call.arguments();
    }

    /** Return the whole result; empty if the call failed, or had not ended when its run did. */
    public Optional<Json> output() {
        return Optional.ofNullable(output);
    }

    /**
     * Return the error that the model received; empty if the call did not fail. After an exception it has the error id
     * that the log has.
     */
    public Optional<String> error() {
        return Optional.ofNullable(error);
    }

    /**
     * Return the exception that the tool threw: class, message and causes, without known secrets and bounded; empty if
     * it threw none. It is stored with the run, and no model receives it.
     */
    public Optional<String> detail() {
        return Optional.ofNullable(detail);
    }

    /** Return the run of the delegation; empty for a tool. */
    public Optional<RunId> childRunId() {
        return Optional.ofNullable(childRunId);
    }

    /** Return the end of the delegation; empty for a tool, and for a delegation that has not ended. */
    public Optional<DelegationOutcome> delegation() {
        return Optional.ofNullable(delegation);
    }

    /** Return the time from the intent to the end; zero if the call was never executed. */
    public Duration duration() {
        return duration;
    }

    /** Return this outcome with the exception that the tool threw; null for none. */
    @CheckReturnValue
    public ToolOutcome detail(@Nullable String value) {
        return new ToolOutcome(call, output, error, value, childRunId, delegation, duration);
    }

    /** Return this outcome as that of a delegation; null for a tool. */
    @CheckReturnValue
    public ToolOutcome childRunId(@Nullable RunId value) {
        return new ToolOutcome(call, output, error, detail, value, delegation, duration);
    }

    /** Return this outcome with the end of the delegation. */
    @CheckReturnValue
    public ToolOutcome delegation(DelegationOutcome value) {
        return new ToolOutcome(call, output, error, detail, value.runId(), value, duration);
    }

    /** Return this outcome with the time that the call took. */
    @CheckReturnValue
    public ToolOutcome duration(Duration value) {
        return new ToolOutcome(call, output, error, detail, childRunId, delegation, value);
    }

    private List<@Nullable Object> all() {
        return Arrays.asList(
                call.callId(),
                call.toolName(),
                call.arguments(),
                output,
                error,
                detail,
                childRunId,
                delegation,
                duration);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ToolOutcome outcome && all().equals(outcome.all());
    }

    @Override
    public int hashCode() {
        return all().hashCode();
    }

    @Override
    public String toString() {
        return "ToolOutcome" + all();
    }
}
