package dev.chargehand.event;

/** The kind of primitive that the router of a network can choose. */
public enum PrimitiveType {
    /** A sub-agent. */
    AGENT,
    /** A workflow. */
    WORKFLOW,
    /** A tool. */
    TOOL,
    /** Nothing: the router answers itself. */
    NONE
}
