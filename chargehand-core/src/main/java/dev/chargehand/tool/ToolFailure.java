package dev.chargehand.tool;

import dev.chargehand.error.ChargehandException;

/** Thrown by a tool to tell the model what went wrong; any other exception reaches the model only as an error id. */
public final class ToolFailure extends ChargehandException {

    private static final long serialVersionUID = 1L;

    /** Creates the failure with code {@code tool-failure}; the message is for the model. */
    public ToolFailure(String message) {
        super("tool-failure", false, message, null);
    }
}
