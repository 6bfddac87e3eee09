package dev.chargehand.config.internal.file;

import dev.chargehand.command.CommandTool;
import dev.chargehand.config.internal.server.ServerEntry;
import dev.chargehand.config.internal.workflow.WorkflowDefinition;
import dev.chargehand.document.NameSuggestions;
import dev.chargehand.document.Setting;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.openapi.OpenApiTools;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the reader has read of a file; null where the file sets nothing.
 *
 * @param tools the names of all tools that its agents can have
 */
public record FileDefinition(
        String name,
        Path folder,
        List<Setting> models,
        @Nullable Setting defaultAgent,
        @Nullable Setting docs,
        @Nullable Setting store,
        OptionsEntry options,
        List<ProviderEntry> providers,
        ServerEntry server,
        Map<String, CommandTool> commands,
        Map<String, OpenApiTools> apis,
        Set<String> tools,
        Map<String, AgentDefinition> agents,
        Map<String, WorkflowDefinition> workflows) {

    public FileDefinition {
        models = List.copyOf(models);
        providers = List.copyOf(providers);
        commands = Collections.unmodifiableMap(new LinkedHashMap<>(commands));
        apis = Collections.unmodifiableMap(new LinkedHashMap<>(apis));
        tools = Set.copyOf(tools);
        agents = Collections.unmodifiableMap(new LinkedHashMap<>(agents));
        workflows = Collections.unmodifiableMap(new LinkedHashMap<>(workflows));
    }

    /**
     * Return the agent of an id.
     *
     * @throws ConfigurationException if there is none
     */
    public AgentDefinition agent(Setting id) {
        AgentDefinition found = agents.get(id.text());
        if (found == null) {
            throw id.at()
                    .error("unknown agent '" + id.text() + "'."
                            + NameSuggestions.allowed("There are", id.text(), agents.keySet()));
        }
        return found;
    }

    /**
     * Return the workflow of an id.
     *
     * @throws ConfigurationException if there is none
     */
    public WorkflowDefinition workflow(Setting id) {
        WorkflowDefinition found = workflows.get(id.text());
        if (found == null) {
            throw id.at()
                    .error("unknown workflow '" + id.text() + "'."
                            + NameSuggestions.allowed("There are", id.text(), workflows.keySet()));
        }
        return found;
    }
}
