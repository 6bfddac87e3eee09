package dev.chargehand.internal.memory.side;

/** Thrown when a model did not answer as it should. The message is for logs and events, and has no secrets. */
public final class SideModelFailedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String problem;

    /**
     * Make it.
     *
     * @param problem a sentence
     */
    public SideModelFailedException(String problem) {
        super(problem, null, false, false);
        this.problem = problem;
    }

    /** Return what happened. */
    public String problem() {
        return problem;
    }
}
