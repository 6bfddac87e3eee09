package dev.chargehand.config;

import dev.chargehand.config.internal.file.AgentDefinition;
import dev.chargehand.config.internal.file.ToolEntry;
import dev.chargehand.document.Position;
import dev.chargehand.document.Setting;
import dev.chargehand.memory.WorkingMemory;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** One agent of the file; {@link Crew#agent} builds it. Immutable. */
public final class AgentEntry {

    private final AgentDefinition definition;

    AgentEntry(AgentDefinition definition) {
        this.definition = definition;
    }

    AgentDefinition definition() {
        return definition;
    }

    /** Return the id. */
    public String id() {
        return definition.id();
    }

    /** Return the version; empty if it has none. */
    public Optional<String> version() {
        return Optional.ofNullable(definition.version());
    }

    /** Return the names of the further versions. */
    public List<String> versions() {
        return definition.versions().stream()
                .map(AgentDefinition::version)
                .flatMap(Stream::ofNullable)
                .toList();
    }

    /** Return the position of the definition. */
    public Position at() {
        return definition.at();
    }

    /** Return the instructions; empty for none. */
    public String instructions() {
        return definition.instructions();
    }

    /** Return the description; empty for none, which is allowed only for an agent that is not a sub-agent. */
    public String description() {
        return definition.description();
    }

    /** Return the model and its fallbacks; empty for those of the file. */
    public List<Setting> models() {
        return definition.models();
    }

    /** Return the ids of the sub-agents. */
    public List<Setting> agents() {
        return definition.agents();
    }

    /** Return the ids of the workflows that its model can execute. */
    public List<Setting> workflows() {
        return definition.workflows();
    }

    /** Return the names of the tools. */
    public List<Setting> tools() {
        return definition.tools().stream().map(ToolEntry::name).toList();
    }

    /** Return which text it keeps up to date; empty if it keeps none. */
    public Optional<WorkingMemory> workingMemory() {
        return Optional.ofNullable(definition.memory().working());
    }

    /** Return whether it finds earlier messages by their meaning. */
    public boolean recalls() {
        return definition.memory().recall() != null;
    }

    /** Return whether its memory has the key {@code observations}. */
    public boolean observes() {
        return definition.memory().observer() != null;
    }

    /** Return whether a sub-agent or a workflow may work in the background; runs of the agent need a thread then. */
    public boolean startsTasks() {
        return definition.background().isUsed();
    }

    /** Return whether every call of a tool waits for approval, those of sub-agents included. */
    public boolean requireToolApproval() {
        return definition.requireToolApproval();
    }
}
