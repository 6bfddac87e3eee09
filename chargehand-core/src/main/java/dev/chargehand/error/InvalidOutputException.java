package dev.chargehand.error;

/**
 * The exception of a run without an object: its answer does not fit its schema, it ended without an answer, or no
 * object was requested.
 */
public final class InvalidOutputException extends ChargehandException {

    private static final long serialVersionUID = 1L;

    /** The code of this exception, and of a run that failed for the same reason. */
    public static final String CODE = "invalid-output";

    /** Create the exception with code {@code invalid-output}; it is never retryable. */
    public InvalidOutputException(String message) {
        super(CODE, false, message, null);
    }
}
