package dev.chargehand.error;

import org.jspecify.annotations.Nullable;

/** Reports text that is not JSON, or JSON that does not fit the Java type it was to be read as. */
public final class InvalidJsonException extends ChargehandException {

    private static final long serialVersionUID = 1L;

    /** Create the exception with code {@code invalid-json}; it is never retryable. */
    public InvalidJsonException(String message, @Nullable Throwable cause) {
        super("invalid-json", false, message, cause);
    }
}
