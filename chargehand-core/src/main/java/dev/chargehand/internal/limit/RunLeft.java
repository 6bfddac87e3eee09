package dev.chargehand.internal.limit;

/**
 * Unwinds a tree of runs that this process leaves as it is in the store: nothing more is stored of it. Never leaves the
 * framework.
 */
public final class RunLeft extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean lost;
    private final boolean begun;
    private final String partialText;

    private RunLeft(boolean lost, boolean begun, String partialText) {
        super(lost ? "another process has taken the run over" : "the run is released", null, false, false);
        this.lost = lost;
        this.begun = begun;
        this.partialText = partialText;
    }

    /** Makes it for runs that were released, with what a model had written of its answer. */
    public static RunLeft released(String partialText) {
        return new RunLeft(false, false, partialText);
    }

    /** Makes it for runs that another owner has taken. */
    public static RunLeft lost() {
        return new RunLeft(true, false, "");
    }

    /** Returns this with what there was of an answer, if it has none yet. */
    public RunLeft with(String text) {
        return partialText.isEmpty() && !text.isEmpty() ? new RunLeft(lost, begun, text) : this;
    }

    /** Returns this without a text: that of a nested run is not the answer of the run above it. */
    public RunLeft withoutText() {
        return partialText.isEmpty() ? this : new RunLeft(lost, begun, "");
    }

    /** Returns this for a root run that had begun, with what there was of its answer if that is not known yet. */
    public RunLeft begun(String text) {
        return new RunLeft(lost, true, partialText.isEmpty() ? text : partialText);
    }

    /** Returns whether the root run had begun, and emitted that it is left. */
    public boolean hasBegun() {
        return begun;
    }

    /** Returns whether another owner has taken the run, and not this one released it. */
    public boolean isLost() {
        return lost;
    }

    /** Returns what there was of the answer; may be empty. */
    public String partialText() {
        return partialText;
    }
}
