package dev.chargehand.run;

/**
 * The state of a run. Later versions add states, so a {@code switch} needs a {@code default} branch; {@link #isEnded()}
 * holds for every state.
 */
public enum RunStatus {
    /** It is stored, and no process has started to execute it. */
    PENDING,
    /** It is being worked on, or waits to be resumed again after a crash. */
    RUNNING,
    /** It waits for a human or for data; nothing runs, and its state is in the store. */
    SUSPENDED,
    /** It ended with an answer. */
    COMPLETED,
    /** It ended normally, but without a complete answer: because of a limit, a budget, or a cut answer. */
    INCOMPLETE,
    /** It was cancelled. */
    ABORTED,
    /** It ended with an error. */
    FAILED;

    /** Return whether nothing more will happen in the run. */
    public boolean isEnded() {
        return this != PENDING && this != RUNNING && this != SUSPENDED;
    }
}
