package dev.chargehand.thread;

/**
 * How a thread is deleted.
 *
 * <p>The setters change this object and return it. Not thread-safe.
 */
public final class ThreadDeletion {

    private boolean cancelsRuns;
    private boolean includesRuns;

    /** Create a deletion of a thread without its runs; a thread that an open run uses is not deleted. */
    public ThreadDeletion() {}

    /** Cancel the runs that have not ended, and wait up to 30 seconds for their end, before anything is deleted. */
    public ThreadDeletion cancelRuns() {
        cancelsRuns = true;
        return this;
    }

    /**
     * Delete the runs of the thread too, with their facts, their nested runs, and the threads of those. Without this, the runs
     * stay in the store, and their facts contain what was said. Threads of nested runs that were deleted before, by {@code
     * prune}, stay until their resource is forgotten.
     */
    public ThreadDeletion withRuns() {
        includesRuns = true;
        return this;
    }

    /** Return whether open runs are cancelled first. */
    public boolean cancelsRuns() {
        return cancelsRuns;
    }

    /** Return whether the runs of the thread are deleted too. */
    public boolean includesRuns() {
        return includesRuns;
    }
}
