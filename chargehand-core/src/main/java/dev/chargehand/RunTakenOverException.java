package dev.chargehand;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.run.RunId;
import org.jspecify.annotations.Nullable;

/**
 * The exception of a run that another process has taken over and whose result is not available: it had not ended when
 * the time limit of the run was over in this process, or the store failed there or could not be read.
 *
 * <p>The run continues in the other process; {@link AgentRuntime#handle} has its result once it has ended.
 */
public final class RunTakenOverException extends ChargehandException {

    private static final long serialVersionUID = 1L;

    private final transient RunId runId;

    /**
     * Create the exception with code {@code run-taken-over}; it is never retryable, since the run is being executed.
     */
    public RunTakenOverException(RunId runId, String why, @Nullable Throwable cause) {
        super(
                "run-taken-over",
                false,
                "Run " + runId + " was taken over by another process, and " + why + ". Do not start it again: "
                        + "handle(runId).result() returns its result once it has ended.",
                cause);
        this.runId = runId;
    }

    /** Return the run. */
    public RunId runId() {
        return runId;
    }
}
