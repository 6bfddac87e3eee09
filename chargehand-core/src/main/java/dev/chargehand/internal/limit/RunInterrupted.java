package dev.chargehand.internal.limit;

import dev.chargehand.run.StopReason;

/** Unwinds a run that is to end now: it was cancelled, or something it may use is spent. Never leaves the framework. */
public final class RunInterrupted extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient StopReason reason;

    /** Creates it, with why the run is to end. */
    public RunInterrupted(StopReason reason) {
        super(reason.explanation(), null, false, false);
        this.reason = reason;
    }

    /** Returns why the run is to end. */
    public StopReason reason() {
        return reason;
    }
}
