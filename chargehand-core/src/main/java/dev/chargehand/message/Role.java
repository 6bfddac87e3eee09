package dev.chargehand.message;

/** The author of a message. */
public enum Role {
    /** The developer: instructions. */
    SYSTEM,
    /** The person or program that asks; in a delegation, the agent that delegates. */
    USER,
    /** The model. */
    ASSISTANT,
    /** The results of the tools that the preceding assistant message called, in call order. */
    TOOL
}
