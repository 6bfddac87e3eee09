package dev.chargehand.memory;

/** Whose conversations a part of an agent's memory covers. */
public enum Scope {
    /** One conversation. */
    THREAD,
    /** All conversations of one resource, such as a user, with the agent. A run needs a resource for it. */
    RESOURCE
}
