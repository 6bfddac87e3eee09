package dev.chargehand.thread;

import dev.chargehand.annotation.CheckReturnValue;

/** How a thread is deleted. Immutable and thread-safe. */
public final class ThreadDeletion {

    /** The thread is deleted without its runs, and not while an open run uses it. */
    public static final ThreadDeletion DEFAULT = new ThreadDeletion(false, false);

    private final boolean cancelsRuns;
    private final boolean includesRuns;

    private ThreadDeletion(boolean cancelsRuns, boolean includesRuns) {
        this.cancelsRuns = cancelsRuns;
        this.includesRuns = includesRuns;
    }

    /**
     * Return this deletion with the cancel of the runs and background tasks that have not ended; it waits up to 30 seconds for their end, before
     * anything is deleted.
     */
    @CheckReturnValue
    public ThreadDeletion cancelRuns() {
        return new ThreadDeletion(true, includesRuns);
    }

    /**
     * Return this deletion with the runs of the thread, their facts, their nested runs and background tasks, and the threads of those.
     * Without it, the runs stay in the store, and their facts contain what was said. Threads of nested runs that were deleted before, by {@code
     * prune}, stay until their resource is forgotten.
     */
    @CheckReturnValue
    public ThreadDeletion withRuns() {
        return new ThreadDeletion(cancelsRuns, true);
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
