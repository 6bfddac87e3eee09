package dev.chargehand.tool;

import dev.chargehand.error.ChargehandException;
import org.jspecify.annotations.Nullable;

/**
 * The exception with which a tool reports to the model what went wrong; any other exception reaches the model only as
 * an error id.
 *
 * <p>The constructor of a record that is a tool's input may throw it too: the model then receives the message with the
 * error result. Of any other exception there it receives only which argument is not valid. The same holds for a record that is the
 * structured output of a run.
 */
public final class ToolFailureException extends ChargehandException {

    private static final long serialVersionUID = 1L;

    /** Create the failure with code {@code tool-failure}; the message is for the model. */
    public ToolFailureException(String message) {
        this(message, null);
    }

    /** Create the failure with a cause, which is for the application only. */
    public ToolFailureException(String message, @Nullable Throwable cause) {
        super("tool-failure", false, message, cause);
    }
}
