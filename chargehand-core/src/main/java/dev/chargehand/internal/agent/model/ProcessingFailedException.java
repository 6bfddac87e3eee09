package dev.chargehand.internal.agent.model;

import dev.chargehand.error.HookException;
import dev.chargehand.internal.fact.Spending;

/** A processor failed: nothing passes, and the run fails. */
public final class ProcessingFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final HookException failure;
    private final transient Spending spent;

    ProcessingFailedException(HookException failure, Spending spent) {
        super(failure.getMessage(), failure, false, false);
        this.failure = failure;
        this.spent = spent;
    }

    /** Return this with more that was used. */
    public ProcessingFailedException plus(Spending more) {
        return new ProcessingFailedException(failure, spent.plus(more));
    }

    /** Return the failure. */
    public HookException failure() {
        return failure;
    }

    /** Return what was used that no fact reports. */
    public Spending spent() {
        return spent;
    }
}
