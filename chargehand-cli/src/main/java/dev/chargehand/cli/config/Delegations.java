package dev.chargehand.cli.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks who delegates to whom: every sub-agent is there, has a description, and is not above itself. */
final class Delegations {

    private final AgentsFile file;
    private final Set<String> checked = new HashSet<>();

    private Delegations(AgentsFile file) {
        this.file = file;
    }

    static void check(AgentsFile file) {
        Delegations delegations = new Delegations(file);
        file.agents().values().forEach(agent -> delegations.check(agent, List.of(agent.id())));
    }

    private void check(AgentEntry agent, List<String> path) {
        if (checked.contains(agent.id())) {
            return;
        }
        for (Setting id : agent.agents()) {
            AgentEntry sub = find(agent, id);
            List<String> longer = new ArrayList<>(path);
            longer.add(id.text());
            if (path.contains(id.text())) {
                throw id.at()
                        .error("agents delegate in a circle: "
                                + String.join(" > ", longer.subList(path.indexOf(id.text()), longer.size()))
                                + ". An agent cannot stand below itself; take one of them out.");
            }
            if (sub.description().isEmpty()) {
                throw sub.at()
                        .error("agent '" + sub.id() + "' is a sub-agent of '" + agent.id()
                                + "' and needs a description: the model decides by it when to delegate.");
            }
            check(sub, longer);
        }
        checked.add(agent.id());
    }

    private AgentEntry find(AgentEntry agent, Setting id) {
        AgentEntry sub = file.agents().get(id.text());
        if (sub == null) {
            throw id.at()
                    .error("unknown agent '" + id.text() + "' among the agents of '" + agent.id() + "'."
                            + Names.allowed(
                                    "There are", id.text(), file.agents().keySet()));
        }
        return sub;
    }
}
