package dev.chargehand.cli.output;

import dev.chargehand.config.AgentEntry;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.document.Setting;
import dev.chargehand.json.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** Shows the agents of a file. */
public final class AgentLines {

    private static final int WIDEST = 60;

    private final AgentsFile file;
    private final Function<AgentEntry, List<String>> models;

    /**
     * Show the agents of a file.
     *
     * @param models returns the names of an agent's models
     */
    public AgentLines(AgentsFile file, Function<AgentEntry, List<String>> models) {
        this.file = file;
        this.models = models;
    }

    /**
     * Return a line for each agent, with its sub-agents indented; a shared sub-agent is expanded only once.
     */
    public List<String> tree() {
        Set<String> below = new HashSet<>();
        file.agents().values().forEach(agent -> agent.agents().forEach(id -> below.add(id.text())));
        List<List<String>> rows = new ArrayList<>();
        Set<String> shown = new HashSet<>();
        file.agents().values().stream()
                .filter(agent -> !below.contains(agent.id()))
                .forEach(agent -> add(agent, 0, rows, shown));
        return Table.lines(rows);
    }

    private void add(AgentEntry agent, int depth, List<List<String>> rows, Set<String> shown) {
        boolean again = !shown.add(agent.id());
        rows.add(List.of(
                "  ".repeat(depth) + agent.id() + (isDefault(agent) ? " (default)" : ""),
                Visible.line(String.join(", then ", models.apply(agent)), WIDEST),
                again && !agent.agents().isEmpty() ? "see above" : Visible.line(tools(agent), WIDEST),
                Visible.line(agent.description(), WIDEST)));
        if (!again) {
            agent.agents().forEach(id -> add(file.find(id), depth + 1, rows, shown));
        }
    }

    private boolean isDefault(AgentEntry agent) {
        return file.usual().filter(agent::equals).isPresent();
    }

    private String tools(AgentEntry agent) {
        return String.join(
                ", ",
                Stream.concat(
                                agent.tools().stream()
                                        .map(tool ->
                                                tool.text() + (file.waits(agent, tool) ? " (needs approval)" : "")),
                                agent.workflows().stream().map(workflow -> "workflow " + workflow.text()))
                        .toList());
    }

    /** Return each agent as one JSON object, in the file's order. */
    public List<Json> json() {
        return file.agents().values().stream().map(this::json).toList();
    }

    private Json json(AgentEntry agent) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", agent.id());
        fields.put("default", isDefault(agent));
        fields.put("description", agent.description());
        fields.put("models", models.apply(agent));
        fields.put("agents", agent.agents().stream().map(Setting::text).toList());
        fields.put("workflows", agent.workflows().stream().map(Setting::text).toList());
        fields.put(
                "tools", agent.tools().stream().map(tool -> json(agent, tool)).toList());
        return Json.of(fields);
    }

    private Map<String, Object> json(AgentEntry agent, Setting tool) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", tool.text());
        fields.put("approval", file.waits(agent, tool));
        return fields;
    }
}
