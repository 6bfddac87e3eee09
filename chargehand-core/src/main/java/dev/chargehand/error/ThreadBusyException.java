package dev.chargehand.error;

/** Rejects what cannot be done to a thread because of one of its runs; nothing of it is stored. */
public final class ThreadBusyException extends ChargehandException {

    private static final long serialVersionUID = 1L;

    private final String threadId;
    private final String runId;

    /** Create the exception with code {@code thread-busy}, of a run whose thread another run has or keeps. */
    public ThreadBusyException(String threadId, String runId) {
        this(
                "thread-busy",
                "Thread '" + threadId + "' is busy with run " + runId
                        + "; try again when that run has ended or waits for an answer, or use another thread id."
                        + " If its process is gone, recover() or resume(runId) continues it.",
                threadId,
                runId);
    }

    private ThreadBusyException(String code, String message, String threadId, String runId) {
        super(code, true, message, null);
        this.threadId = threadId;
        this.runId = runId;
    }

    /**
     * Create the exception with code {@code resource-busy}, of a thread that is to be deleted before its run has ended.
     *
     * @param threadId the thread, or an empty text for a run of a resource that has no thread
     */
    public static ThreadBusyException notDeleted(String threadId, String runId) {
        String what = threadId.isEmpty() ? "The resource" : "Thread '" + threadId + "'";
        return new ThreadBusyException(
                "resource-busy",
                what + " is not deleted, because its run " + runId
                        + " has not ended; cancel that run, or wait for its end.",
                threadId,
                runId);
    }

    /** Return the thread; empty if the run of a resource that keeps it from being deleted has none. */
    public String threadId() {
        return threadId;
    }

    /** Return the id of the run that has it. */
    public String runId() {
        return runId;
    }
}
