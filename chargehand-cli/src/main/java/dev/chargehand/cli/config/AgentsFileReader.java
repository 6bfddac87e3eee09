package dev.chargehand.cli.config;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.tool.Tool;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Reads an {@link AgentsFile}.
 *
 * <p>The first mistake ends the reading with a {@link ConfigurationException} that says the file, the line, what is
 * wrong, what is allowed and, for a name, which one was probably meant.
 */
public final class AgentsFileReader {

    /** What the file is called unless the user says otherwise. */
    public static final String NAME = "chargehand.yaml";

    private static final List<String> KEYS = List.of("model", "default", "docs", "store", "agents");
    private static final List<String> AGENT_KEYS = Stream.concat(
                    Stream.of(
                            "description",
                            "instructions",
                            "model",
                            "agents",
                            "tools",
                            "maxSteps",
                            "lastMessages",
                            "requireToolApproval",
                            "completion"),
                    DelegationEntry.KEYS.stream())
            .toList();

    private static final List<String> TOOL_KEYS = List.of("approval");

    private final String file;
    private final Set<String> tools;

    private AgentsFileReader(String file, Set<String> tools) {
        this.file = file;
        this.tools = tools;
    }

    /**
     * Reads a file.
     *
     * @param path where it is
     * @param name the file as the user knows it, for errors
     * @param tools the names of the tools an agent may have
     * @throws ConfigurationException if it cannot be read, or there is a mistake in it
     */
    public static AgentsFile read(Path path, String name, Set<String> tools) {
        Path folder = path.toAbsolutePath().normalize().getParent();
        return new AgentsFileReader(name, tools).file(folder == null ? path : folder, text(path, name));
    }

    private static String text(Path path, String name) {
        try {
            return Files.readString(path);
        } catch (NoSuchFileException e) {
            throw new ConfigurationException(
                    name + ": there is no such file. Make one (docs/cli.md shows how), or name another with --config.",
                    e);
        } catch (CharacterCodingException e) {
            throw new ConfigurationException(name + ": is not a text in UTF-8. Save it as one.", e);
        } catch (IOException e) {
            throw new ConfigurationException(
                    name + ": cannot be read (" + e.getClass().getSimpleName() + "). Is it a file, and yours to read?",
                    e);
        }
    }

    private AgentsFile file(Path folder, String text) {
        Section top = Section.of(file, "the file", compose(text)).allowing(KEYS);
        if (!top.keys().contains("agents")) {
            throw new ConfigurationException(file + ":1: has no agents. Add the key 'agents' with one agent below it.");
        }
        Section listed = top.section("agents", "'agents'");
        Map<String, AgentEntry> agents = new LinkedHashMap<>();
        listed.keys().forEach(id -> agents.put(id, agent(id, listed)));
        if (agents.isEmpty()) {
            throw top.at("agents").error("'agents' is empty. Put at least one agent below it.");
        }
        AgentsFile read = new AgentsFile(
                file, folder, top.text("model"), top.text("default"), top.text("docs"), top.text("store"), agents);
        if (read.defaultAgent() != null) {
            read.find(read.defaultAgent());
        }
        Delegations.check(read);
        return read;
    }

    private Node compose(String text) {
        try {
            return new Compose(LoadSettings.builder().setLabel(file).build())
                    .composeString(text)
                    .orElseThrow(() -> new ConfigurationException(
                            file + ":1: is empty. It needs the key 'agents' with one agent below it."));
        } catch (MarkedYamlEngineException e) {
            int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
            throw Position.line(file, line).error("is not valid YAML: " + e.getProblem() + ".");
        } catch (YamlEngineException e) {
            throw new ConfigurationException(file + ": is not valid YAML: " + e.getMessage(), e);
        }
    }

    private AgentEntry agent(String id, Section listed) {
        Position at = listed.at(id);
        if (id.isEmpty() || !Tool.isValidName("agent-" + id)) {
            throw at.error("agent '" + id + "' has an id that cannot be used. Allowed are 1 to 58 letters, digits, '_'"
                    + " and '-'.");
        }
        Section agent = listed.section(id, "agent '" + id + "'").allowing(AGENT_KEYS);
        List<ToolEntry> its = tools(id, agent);
        return new AgentEntry(
                id,
                at,
                agent.textOr("instructions", ""),
                agent.textOr("description", ""),
                agent.text("model"),
                agent.texts("agents"),
                its,
                agent.number("maxSteps", 1),
                agent.number("lastMessages", 0),
                Boolean.TRUE.equals(agent.flag("requireToolApproval")),
                agent.keys().contains("completion") ? new CompletionReader(id, callable(agent, its)).read(agent) : null,
                DelegationEntry.of(agent));
    }

    /** Reads tools: names, or names with settings below them. */
    private List<ToolEntry> tools(String id, Section agent) {
        return agent.named("tools").entrySet().stream()
                .map(entry -> tool(id, entry.getKey(), entry.getValue()))
                .toList();
    }

    private ToolEntry tool(String id, Setting name, Optional<Section> settings) {
        if (!tools.contains(name.text())) {
            throw name.at()
                    .error("unknown tool '" + name.text() + "' of agent '" + id + "'."
                            + Names.allowed("There are", name.text(), tools));
        }
        boolean approval = settings.map(section ->
                        Boolean.TRUE.equals(section.allowing(TOOL_KEYS).flag("approval")))
                .orElse(false);
        return new ToolEntry(name, approval);
    }

    /** The names by which an agent's model calls its tools and sub-agents. */
    private static List<String> callable(Section agent, List<ToolEntry> tools) {
        return Stream.concat(
                        tools.stream().map(tool -> tool.name().text()),
                        agent.texts("agents").stream().map(id -> "agent-" + id.text()))
                .toList();
    }
}
