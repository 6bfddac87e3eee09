package dev.chargehand.internal.definition;

import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.memory.Memory;
import java.util.Map;

/** What a run executes: an agent or a workflow. Immutable and thread-safe. */
public sealed interface RunDefinition permits AgentDefinition, WorkflowDefinition {

    /** Return its id, which names it in paths and usage. */
    String id();

    /** Return its name for people. */
    String name();

    /** Return its sub-agents by key. */
    Map<String, AgentDefinition> agents();

    /** Return the options a run of it starts with. */
    OptionValues defaultOptions();

    /** Return what it remembers in a thread. */
    Memory memory();
}
