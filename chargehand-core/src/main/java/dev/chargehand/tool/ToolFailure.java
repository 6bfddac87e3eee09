package dev.chargehand.tool;

import dev.chargehand.error.ChargehandException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown by a tool to tell the model what went wrong; any other exception reaches the model only as an error id.
 *
 * <p>The constructor of a record that is a tool's input may throw it too: the model then receives the message with the
 * error result. Of any other exception there it receives only which argument is not valid.
 */
public final class ToolFailure extends ChargehandException {

    private static final long serialVersionUID = 1L;

    /** Creates the failure with code {@code tool-failure}; the message is for the model. */
    public ToolFailure(String message) {
        this(message, null);
    }

    /** Creates the failure with a cause, which is for the application only. */
    public ToolFailure(String message, @Nullable Throwable cause) {
        super("tool-failure", false, message, cause);
    }
}
