package dev.chargehand.error;

/** Reports a run that has no object: its answer does not fit its schema, it ended without one, or none was asked for. */
public final class InvalidOutputException extends ChargehandException {

    private static final long serialVersionUID = 1L;

    /** The code of this exception, and of a run that failed for the same reason. */
    public static final String CODE = "invalid-output";

    /** Creates the exception with code {@code invalid-output}; it is never retryable. */
    public InvalidOutputException(String message) {
        super(CODE, false, message, null);
    }
}
