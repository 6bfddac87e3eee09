package dev.chargehand.config;

import dev.chargehand.command.CommandTool;
import dev.chargehand.config.choice.CrewOption;
import dev.chargehand.config.choice.CrewOptionException;
import dev.chargehand.config.internal.crew.AgentAssembly;
import dev.chargehand.config.internal.file.FileDefinition;
import dev.chargehand.config.internal.file.ToolEntry;
import dev.chargehand.document.Setting;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.openapi.OpenApiTools;
import dev.chargehand.workflow.Workflow;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The contents of a {@code chargehand.yaml}. Its agents fit together: every sub-agent and tool is known, and there is no
 * cycle. {@link Crew} builds what the file defines. Immutable.
 */
public final class AgentsFile {

    private final FileDefinition definition;
    private final Map<String, AgentEntry> agents;
    private final Map<String, WorkflowEntry> workflows;

    AgentsFile(FileDefinition definition) {
        this.definition = definition;
        Map<String, AgentEntry> entries = new LinkedHashMap<>();
        definition.agents().forEach((id, agent) -> entries.put(id, new AgentEntry(agent)));
        this.agents = Collections.unmodifiableMap(entries);
        Map<String, WorkflowEntry> flows = new LinkedHashMap<>();
        definition.workflows().forEach((id, workflow) -> flows.put(id, new WorkflowEntry(workflow)));
        this.workflows = Collections.unmodifiableMap(flows);
    }

    FileDefinition definition() {
        return definition;
    }

    /** Return the file as the user knows it. */
    public String name() {
        return definition.name();
    }

    /** Return the folder of the file; paths in the file are relative to it. */
    public Path folder() {
        return definition.folder();
    }

    /** Return the model of agents that name none, and its fallbacks; empty for none. */
    public List<Setting> models() {
        return definition.models();
    }

    /** Return the id of the agent that runs if a caller names none. */
    public Optional<Setting> defaultAgent() {
        return Optional.ofNullable(definition.defaultAgent());
    }

    /** Return the folder of the documents; without it, {@code docs} next to the file. */
    public Optional<Setting> docs() {
        return Optional.ofNullable(definition.docs());
    }

    /** Return the store of runs and conversations. */
    public Optional<Setting> store() {
        return Optional.ofNullable(definition.store());
    }

    /** Return what the file says of the server of its agents. */
    public ServerSettings server() {
        return new ServerSettings(definition.server());
    }

    /** Return the tools that run programs, by name. */
    public Map<String, CommandTool> commands() {
        return definition.commands();
    }

    /** Return the tools that call operations of HTTP APIs, by the name of the API. */
    public Map<String, OpenApiTools> apis() {
        return definition.apis();
    }

    /** Return the agents by id, in the order of the file. */
    public Map<String, AgentEntry> agents() {
        return agents;
    }

    /** Return the workflows by id, in the order of the file. */
    public Map<String, WorkflowEntry> workflows() {
        return workflows;
    }

    /**
     * Return the workflow of an id.
     *
     * @throws ConfigurationException if there is none
     */
    public WorkflowEntry workflow(Setting id) {
        return Objects.requireNonNull(workflows.get(definition.workflow(id).id()));
    }

    /**
     * Return a workflow as far as the file alone can make it, for its picture and its schemas: its agents have no models and no
     * tools, so it cannot be run.
     *
     * @throws ConfigurationException if the workflow is not valid
     */
    public Workflow<Json, Json> outline(WorkflowEntry entry) {
        return AgentAssembly.outline(definition, entry.definition());
    }

    /**
     * Return the agent to run: the one asked for, else the file's default, else the only one.
     *
     * @param asked the agent asked for, or null
     * @throws ConfigurationException if there is no such agent
     * @throws CrewOptionException if none was named and the file has no default
     */
    public AgentEntry agent(@Nullable Setting asked) {
        if (asked != null) {
            return find(asked);
        }
        Optional<AgentEntry> usual = usual();
        if (usual.isPresent()) {
            return usual.get();
        }
        Set<String> ids = agents.keySet();
        throw new CrewOptionException(
                CrewOption.AGENT,
                name() + ": has " + ids.size() + " agents, but does not name the one that runs."
                        + " Add the line 'default: "
                        + ids.iterator().next()
                        + "', or name one of the agents: " + String.join(", ", ids) + ".");
    }

    /**
     * Return the agent that is run unless another one is named: the file's default, else the only one.
     *
     * @throws ConfigurationException if the default is not one of the agents
     */
    public Optional<AgentEntry> usual() {
        return defaultAgent()
                .map(this::find)
                .or(() -> agents.size() == 1 ? agents.values().stream().findFirst() : Optional.empty());
    }

    /** Return whether a run of an agent may have to wait for approval. */
    public boolean mayWait(AgentEntry agent) {
        return agent.tools().stream().anyMatch(tool -> waits(agent, tool))
                || agent.requireToolApproval()
                || agent.agents().stream().anyMatch(id -> mayWait(find(id)))
                || !agent.workflows().isEmpty(); // which may ask or sleep
    }

    /** Return whether every call of a tool of an agent waits for approval, because either of them requires it. */
    public boolean waits(AgentEntry agent, Setting tool) {
        String name = tool.text();
        CommandTool command = commands().get(name);
        return agent.requireToolApproval()
                || agent.definition().tools().stream()
                        .filter(entry -> entry.name().text().equals(name))
                        .anyMatch(ToolEntry::approval)
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
        return Objects.requireNonNull(agents.get(definition.agent(id).id()));
    }
}
