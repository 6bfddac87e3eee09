package dev.chargehand.error;

/** A run of a workflow does not continue, because this process does not have the workflow in its version; it is left as it is. */
public final class WorkflowUnknownException extends ChargehandException {

    private static final long serialVersionUID = 1L;

    /** Create the exception with code {@code workflow-unknown}; it is never retryable. */
    public WorkflowUnknownException(String message) {
        super("workflow-unknown", false, message, null);
    }
}
