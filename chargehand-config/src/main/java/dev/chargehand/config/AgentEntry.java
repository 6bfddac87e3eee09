package dev.chargehand.config;

import dev.chargehand.document.Position;
import dev.chargehand.document.Setting;
import dev.chargehand.run.DelegationMemory;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One agent of the file. Immutable. */
public final class AgentEntry {

    private final Parts parts;

    /** What the reader has read. */
    record Parts(
            String id,
            Position at,
            String instructions,
            String description,
            List<Setting> models,
            List<Setting> agents,
            List<ToolEntry> tools,
            @Nullable Integer lastMessages,
            boolean requireToolApproval,
            @Nullable CompletionEntry completion,
            ProcessorsEntry processors,
            @Nullable StructuredOutputEntry structuredOutput,
            DelegationEntry delegation,
            @Nullable DelegationMemory memory,
            OptionsEntry options) {

        Parts {
            models = List.copyOf(models);
            agents = List.copyOf(agents);
            tools = List.copyOf(tools);
        }
    }

    AgentEntry(Parts parts) {
        this.parts = parts;
    }

    /** Return the id. */
    public String id() {
        return parts.id();
    }

    /** Return the position of the definition. */
    public Position at() {
        return parts.at();
    }

    /** Return the instructions; empty for none. */
    public String instructions() {
        return parts.instructions();
    }

    /** Return the description; empty for none, which is allowed only for an agent that is not a sub-agent. */
    public String description() {
        return parts.description();
    }

    /** Return the model and its fallbacks; empty for those of the file. */
    public List<Setting> models() {
        return parts.models();
    }

    /** Return the ids of the sub-agents. */
    public List<Setting> agents() {
        return parts.agents();
    }

    /** Return the tools. */
    public List<ToolEntry> tools() {
        return parts.tools();
    }

    /** Return the number of messages that a run reads from its thread; nothing for the default. */
    public Optional<Integer> lastMessages() {
        return Optional.ofNullable(parts.lastMessages());
    }

    /** Return whether every call of a tool waits for approval, those of sub-agents included. */
    public boolean requireToolApproval() {
        return parts.requireToolApproval();
    }

    /** Return when the task is complete; nothing if the model decides. */
    public Optional<CompletionEntry> completion() {
        return Optional.ofNullable(parts.completion());
    }

    /** Return the processors of input and output. */
    public ProcessorsEntry processors() {
        return parts.processors();
    }

    /** Return the form of the answer; nothing for a text. */
    public Optional<StructuredOutputEntry> structuredOutput() {
        return Optional.ofNullable(parts.structuredOutput());
    }

    /** Return how the agent delegates. */
    public DelegationEntry delegation() {
        return parts.delegation();
    }

    /** Return what the agent remembers of earlier delegations; nothing for the default. */
    public Optional<DelegationMemory> memory() {
        return Optional.ofNullable(parts.memory());
    }

    /** Return the other options of the runs of the agent. */
    public OptionsEntry options() {
        return parts.options();
    }
}
