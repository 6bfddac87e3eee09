package dev.chargehand.error;

/**
 * The exception of a wait for a result whose time is over: the run has neither ended nor is suspended.
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
