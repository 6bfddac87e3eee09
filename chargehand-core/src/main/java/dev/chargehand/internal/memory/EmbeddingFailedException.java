package dev.chargehand.internal.memory;

import dev.chargehand.run.Usage;

/** Thrown when texts could not be embedded. The message is for events and logs, and has no secrets. */
final class EmbeddingFailedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String problem;
    private final transient Usage usage;

    EmbeddingFailedException(String problem) {
        this(problem, Usage.NONE);
    }

    /** Make it for an answer that cannot be used. */
    EmbeddingFailedException(String problem, Usage usage) {
        super(problem, null, false, false);
        this.problem = problem;
        this.usage = usage;
    }

    /** Return what the answer that cannot be used has used, if there was one. */
    Usage usage() {
        return usage;
    }

    /** Return what went wrong. */
    String problem() {
        return problem;
    }
}
