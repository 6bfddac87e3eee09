package dev.chargehand.internal.engine;

import dev.chargehand.Agent;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.run.AgentPath;
import java.util.Map;
import java.util.Optional;

/**
 * The agents that were given to a runtime, by id.
 *
 * @param agents in the order they were given
 */
public record AgentRegistry(Map<String, Agent> agents) {

    /**
     * Return an agent.
     *
     * @throws ConfigurationException if none of that id was given
     */
    public Agent require(String id) {
        Agent agent = agents.get(id);
        if (agent == null) {
            throw new ConfigurationException("There is no agent '" + id + "' in this runtime. Its agents: "
                    + (agents.isEmpty() ? "none" : String.join(", ", agents.keySet())) + ".");
        }
        return agent;
    }

    /** Return an agent, if one of that id was given. */
    Optional<Agent> find(String id) {
        return Optional.ofNullable(agents.get(id));
    }

    /** Return the agent at a path, if the agent at its root was given. */
    public Optional<Agent> find(AgentPath path) {
        Optional<Agent> agent = find(path.segments().getFirst());
        for (String key : path.segments().subList(1, path.depth())) {
            agent = agent.flatMap(above -> Optional.ofNullable(above.agents().get(key)));
        }
        return agent;
    }

    /** Return whether this very instance is found by its id. */
    boolean has(Agent agent) {
        return agents.get(agent.id()) == agent;
    }
}
