package dev.chargehand.internal.loop;

import dev.chargehand.Agent;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.model.ToolDefinition;
import dev.chargehand.tool.Tool;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the model of a run may call, by name: its sub-agents, then its tools.
 *
 * @param callees in the order they are offered
 */
public record Toolbox(Map<String, Callee> callees) {

    /** What the name of a sub-agent's tool begins with. */
    public static final String AGENT_PREFIX = "agent-";

    /** Something a model may call. */
    public sealed interface Callee {

        /** Returns it as a model sees it. */
        ToolDefinition definition();
    }

    /** A tool. */
    record ToolCallee(Tool tool, ToolDefinition definition) implements Callee {}

    /** A sub-agent. */
    record AgentCallee(String key, Agent agent, ToolDefinition definition) implements Callee {}

    /** Fills a toolbox. */
    public static Toolbox of(Map<String, Agent> agents, List<Tool> tools) {
        Map<String, Callee> callees = new LinkedHashMap<>();
        agents.forEach((key, agent) -> {
            String name = AGENT_PREFIX + key;
            callees.put(
                    name, new AgentCallee(key, agent, new ToolDefinition(name, agent.description(), inputOf(agent))));
        });
        for (Tool tool : tools) {
            callees.put(
                    tool.name(),
                    new ToolCallee(tool, new ToolDefinition(tool.name(), tool.description(), tool.input())));
        }
        return new Toolbox(callees);
    }

    /** Returns what a name stands for, if it is offered. */
    Optional<Callee> find(String name, @Nullable List<String> active) {
        return active != null && !active.contains(name) ? Optional.empty() : Optional.ofNullable(callees.get(name));
    }

    /** Returns the definitions of what is offered. */
    List<ToolDefinition> definitions(@Nullable List<String> active) {
        List<ToolDefinition> definitions = new ArrayList<>();
        callees.forEach((name, callee) -> {
            if (active == null || active.contains(name)) {
                definitions.add(callee.definition());
            }
        });
        return definitions;
    }

    /** Returns the names of what is offered, for an error message. */
    String names(@Nullable List<String> active) {
        Collection<String> names =
                definitions(active).stream().map(ToolDefinition::name).toList();
        return names.isEmpty() ? "none" : String.join(", ", names);
    }

    // made once, since the validator of a schema is costly to build
    private static final JsonSchema PROMPT = delegation(false, false);
    private static final JsonSchema PROMPT_AND_INSTRUCTIONS = delegation(true, false);
    private static final JsonSchema PROMPT_AND_MAX_STEPS = delegation(false, true);
    private static final JsonSchema PROMPT_AND_BOTH = delegation(true, true);

    private static JsonSchema inputOf(Agent agent) {
        if (agent.acceptsModelInstructions()) {
            return agent.acceptsModelMaxSteps() ? PROMPT_AND_BOTH : PROMPT_AND_INSTRUCTIONS;
        }
        return agent.acceptsModelMaxSteps() ? PROMPT_AND_MAX_STEPS : PROMPT;
    }

    private static JsonSchema delegation(boolean instructions, boolean maxSteps) {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("prompt", Map.of("type", "string", "description", "What the agent is to do, in full."));
        if (instructions) {
            properties.put("instructions", Map.of("type", "string", "description", "How the agent is to do it."));
        }
        if (maxSteps) {
            properties.put(
                    "maxSteps",
                    Map.of("type", "integer", "minimum", 1, "description", "The most steps the agent may make."));
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put("required", List.of("prompt"));
        return JsonSchema.of(Json.of(schema));
    }
}
