package dev.chargehand.error;

import org.jspecify.annotations.Nullable;

/**
 * A version of an agent does not exist, a catalog of versions failed, or this process does not have the version that a run was started
 * with; nothing was changed.
 */
public final class VersionUnknownException extends ChargehandException {

    private static final long serialVersionUID = 1L;

    /** Create the exception with code {@code version-unknown}; it is not retryable. */
    public VersionUnknownException(String message) {
        super("version-unknown", false, message, null);
    }

    /** Create the exception for a catalog of versions that failed; it is retryable. */
    public VersionUnknownException(String message, @Nullable Throwable cause) {
        super("version-unknown", true, message, cause);
    }
}
