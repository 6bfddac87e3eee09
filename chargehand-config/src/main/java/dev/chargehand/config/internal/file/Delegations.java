package dev.chargehand.config.internal.file;

import dev.chargehand.config.internal.workflow.WorkflowDefinition;
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

/**
 * Checks who delegates to whom: every sub-agent and workflow exists, has a description if a model decides about it, and is not
 * its own ancestor.
 */
final class Delegations {

    private final Map<String, AgentDefinition> agents;
    private final Map<String, WorkflowDefinition> workflows;
    private final Mistakes mistakes;
    private final Set<String> checked = new HashSet<>();

    private Delegations(
            Map<String, AgentDefinition> agents, Map<String, WorkflowDefinition> workflows, Mistakes mistakes) {
        this.agents = agents;
        this.workflows = workflows;
        this.mistakes = mistakes;
    }

    static void check(
            Map<String, AgentDefinition> agents, Map<String, WorkflowDefinition> workflows, Mistakes mistakes) {
        Delegations delegations = new Delegations(agents, workflows, mistakes);
        agents.keySet().forEach(id -> delegations.check(id, List.of(id)));
        workflows.keySet().forEach(id -> delegations.check(id, List.of(id)));
    }

    /** Check a further version of an agent: its sub-agents are those of the file, and none of them delegates to it. */
    static void check(
            Map<String, AgentDefinition> agents,
            Map<String, WorkflowDefinition> workflows,
            AgentDefinition version,
            Mistakes mistakes) {
        Map<String, AgentDefinition> all = new LinkedHashMap<>(agents);
        all.put(version.id(), version);
        new Delegations(all, workflows, mistakes).check(version.id(), List.of(version.id()));
    }

    /** Check what is below an agent or a workflow; agents and workflows have different ids. */
    private void check(String id, List<String> path) {
        if (!checked.add(id)) {
            return;
        }
        AgentDefinition agent = agents.get(id);
        if (agent != null) {
            agent.agents().forEach(sub -> subAgent(agent, sub, path));
            agent.workflows().forEach(workflow -> workflow(agent, workflow, path));
            return;
        }
        WorkflowDefinition workflow = workflows.get(id);
        if (workflow != null) {
            workflow.children().forEach(child -> below(child, path)); // whether they exist has been checked
        }
    }

    private void subAgent(AgentDefinition agent, Setting id, List<String> path) {
        AgentDefinition sub = agents.get(id.text());
        if (sub == null) {
            mistakes.add(
                    id.at(),
                    "unknown agent '" + Section.shown(id.text()) + "' among the agents of '" + agent.id() + "'."
                            + NameSuggestions.allowed("There are", id.text(), agents.keySet()));
        } else if (below(id, path) && sub.description().isEmpty()) {
            mistakes.add(
                    sub.at(),
                    "agent '" + sub.id() + "' is a sub-agent of '" + agent.id()
                            + "' and needs a description: the model decides by it when to delegate.");
        }
    }

    private void workflow(AgentDefinition agent, Setting id, List<String> path) {
        WorkflowDefinition workflow = workflows.get(id.text());
        if (workflow == null) {
            mistakes.add(
                    id.at(),
                    "unknown workflow '" + Section.shown(id.text()) + "' among the workflows of '" + agent.id() + "'."
                            + NameSuggestions.allowed("There are", id.text(), workflows.keySet()));
        } else if (below(id, path) && workflow.description().isEmpty()) {
            mistakes.add(
                    workflow.at(),
                    "workflow '" + workflow.id() + "' is a tool of '" + agent.id()
                            + "' and needs a description: the model decides by it when to call it.");
        }
    }

    /** Check an agent or a workflow below the end of a path; return whether it may be there. */
    private boolean below(Setting id, List<String> path) {
        if (path.contains(id.text())) {
            List<String> circle = new ArrayList<>(path.subList(path.indexOf(id.text()), path.size()));
            circle.add(id.text());
            String who = circle.stream().allMatch(agents::containsKey) ? "agents" : "agents and workflows";
            String what = agents.containsKey(id.text()) ? "An agent" : "A workflow";
            mistakes.add(
                    id.at(),
                    who + " delegate in a circle: " + String.join(" > ", circle) + ". " + what
                            + " cannot stand below itself; take one of them out.");
            return false;
        }
        if (agents.containsKey(id.text()) || workflows.containsKey(id.text())) {
            List<String> longer = new ArrayList<>(path);
            longer.add(id.text());
            check(id.text(), longer);
        }
        return true;
    }
}
