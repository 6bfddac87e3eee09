package dev.chargehand.thread;

import dev.chargehand.annotation.CheckReturnValue;

/** How something of a conversation is deleted. Immutable and thread-safe. */
public final class DeletionOptions {

    /** Runs are left alone: what an open run uses is not deleted. */
    public static final DeletionOptions DEFAULT = new DeletionOptions(false);

    private final boolean cancelsRuns;

    private DeletionOptions(boolean cancelsRuns) {
        this.cancelsRuns = cancelsRuns;
    }

    /**
     * Return these options for a deletion that cancels the runs that have not ended, and waits up to 30 seconds for their
     * end, before anything is deleted.
     */
    @CheckReturnValue
    public DeletionOptions cancelRuns() {
        return new DeletionOptions(true);
    }

    /** Return whether open runs are cancelled first. */
    public boolean cancelsRuns() {
        return cancelsRuns;
    }
}
