package dev.chargehand.model;

/**
 * The reason that a model gives for the end of its answer. Later versions add reasons, so a {@code switch} needs a
 * {@code default} branch.
 */
public enum FinishReason {
    /** It said what it had to say. */
    STOP,
    /** It wants tools to be called. */
    TOOL_CALLS,
    /** It ran into its length limit: the answer is cut. */
    LENGTH,
    /** A filter withheld the answer or the rest of it. */
    CONTENT_FILTER,
    /** It gave a reason that we do not know. */
    UNKNOWN,
    /** The answer ended without a reason: it may be cut. */
    MISSING;

    /** Return whether an answer that ended so is whole; tool calls of one that is not are never executed. */
    public boolean isComplete() {
        return this == STOP || this == TOOL_CALLS;
    }
}
