package dev.chargehand.config.internal.file;

import dev.chargehand.command.CommandTool;
import dev.chargehand.config.internal.key.AgentKeys;
import dev.chargehand.config.internal.key.FileKeys;
import dev.chargehand.config.internal.key.MemoryKeys;
import dev.chargehand.config.internal.server.ServerEntry;
import dev.chargehand.config.internal.workflow.WorkflowDefinition;
import dev.chargehand.config.internal.workflow.WorkflowReader;
import dev.chargehand.document.DocumentException;
import dev.chargehand.document.Mistakes;
import dev.chargehand.document.NameSuggestions;
import dev.chargehand.document.Position;
import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import dev.chargehand.document.YamlText;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.openapi.OpenApiTools;
import dev.chargehand.tool.Tool;
import dev.chargehand.version.Version;
import java.nio.file.Path;
import java.util.ArrayList;
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

    /** The keys of an agent in whose values no environment variable is replaced. */
    private static final Set<String> TEXTS = Set.of(AgentKeys.INSTRUCTIONS.name(), AgentKeys.DESCRIPTION.name());

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

    /**
     * Read only where the store of a file is; other keys may have mistakes.
     *
     * @param path where it is
     * @param name the file as the user knows it, for errors
     * @throws DocumentException if the file is not readable as YAML, or the key has a mistake
     */
    public static Optional<Setting> store(Path path, String name) {
        Mistakes mistakes = new Mistakes(name);
        Section top = Section.of(mistakes, "the file", new YamlText(name, mistakes).read(path));
        Setting store = top.text("store");
        mistakes.throwAny();
        return Optional.ofNullable(store);
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
        agents.values().forEach(agent -> agent.versions()
                .forEach(version -> Delegations.check(agents, workflows, version, mistakes)));
        FileDefinition read = new FileDefinition(
                name,
                folder,
                top.oneOrMore("model"),
                first,
                top.text("docs"),
                top.text("store"),
                OptionsReader.ofFile(top),
                ProviderEntry.all(top),
                ServerEntry.of(top, agents.keySet()),
                commands,
                apis,
                known,
                agents,
                workflows);
        mistakes.throwAny();
        return read;
    }

    /**
     * Read a saved version of an agent of a file: the keys of the agent, without its id.
     *
     * @throws DocumentException if there are mistakes in it
     */
    public static AgentDefinition version(FileDefinition file, String agentId, String version, String text) {
        if (!file.agents().containsKey(agentId)) {
            throw new ConfigurationException(file.name() + ": has no agent '" + agentId + "'."
                    + NameSuggestions.allowed(
                            "There are", agentId, file.agents().keySet())
                    + " A version is saved of an agent of the file.");
        }
        String name = "version '" + version + "' of agent '" + agentId + "'";
        Mistakes mistakes = new Mistakes(name);
        Section section = Section.of(mistakes, name, new YamlText(name, mistakes).read(text));
        section.keys().stream()
                .filter(key -> !TEXTS.contains(key)
                        && section.json(key)
                                .filter(value -> value.text().contains("${"))
                                .isPresent())
                .forEach(key -> mistakes.add(
                        section.valueAt(key),
                        "'" + Section.shown(key)
                                + "' has a '${' in it, but a saved version uses no environment variables."
                                + " Write the value itself."));
        mistakes.throwAny();
        FileReader reader = new FileReader(mistakes, file.tools());
        AgentDefinition read = reader.version(agentId, version, section.at(), section, file.tools(), file.apis());
        Delegations.check(file.agents(), file.workflows(), read, mistakes);
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
        return definition(id, at, versionOf(id, agent), agent, known, apis, versions(id, agent, known, apis));
    }

    private @Nullable String versionOf(String id, Section agent) {
        Setting version = AgentKeys.VERSION.in(agent);
        if (version != null) {
            checkVersion(id, version.text(), version.at());
        }
        return version == null ? null : version.text();
    }

    private void checkVersion(String id, String version, Position at) {
        try {
            Version ignored = Version.id(version);
        } catch (ConfigurationException e) {
            mistakes.add(at, "agent '" + Section.shown(id) + "': " + e.getMessage());
        }
    }

    private List<AgentDefinition> versions(
            String id, Section agent, Set<String> known, Map<String, OpenApiTools> apis) {
        Section named = agent.section("versions", "'versions' of agent '" + Section.shown(id) + "'");
        if (agent.has("versions") && !agent.has("version")) {
            mistakes.add(
                    agent.at("versions"),
                    "agent '" + Section.shown(id)
                            + "' has further versions, so it needs 'version' too: the name of the one that is used"
                            + " unless another is selected.");
        }
        List<AgentDefinition> versions = new ArrayList<>();
        for (String version : named.keys()) {
            checkVersion(id, version, named.at(version));
            Setting own = AgentKeys.VERSION.in(agent);
            if (own != null && own.text().equals(version)) {
                mistakes.add(
                        named.at(version),
                        "agent '" + Section.shown(id) + "' has version '" + Section.shown(version)
                                + "' twice; give one of them another name.");
            }
            String name = "version '" + Section.shown(version) + "' of agent '" + Section.shown(id) + "'";
            versions.add(version(id, version, named.at(version), named.section(version, name), known, apis));
        }
        return versions;
    }

    private AgentDefinition version(
            String id,
            String version,
            Position at,
            Section section,
            Set<String> known,
            Map<String, OpenApiTools> apis) {
        Section agent = section.allowing(AgentKeys.OF_VERSION, BELOW_MEMORY);
        return definition(id, at, version, agent, known, apis, List.of());
    }

    private AgentDefinition definition(
            String id,
            Position at,
            @Nullable String version,
            Section agent,
            Set<String> known,
            Map<String, OpenApiTools> apis,
            List<AgentDefinition> versions) {
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
                version,
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
                BackgroundEntry.of(id, agent, agents, workflows),
                OptionsReader.ofAgent(id, agent),
                versions);
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
