package dev.chargehand.run;

/** How the steps of a run are made. */
public enum RunKind {
    /** The agent's model answers, and calls tools and sub-agents as it likes. */
    ORDINARY,
    /** In each step the agent's model chooses one sub-agent or tool, and says why; see {@code Agent.network}. */
    NETWORK;

    /** Tells whether a run is a network. */
    public boolean isNetwork() {
        return this == NETWORK;
    }
}
