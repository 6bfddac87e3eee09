package dev.chargehand.server.internal.wire.mastra.tool;

import dev.chargehand.AgentRuntime;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.tool.Tool;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tools that callers may execute without an agent. Immutable and thread-safe. */
public final class DirectTools {

    /** No tool. */
    public static final DirectTools NONE = new DirectTools(Map.of());

    private final Map<String, DirectTool> tools;

    private DirectTools(Map<String, DirectTool> tools) {
        this.tools = tools;
    }

    /**
     * Make it.
     *
     * @throws ConfigurationException if callers cannot or may not execute one of the tools, or two have the same name
     */
    public static DirectTools of(List<Tool> tools) {
        Map<String, DirectTool> all = new LinkedHashMap<>();
        for (Tool tool : tools) {
            if (all.put(tool.name(), DirectTool.of(tool)) != null) {
                throw new ConfigurationException(
                        "Two of the tools that callers of the server may execute have the name '" + tool.name()
                                + "'; give one of them another name.");
            }
        }
        return new DirectTools(all);
    }

    /**
     * Give a runtime the workflows of the tools, so that runs which a process has left continue in another one.
     *
     * @throws ConfigurationException if one of its agents and workflows has the id of such a workflow
     */
    public void addTo(AgentRuntime runtime) {
        for (DirectTool tool : tools.values()) {
            if (runtime.workflows().stream().noneMatch(tool::isIn)) {
                runtime.addWorkflow(tool.workflow());
            }
        }
    }

    /** Return whether there is none. */
    public boolean isEmpty() {
        return tools.isEmpty();
    }

    /** Return the tools, in the order in which they were given. */
    public List<Tool> all() {
        return tools.values().stream().map(DirectTool::tool).toList();
    }

    Optional<DirectTool> find(String name) {
        return Optional.ofNullable(tools.get(name));
    }
}
