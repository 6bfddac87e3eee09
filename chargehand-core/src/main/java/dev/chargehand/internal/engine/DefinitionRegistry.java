package dev.chargehand.internal.engine;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.definition.WorkflowDefinition;
import dev.chargehand.run.AgentPath;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The agents and workflows that were given to a runtime, by id, in the order they were given. No two of them have the same id: runs are
 * listed by it.
 */
public final class DefinitionRegistry {

    private final Map<String, RunDefinition> definitions;

    /**
     * Make it of agents and workflows.
     *
     * @throws ConfigurationException if two have the same id
     */
    public DefinitionRegistry(Map<String, AgentDefinition> agents, Collection<WorkflowDefinition> workflows) {
        Map<String, RunDefinition> all = new LinkedHashMap<>(agents);
        for (WorkflowDefinition workflow : workflows) {
            if (all.putIfAbsent(workflow.id(), workflow) != null) {
                throw new ConfigurationException("The id '" + workflow.id()
                        + "' is used twice among the agents and workflows of the runtime; ids must be unique.");
            }
        }
        this.definitions = Collections.unmodifiableMap(all);
    }

    /**
     * Return an agent or a workflow.
     *
     * @throws ConfigurationException if none of that id was given
     */
    public RunDefinition require(String id) {
        RunDefinition definition = definitions.get(id);
        if (definition == null) {
            throw new ConfigurationException("There is no agent or workflow '" + id + "' in this runtime. It has: "
                    + (definitions.isEmpty() ? "none" : String.join(", ", definitions.keySet())) + ".");
        }
        return definition;
    }

    /**
     * Return an agent.
     *
     * @throws ConfigurationException if none of that id was given
     */
    public AgentDefinition requireAgent(String id) {
        if (require(id) instanceof AgentDefinition agent) {
            return agent;
        }
        throw new ConfigurationException("'" + id + "' is a workflow, not an agent.");
    }

    /** Return an agent or a workflow, if one of that id was given. */
    Optional<RunDefinition> find(String id) {
        return Optional.ofNullable(definitions.get(id));
    }

    /** Return what runs at a path, if the definition at its root was given. */
    public Optional<RunDefinition> find(AgentPath path) {
        Optional<RunDefinition> definition = find(path.segments().getFirst());
        for (String key : path.segments().subList(1, path.depth())) {
            definition = definition.flatMap(
                    above -> Optional.ofNullable(above.children().get(key)));
        }
        return definition;
    }

    /** Return whether this very instance of an agent or workflow is found by its id. */
    @SuppressWarnings("ReferenceEquality") // equal agents may hold different code of the application
    boolean has(RunDefinition definition) {
        RunDefinition known = definitions.get(definition.id());
        return switch (definition) {
            case AgentDefinition agent -> known == agent;
            case WorkflowDefinition workflow -> workflow.equals(known); // which is made anew for each call
        };
    }
}
