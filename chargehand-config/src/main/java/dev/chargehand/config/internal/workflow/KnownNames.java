package dev.chargehand.config.internal.workflow;

import java.util.Collection;
import java.util.List;

/** The names in a file that steps may use. */
public record KnownNames(Collection<String> agents, Collection<String> tools, Collection<String> workflows) {

    public KnownNames {
        agents = List.copyOf(agents);
        tools = List.copyOf(tools);
        workflows = List.copyOf(workflows);
    }
}
