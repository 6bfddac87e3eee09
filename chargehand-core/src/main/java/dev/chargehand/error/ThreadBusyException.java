package dev.chargehand.error;

/** Rejects a run whose thread another run executes; nothing of the rejected one is stored. */
public final class ThreadBusyException extends ChargehandException {

    private static final long serialVersionUID = 1L;

    private final String threadId;
    private final String runId;

    /** Create the exception with code {@code thread-busy}; the same may go well when the other run is over. */
    public ThreadBusyException(String threadId, String runId) {
        super(
                "thread-busy",
                true,
                "Thread '" + threadId + "' is busy with run " + runId
                        + "; try again when that run has ended or waits for an answer, or use another thread id.",
                null);
        this.threadId = threadId;
        this.runId = runId;
    }

    /** Return the thread. */
    public String threadId() {
        return threadId;
    }

    /** Return the id of the run that has it. */
    public String runId() {
        return runId;
    }
}
