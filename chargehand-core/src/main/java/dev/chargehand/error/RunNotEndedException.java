package dev.chargehand.error;

/**
 * The exception of a call that needs the end of a run which has not come: a wait for a result whose time is over, of a run that is not
 * suspended either, or a deletion.
 *
 * <p>The run is left as it is and continues. Its handle can be called again, {@code runtime.handle(runId)} opens another one in any process,
 * and {@code cancel()} of a handle ends the run.
 */
public final class RunNotEndedException extends ChargehandException {

    private static final long serialVersionUID = 1L;

    /** Create the exception with code {@code run-not-ended}; it is always retryable. */
    public RunNotEndedException(String message) {
        super("run-not-ended", true, message, null);
    }
}
