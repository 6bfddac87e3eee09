package dev.chargehand.error;

/** A run of a workflow does not continue, because the definition differs from the one that it was started with; it is left as it is. */
public final class WorkflowChangedException extends ChargehandException {

    private static final long serialVersionUID = 1L;

    /** Create the exception with code {@code workflow-changed}; it is never retryable. */
    public WorkflowChangedException(String message) {
        super("workflow-changed", false, message, null);
    }
}
