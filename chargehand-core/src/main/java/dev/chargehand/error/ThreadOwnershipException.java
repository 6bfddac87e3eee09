package dev.chargehand.error;

/** Rejects a thread that belongs to another owner; thrown before anything of it is read. */
public final class ThreadOwnershipException extends ChargehandException {

    private static final long serialVersionUID = 1L;

    /** Create the exception with code {@code thread-ownership}; the message names the thread, never its owner. */
    public ThreadOwnershipException(String threadId) {
        super(
                "thread-ownership",
                false,
                "Thread '" + threadId + "' belongs to another resource; use that resource, or another thread id.",
                null);
    }
}
