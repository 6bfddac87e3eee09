package dev.chargehand.config.internal.file;

import dev.chargehand.document.Mistakes;
import dev.chargehand.document.NameSuggestions;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Checks who delegates to whom: every sub-agent exists, has a description, and is not its own ancestor. */
final class Delegations {

    private final Map<String, AgentDefinition> agents;
    private final Mistakes mistakes;
    private final Set<String> checked = new HashSet<>();

    private Delegations(Map<String, AgentDefinition> agents, Mistakes mistakes) {
        this.agents = agents;
        this.mistakes = mistakes;
    }

    static void check(Map<String, AgentDefinition> agents, Mistakes mistakes) {
        Delegations delegations = new Delegations(agents, mistakes);
        agents.values().forEach(agent -> delegations.check(agent, List.of(agent.id())));
    }

    /** Check a further version of an agent: its sub-agents are those of the file, and none of them delegates to it. */
    static void check(Map<String, AgentDefinition> agents, AgentDefinition version, Mistakes mistakes) {
        Map<String, AgentDefinition> all = new LinkedHashMap<>(agents);
        all.put(version.id(), version);
        new Delegations(all, mistakes).check(version, List.of(version.id()));
    }

    private void check(AgentDefinition agent, List<String> path) {
        if (!checked.add(agent.id())) {
            return;
        }
        for (Setting id : agent.agents()) {
            AgentDefinition sub = agents.get(id.text());
            List<String> longer = new ArrayList<>(path);
            longer.add(id.text());
            if (sub == null) {
                mistakes.add(
                        id.at(),
                        "unknown agent '" + Section.shown(id.text()) + "' among the agents of '" + agent.id() + "'."
                                + NameSuggestions.allowed("There are", id.text(), agents.keySet()));
            } else if (path.contains(id.text())) {
                mistakes.add(
                        id.at(),
                        "agents delegate in a circle: "
                                + String.join(" > ", longer.subList(path.indexOf(id.text()), longer.size()))
                                + ". An agent cannot stand below itself; take one of them out.");
            } else {
                if (sub.description().isEmpty()) {
                    mistakes.add(
                            sub.at(),
                            "agent '" + sub.id() + "' is a sub-agent of '" + agent.id()
                                    + "' and needs a description: the model decides by it when to delegate.");
                }
                check(sub, longer);
            }
        }
    }
}
