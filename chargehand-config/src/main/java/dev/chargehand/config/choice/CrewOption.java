package dev.chargehand.config.choice;

/** A value that a program can set for a crew, in addition to the file. */
public enum CrewOption {

    /** The agent that runs. */
    AGENT,

    /** The model of all agents. */
    MODEL,

    /** The folder that {@code search-files} searches. */
    DOCUMENTS,

    /** The store of runs and conversations. */
    STORE
}
