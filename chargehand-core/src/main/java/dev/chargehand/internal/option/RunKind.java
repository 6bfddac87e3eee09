package dev.chargehand.internal.option;

/** The kind of steps of a run. */
public enum RunKind {
    /** The agent's model answers, and calls tools and sub-agents as it likes. */
    ORDINARY,
    /** In each step the agent's model chooses one sub-agent or tool and states why; see {@code Agent.network}. */
    NETWORK,
    /** A definition says what is called next; see {@link dev.chargehand.workflow.Workflow}. */
    WORKFLOW
}
