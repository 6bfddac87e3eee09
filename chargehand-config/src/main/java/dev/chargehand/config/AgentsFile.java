package dev.chargehand.config;

import dev.chargehand.command.CommandTool;
import dev.chargehand.document.NameSuggestions;
import dev.chargehand.document.Setting;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.openapi.OpenApiTools;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a {@code chargehand.yaml}. Its agents fit together: every sub-agent and tool is known, and there is no
 * cycle. Immutable.
 */
public final class AgentsFile {

    private final Parts parts;

    /** What the reader has read. */
    record Parts(
            String name,
            Path folder,
            List<Setting> models,
            @Nullable Setting defaultAgent,
            @Nullable Setting docs,
            @Nullable Setting store,
            OptionsEntry options,
            List<ProviderEntry> providers,
            Map<String, CommandTool> commands,
            Map<String, OpenApiTools> apis,
            Map<String, AgentEntry> agents) {

        Parts {
            models = List.copyOf(models);
            providers = List.copyOf(providers);
            commands = Collections.unmodifiableMap(new LinkedHashMap<>(commands));
            apis = Collections.unmodifiableMap(new LinkedHashMap<>(apis));
            agents = Collections.unmodifiableMap(new LinkedHashMap<>(agents));
        }
    }

    AgentsFile(Parts parts) {
        this.parts = parts;
    }

    /** Return the file as the user knows it. */
    public String name() {
        return parts.name();
    }

    /** Return the folder of the file; paths in the file are relative to it. */
    public Path folder() {
        return parts.folder();
    }

    /** Return the model of agents that name none, and its fallbacks; empty for none. */
    public List<Setting> models() {
        return parts.models();
    }

    /** Return the id of the agent that runs if a caller names none. */
    public Optional<Setting> defaultAgent() {
        return Optional.ofNullable(parts.defaultAgent());
    }

    /** Return the folder of the documents; without it, {@code docs} next to the file. */
    public Optional<Setting> docs() {
        return Optional.ofNullable(parts.docs());
    }

    /** Return the store of runs and conversations. */
    public Optional<Setting> store() {
        return Optional.ofNullable(parts.store());
    }

    /** Return the options of every run and its descendants. */
    public OptionsEntry options() {
        return parts.options();
    }

    /** Return the providers of models, in addition to the known ones. */
    public List<ProviderEntry> providers() {
        return parts.providers();
    }

    /** Return the tools that run programs, by name. */
    public Map<String, CommandTool> commands() {
        return parts.commands();
    }

    /** Return the tools that call operations of HTTP APIs, by the name of the API. */
    public Map<String, OpenApiTools> apis() {
        return parts.apis();
    }

    /** Return the agents by id, in the order of the file. */
    public Map<String, AgentEntry> agents() {
        return parts.agents();
    }

    /**
     * Return the agent to run: the one asked for, else the file's default, else the only one.
     *
     * @param asked the agent asked for, or null
     * @throws ConfigurationException if there is no such agent, or none was named and the file has no default
     */
    public AgentEntry agent(@Nullable Setting asked) {
        if (asked != null) {
            return find(asked);
        }
        Optional<AgentEntry> usual = usual();
        if (usual.isPresent()) {
            return usual.get();
        }
        Set<String> ids = agents().keySet();
        throw new ConfigurationException(
                name() + ": has " + ids.size() + " agents, but does not name the one that runs."
                        + " Add the line 'default: "
                        + ids.iterator().next()
                        + "', or choose one with --agent. There are: " + String.join(", ", ids) + ".");
    }

    /**
     * Return the agent that is run unless another one is named: the file's default, else the only one.
     *
     * @throws ConfigurationException if the default is not one of the agents
     */
    public Optional<AgentEntry> usual() {
        return defaultAgent()
                .map(this::find)
                .or(() -> agents().size() == 1 ? agents().values().stream().findFirst() : Optional.empty());
    }

    /** Return whether a run of an agent may have to wait for approval. */
    public boolean mayWait(AgentEntry agent) {
        return agent.requireToolApproval()
                || agent.tools().stream().anyMatch(this::waits)
                || agent.agents().stream().anyMatch(id -> mayWait(find(id)));
    }

    /** Return whether every call of a tool waits for approval, because the agent or the tool requires it. */
    public boolean waits(ToolEntry tool) {
        String name = tool.name().text();
        CommandTool command = commands().get(name);
        return tool.approval()
                || (command != null && command.approval())
                || apis().values().stream()
                        .flatMap(api -> api.operations().stream())
                        .anyMatch(operation -> operation.name().equals(name) && operation.approval());
    }

    /**
     * Return the agent of an id.
     *
     * @throws ConfigurationException if there is none
     */
    public AgentEntry find(Setting id) {
        AgentEntry found = agents().get(id.text());
        if (found == null) {
            throw id.at()
                    .error("unknown agent '" + id.text() + "'."
                            + NameSuggestions.allowed("There are", id.text(), agents().keySet()));
        }
        return found;
    }
}
