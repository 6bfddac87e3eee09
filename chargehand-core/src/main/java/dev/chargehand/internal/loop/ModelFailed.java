package dev.chargehand.internal.loop;

import dev.chargehand.error.ModelException;

/** Ends a run whose model did not answer; keeps what it had written of its answer. Never leaves the framework. */
public final class ModelFailed extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ModelException failure;
    private final String partialText;
    private final int attempts;

    ModelFailed(ModelException failure, String partialText, int attempts) {
        super(failure.getMessage(), failure, false, false);
        this.failure = failure;
        this.partialText = partialText;
        this.attempts = attempts;
    }

    /** Returns why the last attempt failed. */
    public ModelException failure() {
        return failure;
    }

    /** Returns what the model had written of its answer; may be empty. */
    public String partialText() {
        return partialText;
    }

    /** Returns how many attempts were made. */
    public int attempts() {
        return attempts;
    }
}
