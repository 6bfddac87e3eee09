package dev.chargehand.internal.engine;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.run.AgentPath;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The agents that were given to a runtime, by id.
 *
 * @param agents in the order they were given
 */
public record AgentRegistry(Map<String, AgentDefinition> agents) {

    public AgentRegistry {
        agents = Collections.unmodifiableMap(new LinkedHashMap<>(agents));
    }

    /**
     * Return an agent.
     *
     * @throws ConfigurationException if none of that id was given
     */
    public AgentDefinition require(String id) {
        AgentDefinition agent = agents.get(id);
        if (agent == null) {
            throw new ConfigurationException("There is no agent '" + id + "' in this runtime. Its agents: "
                    + (agents.isEmpty() ? "none" : String.join(", ", agents.keySet())) + ".");
        }
        return agent;
    }

    /** Return an agent, if one of that id was given. */
    Optional<AgentDefinition> find(String id) {
        return Optional.ofNullable(agents.get(id));
    }

    /** Return the agent at a path, if the agent at its root was given. */
    public Optional<AgentDefinition> find(AgentPath path) {
        Optional<AgentDefinition> agent = find(path.segments().getFirst());
        for (String key : path.segments().subList(1, path.depth())) {
            agent = agent.flatMap(above -> Optional.ofNullable(above.agents().get(key)));
        }
        return agent;
    }

    /** Return whether this very instance is found by its id. */
    @SuppressWarnings("ReferenceEquality") // equal ones may hold different code of the application
    boolean has(AgentDefinition agent) {
        return agents.get(agent.id()) == agent;
    }
}
