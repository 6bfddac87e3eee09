package dev.chargehand.error;

import org.jspecify.annotations.Nullable;

/** A run of a workflow does not continue, because this process does not have the workflow in its version; it is left as it is. */
public final class WorkflowUnknownException extends ChargehandException {

    private static final long serialVersionUID = 1L;

    /** Create the exception with code {@code workflow-unknown}; it is never retryable. */
    public WorkflowUnknownException(String message) {
        this(message, null);
    }

    /** Create the exception with what caused it, or null. */
    public WorkflowUnknownException(String message, @Nullable Throwable cause) {
        super("workflow-unknown", false, message, cause);
    }
}
