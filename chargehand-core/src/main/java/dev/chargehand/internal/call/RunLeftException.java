package dev.chargehand.internal.call;

/**
 * Unwinds a tree of runs that this process leaves as it is in the store: nothing more is stored of it. Never leaves the
 * framework.
 */
public final class RunLeftException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean lost;
    private final boolean started;
    private final String partialText;

    private RunLeftException(boolean lost, boolean started, String partialText) {
        super(lost ? "another process has taken the run over" : "the run is released", null, false, false);
        this.lost = lost;
        this.started = started;
        this.partialText = partialText;
    }

    /** Make it for runs that were released, with what a model had written of its answer. */
    public static RunLeftException released(String partialText) {
        return new RunLeftException(false, false, partialText);
    }

    /** Make it for runs that another owner has taken. */
    public static RunLeftException lost() {
        return new RunLeftException(true, false, "");
    }

    /** Return this with what there was of an answer, if it has none yet. */
    public RunLeftException with(String text) {
        return partialText.isEmpty() && !text.isEmpty() ? new RunLeftException(lost, started, text) : this;
    }

    /** Return this without a text: that of a nested run is not the answer of the run above it. */
    public RunLeftException withoutText() {
        return partialText.isEmpty() ? this : new RunLeftException(lost, started, "");
    }

    /** Return this for a root run that had started, with what there was of its answer if that is not known yet. */
    public RunLeftException started(String text) {
        return new RunLeftException(lost, true, partialText.isEmpty() ? text : partialText);
    }

    /** Return whether the root run had started and its release was emitted. */
    public boolean hasStarted() {
        return started;
    }

    /** Return whether another owner has taken the run, and not this one released it. */
    public boolean isLost() {
        return lost;
    }

    /** Return what there was of the answer; may be empty. */
    public String partialText() {
        return partialText;
    }
}
