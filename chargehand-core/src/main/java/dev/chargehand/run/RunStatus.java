package dev.chargehand.run;

/** Where a run stands. */
public enum RunStatus {
    /** It is being worked on, or waits to be taken up again after a crash. */
    RUNNING,
    /** It waits for a human or for data; nothing runs, and its state is in the store. */
    SUSPENDED,
    /** It ended with an answer. */
    COMPLETED,
    /** It ended in order, but without what was asked for: a limit, a budget, a cut answer. */
    INCOMPLETE,
    /** It was cancelled. */
    ABORTED,
    /** It ended with an error. */
    FAILED;

    /** Tells whether nothing more will happen in the run. */
    public boolean isEnded() {
        return this != RUNNING && this != SUSPENDED;
    }
}
