package dev.chargehand.internal.definition;

import dev.chargehand.internal.fact.DefinitionLink;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.memory.Memory;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a run executes: an agent or a workflow. Immutable and thread-safe. */
public sealed interface RunDefinition permits AgentDefinition, WorkflowDefinition {

    /** Return its id, which names it in paths and usage. */
    String id();

    /** Return its version; null for an agent without one. */
    @Nullable
    String version();

    /** Return what a run stores of it; null for an agent without a version. */
    @Nullable
    DefinitionLink link();

    /** Return what a run that a caller starts with options stores of it. */
    default @Nullable DefinitionLink link(OptionValues options) {
        return link();
    }

    /** Return its name for people. */
    String name();

    /** Return what its runs start as nested runs, by the key that names each in paths. */
    Map<String, RunDefinition> children();

    /** Return the key of what a call of one of its runs starts. */
    String keyOf(CallState call);

    /** Return what a call of one of its runs starts; null if that is not a nested run, or is missing today. */
    default @Nullable RunDefinition childOf(CallState call) {
        return children().get(keyOf(call));
    }

    /** Return whether its runs report their steps as iterations too: those of an agent that has sub-agents. */
    boolean isSupervisor();

    /** Return the options a run of it starts with. */
    OptionValues defaultOptions();

    /** Return what it remembers in a thread. */
    Memory memory();
}
