package dev.chargehand.run;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import java.util.ArrayList;
import java.util.List;

/**
 * The position of a run in a tree of delegations: the root agent's id, then the key of each sub-agent.
 *
 * <p>Two concurrent delegations to the same sub-agent have the same path and different run ids.
 */
public record AgentPath(List<String> segments) {

    public AgentPath {
        segments = List.copyOf(segments);
        if (segments.isEmpty()) {
            throw new ConfigurationException("An agent path has at least one segment.");
        }
    }

    /** Make the path of a root run. */
    public static AgentPath root(String agentId) {
        return new AgentPath(List.of(agentId));
    }

    /** Read the form that {@link #toString} writes. */
    public static AgentPath parse(String path) {
        return new AgentPath(List.of(path.split("/", -1)));
    }

    /** Return the path of a sub-agent of this one. */
    @CheckReturnValue
    public AgentPath child(String key) {
        List<String> longer = new ArrayList<>(segments);
        longer.add(key);
        return new AgentPath(longer);
    }

    /** Return the depth, counting the root as 1. */
    public int depth() {
        return segments.size();
    }

    /** Return whether this is the path of a root run. */
    public boolean isRoot() {
        return segments.size() == 1;
    }

    /** Return the last segment: the agent's own key, or the root agent's id. */
    public String leaf() {
        return segments.getLast();
    }

    /** Return the segments with slashes between them, such as {@code supervisor/researcher}. */
    @Override
    public String toString() {
        return isRoot() ? leaf() : String.join("/", segments);
    }
}
