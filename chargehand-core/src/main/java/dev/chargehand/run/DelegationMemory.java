package dev.chargehand.run;

/** The earlier delegations that a sub-agent remembers. */
public enum DelegationMemory {
    /** Nothing: every delegation has a thread of its own. */
    FRESH,
    /** The delegations to it within the same conversation: one thread for each agent and conversation. */
    PER_PARENT_THREAD
}
