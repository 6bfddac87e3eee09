package dev.chargehand.config.internal.workflow;

import dev.chargehand.config.internal.key.WorkflowKeys;
import dev.chargehand.document.Mistakes;
import dev.chargehand.document.Position;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import dev.chargehand.json.Json;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the workflows of a file. */
public final class WorkflowReader {

    /** The tool of a workflow, {@code workflow-<id>}, has a name of at most 64 characters. */
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,55}");

    private static final int LONGEST_VERSION = 64;

    private WorkflowReader() {}

    /**
     * Read all workflows of a file.
     *
     * @param agents the ids of the agents of the file
     * @param tools the names of the tools that a step may call
     */
    public static Map<String, WorkflowDefinition> all(
            Section file, Collection<String> agents, Collection<String> tools) {
        Section listed = file.section("workflows", "'workflows'");
        KnownNames known = new KnownNames(agents, tools, listed.keys());
        Map<String, WorkflowDefinition> workflows = new LinkedHashMap<>();
        for (String id : listed.keys()) {
            workflows.put(id, one(id, listed, known));
        }
        return workflows;
    }

    private static WorkflowDefinition one(String id, Section listed, KnownNames known) {
        Mistakes mistakes = listed.mistakes();
        Position at = listed.at(id);
        String name = "workflow '" + Section.shown(id) + "'";
        if (!ID.matcher(id).matches()) {
            mistakes.add(
                    at, name + " has an id that cannot be used. Allowed are 1 to 55 letters, digits, '_' and '-'.");
        }
        if (known.agents().contains(id)) {
            mistakes.add(at, name + " has the id of an agent. Give one of them another id.");
        }
        int before = mistakes.count();
        Section workflow = listed.section(id, name).allowing(WorkflowKeys.SECTION.names());
        boolean misspelt = mistakes.count() > before;
        Setting version = workflow.text("version");
        if (version != null && version.text().length() > LONGEST_VERSION) {
            mistakes.add(version.at(), "'version' of " + name + " must have at most 64 characters.");
        }
        List<Section> items = workflow.items("steps", "a step of " + name);
        if (listed.isSection(id)
                && items.isEmpty()
                && !misspelt
                && (!workflow.has("steps") || workflow.isList("steps"))) {
            mistakes.add(at, name + " has no steps. Put a list of them below 'steps'.");
        }
        return new WorkflowDefinition(
                id,
                at,
                workflow.textOr("description", workflow.has("description") ? "-" : ""),
                version == null ? null : version.text().strip(),
                workflow.schema("input").orElse(null),
                workflow.schema("output").orElse(null),
                state(workflow, name),
                new EntryReader(name, known, workflow.has("state"), mistakes).all(items));
    }

    private static @Nullable Json state(Section workflow, String name) {
        Json state = workflow.json("state").orElse(null);
        if (state != null && !state.isObject()) {
            workflow.mistakes().add(workflow.at("state"), "'state' of " + name + " must have keys and values.");
            return null;
        }
        return state;
    }
}
