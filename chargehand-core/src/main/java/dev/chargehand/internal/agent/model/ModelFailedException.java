package dev.chargehand.internal.agent.model;

import dev.chargehand.error.ModelException;

/** Ends a run whose model did not answer; keeps what it had written of its answer. Never leaves the framework. */
public final class ModelFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ModelException failure;
    private final String partialText;
    private final int attempts;

    public ModelFailedException(ModelException failure, String partialText, int attempts) {
        super(failure.getMessage(), failure, false, false);
        this.failure = failure;
        this.partialText = partialText;
        this.attempts = attempts;
    }

    /** Return why the last attempt failed. */
    public ModelException failure() {
        return failure;
    }

    /** Return what the model had written of its answer; may be empty. */
    public String partialText() {
        return partialText;
    }

    /** Return how many attempts were made. */
    public int attempts() {
        return attempts;
    }
}
