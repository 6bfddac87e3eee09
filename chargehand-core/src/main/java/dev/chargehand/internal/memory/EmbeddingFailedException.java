package dev.chargehand.internal.memory;

/** Thrown when texts could not be embedded. The message is for events and logs, and has no secrets. */
final class EmbeddingFailedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String problem;

    EmbeddingFailedException(String problem) {
        super(problem, null, false, false);
        this.problem = problem;
    }

    /** Return what went wrong. */
    String problem() {
        return problem;
    }
}
