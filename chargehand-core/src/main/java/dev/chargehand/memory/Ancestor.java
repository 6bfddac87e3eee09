package dev.chargehand.memory;

/** A run above that of a sub-agent. */
public enum Ancestor {
    /** The run that the application started. */
    ROOT
}
