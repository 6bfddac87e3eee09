package dev.chargehand;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.run.RunId;

/**
 * The exception of a run that had not ended when the runtime of its caller was closed: this process has released it, or
 * waited for it while another process executed it.
 *
 * <p>The run has not failed. It is in its store as far as it came, {@link AgentRuntime#handle} opens it in any process,
 * and any process may resume it at once with {@code recover()} or {@code resume} if no process executes it. A run that had not started, because it waited for its thread or its input was
 * being processed, is not in the store; the message states this, and the same call starts it again.
 */
public final class RunReleasedException extends ChargehandException {

    private static final long serialVersionUID = 1L;

    private final transient RunId runId;
    private final String partialText;
    private final boolean stored;

    /**
     * Create the exception with code {@code run-released}; it is always retryable.
     *
     * @param stored whether the run is in the store
     */
    public RunReleasedException(RunId runId, String partialText, boolean stored) {
        super(
                "run-released",
                true,
                stored
                        ? "Run " + runId
                                + " had not ended when its runtime was closed. In any process, handle(runId) waits for"
                                + " it, and recover() or resume(runId) continues it if no process executes it."
                        : "Run " + runId + " had not started when its runtime was closed, and nothing of it is stored;"
                                + " start it again in another process.",
                null);
        this.runId = runId;
        this.partialText = partialText;
        this.stored = stored;
    }

    /** Return the run. */
    public RunId runId() {
        return runId;
    }

    /** Return whether the run is in the store; it is not if it had not started. */
    public boolean isStored() {
        return stored;
    }

    /** Return what there was of the answer; may be empty. */
    public String partialText() {
        return partialText;
    }
}
