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
import org.jspecify.annotations.Nullable;

/**
 * What {@code chargehand.yaml} says. Its agents fit together: every sub-agent and tool is known, and there is no cycle.
 *
 * @param name the file as the user knows it
 * @param folder where it is; its paths are relative to this
 * @param models the model of agents that name none, and those to fall back to; empty for none
 * @param defaultAgent the agent that runs when none is named, or null
 * @param docs the folder of the documents, or null for {@code docs}
 * @param store where runs and conversations are kept, or null for nowhere
 * @param options options for every run and its descendants
 * @param providers of models, in addition to the known ones
 * @param commands the tools that run programs, by name
 * @param apis the tools that are operations of HTTP APIs, by the name that they have together
 * @param agents by id, in the file's order
 */
public record AgentsFile(
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

    public AgentsFile {
        models = List.copyOf(models);
        providers = List.copyOf(providers);
        commands = Collections.unmodifiableMap(new LinkedHashMap<>(commands));
        apis = Collections.unmodifiableMap(new LinkedHashMap<>(apis));
        agents = Collections.unmodifiableMap(new LinkedHashMap<>(agents));
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
        throw new ConfigurationException(name + ": says of " + agents.size() + " agents which are there, but not which"
                + " one runs. Add the line 'default: "
                + agents.keySet().iterator().next()
                + "', or choose one with --agent. There are: " + String.join(", ", agents.keySet()) + ".");
    }

    /**
     * Return the agent that is run unless another one is named: the file's default, else the only one.
     *
     * @throws ConfigurationException if the default is not one of the agents
     */
    public Optional<AgentEntry> usual() {
        if (defaultAgent != null) {
            return Optional.of(find(defaultAgent));
        }
        return agents.size() == 1 ? Optional.of(agents.values().iterator().next()) : Optional.empty();
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
        CommandTool command = commands.get(name);
        return tool.approval()
                || (command != null && command.approval())
                || apis.values().stream()
                        .flatMap(api -> api.operations().stream())
                        .anyMatch(operation -> operation.name().equals(name) && operation.approval());
    }

    /**
     * Return the agent of an id.
     *
     * @throws ConfigurationException if there is none
     */
    public AgentEntry find(Setting id) {
        AgentEntry found = agents.get(id.text());
        if (found == null) {
            throw id.at()
                    .error("unknown agent '" + id.text() + "'."
                            + NameSuggestions.allowed("There are", id.text(), agents.keySet()));
        }
        return found;
    }
}
