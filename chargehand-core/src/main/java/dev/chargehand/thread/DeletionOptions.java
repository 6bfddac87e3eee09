package dev.chargehand.thread;

/**
 * How something of a conversation is deleted.
 *
 * <p>The setters change this object and return it. Not thread-safe.
 */
public final class DeletionOptions {

    private boolean cancelsRuns;

    /** Create options that leave runs alone: what an open run uses is not deleted. */
    public DeletionOptions() {}

    /** Cancel the runs that have not ended, and wait up to 30 seconds for their end, before anything is deleted. */
    public DeletionOptions cancelRuns() {
        cancelsRuns = true;
        return this;
    }

    /** Return whether open runs are cancelled first. */
    public boolean cancelsRuns() {
        return cancelsRuns;
    }
}
