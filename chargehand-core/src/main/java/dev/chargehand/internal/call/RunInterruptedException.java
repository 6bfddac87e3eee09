package dev.chargehand.internal.call;

import dev.chargehand.run.StopReason;

/** Unwinds a run that is to end now: it was cancelled, or something it may use is spent. Never leaves the framework. */
public final class RunInterruptedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient StopReason reason;

    /** Create it, with why the run is to end. */
    public RunInterruptedException(StopReason reason) {
        super(reason.explanation(), null, false, false);
        this.reason = reason;
    }

    /** Return why the run is to end. */
    public StopReason reason() {
        return reason;
    }
}
