package dev.chargehand.config.internal.file;

import dev.chargehand.command.CommandTool;
import dev.chargehand.config.internal.key.AgentKeys;
import dev.chargehand.config.internal.key.FileKeys;
import dev.chargehand.config.internal.key.MemoryKeys;
import dev.chargehand.config.internal.workflow.WorkflowDefinition;
import dev.chargehand.config.internal.workflow.WorkflowReader;
import dev.chargehand.document.DocumentException;
import dev.chargehand.document.Mistakes;
import dev.chargehand.document.NameSuggestions;
import dev.chargehand.document.Position;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import dev.chargehand.document.YamlText;
import dev.chargehand.openapi.OpenApiTools;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the file, and collects all separate mistakes in it. */
public final class FileReader {

    private static final Map<String, String> BELOW_MEMORY = MemoryKeys.SECTION.names().stream()
            .collect(Collectors.toMap(key -> key, key -> " It is a key of 'memory': memory: { " + key + ": … }."));

    private final Mistakes mistakes;
    private final Set<String> tools;

    private FileReader(Mistakes mistakes, Set<String> tools) {
        this.mistakes = mistakes;
        this.tools = tools;
    }

    /**
     * Read a file.
     *
     * @param path where it is
     * @param name the file as the user knows it, for errors
     * @param tools the names of the tools an agent may have without a definition in the file
     * @throws DocumentException if it cannot be read, or there are mistakes in it
     */
    public static FileDefinition read(Path path, String name, Set<String> tools) {
        Path folder = path.toAbsolutePath().normalize().getParent();
        Mistakes mistakes = new Mistakes(name);
        Section top = Section.of(mistakes, "the file", new YamlText(name, mistakes).read(path));
        if (top.keys().isEmpty()) {
            mistakes.throwAny();
        }
        return new FileReader(mistakes, tools).file(name, folder == null ? path : folder, top);
    }

    private FileDefinition file(String name, Path folder, Section top) {
        top.allowing(FileKeys.SECTION.names());
        if (!top.has("agents")) {
            mistakes.add(mistakes.at(1, 1), "has no agents. Add the key 'agents' with one agent under it.");
        }
        Map<String, CommandTool> commands = CommandReader.all(top, folder, tools);
        Map<String, OpenApiTools> apis = OpenApiReader.all(top, name, folder, tools);
        Section listed = top.section("agents", "'agents'");
        Map<String, AgentDefinition> agents = new LinkedHashMap<>();
        Set<String> known = new TreeSet<>(tools);
        known.addAll(commands.keySet());
        known.addAll(apis.keySet());
        apis.values().forEach(api -> api.operations().forEach(operation -> known.add(operation.name())));
        listed.keys().forEach(id -> agents.put(id, agent(id, listed, known, apis)));
        if (top.isSection("agents") && agents.isEmpty()) {
            mistakes.add(top.at("agents"), "'agents' is empty. Put at least one agent under it.");
        }
        Setting first = top.text("default");
        if (first != null && !agents.isEmpty() && !agents.containsKey(first.text())) {
            mistakes.add(
                    first.at(),
                    "unknown agent '" + Section.shown(first.text()) + "'."
                            + NameSuggestions.allowed("There are", first.text(), agents.keySet()));
        }
        Set<String> callable = new TreeSet<>(known);
        callable.removeAll(apis.keySet()); // each stands for several tools
        Map<String, WorkflowDefinition> workflows = WorkflowReader.all(top, agents.keySet(), callable);
        Delegations.check(agents, workflows, mistakes);
        FileDefinition read = new FileDefinition(
                name,
                folder,
                top.oneOrMore("model"),
                first,
                top.text("docs"),
                top.text("store"),
                OptionsReader.ofFile(top),
                ProviderEntry.all(top),
                commands,
                apis,
                agents,
                workflows);
        mistakes.throwAny();
        return read;
    }

    private AgentDefinition agent(String id, Section listed, Set<String> known, Map<String, OpenApiTools> apis) {
        Position at = listed.at(id);
        if (id.isEmpty() || !Tool.isValidName("agent-" + id)) {
            mistakes.add(
                    at,
                    "agent '" + Section.shown(id)
                            + "' has an id that cannot be used. Allowed are 1 to 58 letters, digits,"
                            + " '_' and '-'.");
        }
        if (!listed.isSection(id) && AgentKeys.SECTION.names().contains(id)) {
            mistakes.add(
                    at,
                    "'" + id
                            + "' is a setting, but is at the level of the agents' ids. Indent it further, so that it is under its agent.");
        }
        Section agent = listed.section(id, "agent '" + Section.shown(id) + "'")
                .allowing(AgentKeys.SECTION.names(), BELOW_MEMORY);
        List<ToolEntry> its = agent.named("tools").entrySet().stream()
                .map(entry -> tool(id, entry.getKey(), entry.getValue(), known))
                .flatMap(tool -> operations(tool, apis))
                .collect(Collectors.toMap(tool -> tool.name().text(), tool -> tool, ToolEntry::and, LinkedHashMap::new))
                .values()
                .stream()
                .toList();
        List<Setting> agents = agent.texts("agents");
        List<Setting> workflows = agent.texts("workflows");
        List<String> callable = callable(its, agents, workflows);
        return new AgentDefinition(
                id,
                at,
                agent.textOr("instructions", ""),
                agent.textOr("description", agent.has("description") ? "-" : ""),
                agent.oneOrMore("model"),
                agents,
                workflows,
                its,
                MemoryEntry.of(id, agent),
                Boolean.TRUE.equals(AgentKeys.REQUIRE_TOOL_APPROVAL.in(agent)),
                completion(id, agent, callable),
                ProcessorsReader.of(id, agent, callable),
                StructuredOutputEntry.of(id, agent),
                DelegationEntry.of(agent),
                AgentKeys.DELEGATION_MEMORY.in(agent),
                OptionsReader.ofAgent(id, agent));
    }

    private @Nullable CompletionEntry completion(String id, Section agent, List<String> callable) {
        return agent.has("completion") ? new CompletionReader(id, callable, mistakes).read(agent) : null;
    }

    /** Read a tool: a name, or a name with settings. */
    private ToolEntry tool(String id, Setting name, Optional<Section> settings, Set<String> known) {
        if (!known.contains(name.text())) {
            mistakes.add(
                    name.at(),
                    "unknown tool '" + Section.shown(name.text()) + "' of agent '" + id + "'."
                            + NameSuggestions.allowed("There are", name.text(), known));
        }
        boolean approval = settings.map(section -> Boolean.TRUE.equals(
                        section.allowing(AgentKeys.OfTool.SECTION.names()).flag("approval")))
                .orElse(false);
        return new ToolEntry(name, approval);
    }

    /** Return a tool, or the operations of the API that it names. */
    private static Stream<ToolEntry> operations(ToolEntry tool, Map<String, OpenApiTools> apis) {
        OpenApiTools api = apis.get(tool.name().text());
        return api == null
                ? Stream.of(tool)
                : api.operations().stream()
                        .map(operation -> new ToolEntry(
                                new Setting(operation.name(), tool.name().at()), tool.approval()));
    }

    /** The names by which an agent's model calls its tools, sub-agents and workflows. */
    private static List<String> callable(List<ToolEntry> tools, List<Setting> agents, List<Setting> workflows) {
        return Stream.of(
                        tools.stream().map(tool -> tool.name().text()),
                        agents.stream().map(id -> "agent-" + id.text()),
                        workflows.stream().map(id -> "workflow-" + id.text()))
                .flatMap(names -> names)
                .toList();
    }
}
