package dev.chargehand.background;

import dev.chargehand.annotation.Experimental;

/** The state of a background task. Later versions may add states. */
@Experimental
public enum TaskStatus {
    /** It is stored, and no process has started to execute it; or its next attempt is due. */
    PENDING,
    /** It is being worked on. */
    RUNNING,
    /** It waits for a human, for data or for a time. */
    SUSPENDED,
    /** It ended with an answer. */
    COMPLETED,
    /** It ended without a complete answer. */
    FAILED,
    /** It was cancelled. */
    CANCELLED,
    /** It took longer than its time limit. */
    TIMED_OUT;

    /** Return whether nothing more will happen in the task. */
    public boolean isEnded() {
        return this != PENDING && this != RUNNING && this != SUSPENDED;
    }
}
