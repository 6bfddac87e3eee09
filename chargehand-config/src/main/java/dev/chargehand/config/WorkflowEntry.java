package dev.chargehand.config;

import dev.chargehand.config.internal.workflow.WorkflowDefinition;

/** A workflow of an {@link AgentsFile}. Immutable. */
public final class WorkflowEntry {

    private final WorkflowDefinition definition;

    WorkflowEntry(WorkflowDefinition definition) {
        this.definition = definition;
    }

    WorkflowDefinition definition() {
        return definition;
    }

    /** Return its id. */
    public String id() {
        return definition.id();
    }

    /** Return its description; empty for none, which is allowed only if it is not a tool of an agent. */
    public String description() {
        return definition.description();
    }
}
