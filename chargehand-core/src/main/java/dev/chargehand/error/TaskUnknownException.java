package dev.chargehand.error;

/** There is no background task with the id. */
public final class TaskUnknownException extends ChargehandException {

    private static final long serialVersionUID = 1L;

    /** Create the exception. */
    public TaskUnknownException(String message) {
        super("task-unknown", false, message, null);
    }
}
