package dev.chargehand.internal.loop;

import dev.chargehand.error.HookException;
import dev.chargehand.internal.fact.Spent;

/** A processor failed: nothing passes, and the run fails. */
public final class ProcessingFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final HookException failure;
    private final transient Spent spent;

    ProcessingFailed(HookException failure, Spent spent) {
        super(failure.getMessage(), failure, false, false);
        this.failure = failure;
        this.spent = spent;
    }

    /** Returns this with more that was used up. */
    ProcessingFailed plus(Spent more) {
        return new ProcessingFailed(failure, spent.plus(more));
    }

    /** Returns the failure. */
    public HookException failure() {
        return failure;
    }

    /** Returns what was used up that no fact tells. */
    public Spent spent() {
        return spent;
    }
}
