package dev.chargehand.error;

/** A version of an agent does not exist, or this process does not have the version that a run was started with; nothing was changed. */
public final class VersionUnknownException extends ChargehandException {

    private static final long serialVersionUID = 1L;

    /** Create the exception with code {@code version-unknown}; it is never retryable. */
    public VersionUnknownException(String message) {
        super("version-unknown", false, message, null);
    }
}
