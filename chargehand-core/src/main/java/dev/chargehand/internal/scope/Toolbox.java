package dev.chargehand.internal.scope;

import dev.chargehand.background.BackgroundOptions;
import dev.chargehand.background.Disposition;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.PrimitiveType;
import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.internal.definition.WorkflowDefinition;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.model.ToolChoice;
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
 * What the model of a run may call, by name: its sub-agents, then its workflows, then its tools.
 *
 * @param callees in the order they are offered
 */
public record Toolbox(Map<String, Callee> callees) {

    /** A function that a model can call. */
    public sealed interface Callee extends Primitive {

        /** Return who decides whether a call of it is a background task. */
        default Disposition background() {
            return Disposition.NEVER;
        }

        /** Return whether a call with these arguments is a background task. */
        default boolean isTask(Json arguments) {
            return background() == Disposition.ALWAYS
                    || (background() == Disposition.MODEL
                            && arguments
                                    .at("/" + DelegationPrompts.BACKGROUND)
                                    .filter(chosen -> chosen.text().equals("true"))
                                    .isPresent());
        }

        /** Return it as a model sees it. */
        @Override
        ToolDefinition definition();
    }

    /** A tool. */
    public record ToolCallee(Tool tool, ToolDefinition definition) implements Callee {

        @Override
        public String id() {
            return tool.name();
        }

        @Override
        public PrimitiveType type() {
            return PrimitiveType.TOOL;
        }

        @Override
        public boolean takesArguments() {
            return true;
        }
    }

    /**
     * A sub-agent.
     *
     * @param unavailable why it cannot be called, or null
     * @param background who decides whether a delegation is a background task
     */
    public record AgentCallee(
            String key,
            AgentDefinition agent,
            ToolDefinition definition,
            @Nullable String unavailable,
            Disposition background)
            implements Callee {

        @Override
        public String id() {
            return key;
        }

        @Override
        public PrimitiveType type() {
            return PrimitiveType.AGENT;
        }

        @Override
        public boolean takesArguments() {
            return agent.delegation().input() != null;
        }
    }

    /**
     * A workflow.
     *
     * @param background who decides whether a call is a background task
     */
    public record WorkflowCallee(
            String key, WorkflowDefinition workflow, ToolDefinition definition, Disposition background)
            implements Callee {

        private static final String INPUT = "input";

        static WorkflowCallee of(String key, WorkflowDefinition workflow, Disposition background) {
            JsonSchema input = workflow.workflow().input();
            JsonSchema arguments = isObject(input)
                    ? input
                    : JsonSchema.of(Json.of(Map.of(
                            "type",
                            "object",
                            "properties",
                            Map.of(INPUT, input.json()),
                            "required",
                            List.of(INPUT),
                            "additionalProperties",
                            false)));
            String name = CallState.WORKFLOW_PREFIX + key;
            return new WorkflowCallee(
                    key,
                    workflow,
                    new ToolDefinition(
                            name,
                            workflow.workflow().description(),
                            background == Disposition.MODEL ? DelegationInput.inBackground(arguments) : arguments),
                    background);
        }

        private static boolean isObject(JsonSchema schema) {
            return schema.json()
                    .at("/type")
                    .flatMap(Json::string)
                    .filter("object"::equals)
                    .isPresent();
        }

        /** Return the input of the workflow that arguments hold. */
        public Json input(Json arguments) {
            if (isObject(workflow.workflow().input()) && background == Disposition.MODEL) {
                Map<String, Json> own = arguments.fields();
                own.remove(DelegationPrompts.BACKGROUND);
                return Json.of(own);
            }
            return isObject(workflow.workflow().input())
                    ? arguments
                    : arguments.at("/" + INPUT).orElse(Json.of(null));
        }

        @Override
        public String id() {
            return key;
        }

        @Override
        public PrimitiveType type() {
            return PrimitiveType.WORKFLOW;
        }

        @Override
        public boolean takesArguments() {
            return true;
        }
    }

    /**
     * Make the toolbox of a workflow, whose steps call agents.
     *
     * @param agents those of the steps, by the ids of these, in the versions to call
     * @param unavailable why some cannot be called, by the same ids
     */
    public static Toolbox ofSteps(Map<String, AgentDefinition> agents, Map<String, String> unavailable) {
        Map<String, Callee> callees = LinkedHashMap.newLinkedHashMap(agents.size());
        agents.forEach((stepId, agent) -> callees.put(
                stepId,
                new AgentCallee(
                        stepId,
                        agent,
                        new ToolDefinition(
                                stepId, agent.description(), DelegationInput.of(agent.delegation(), false, false)),
                        unavailable.get(stepId),
                        Disposition.NEVER)));
        return new Toolbox(callees);
    }

    /**
     * Fill a toolbox of what an agent has.
     *
     * @param workflows those that it has, by key
     * @param agents those that it has, by key, in the versions to call
     * @param unavailable why sub-agents cannot be called, by key
     * @param references whether a delegation may name the results of earlier ones
     * @param background which of them may be background tasks
     */
    public static Toolbox of(
            Map<String, WorkflowDefinition> workflows,
            Map<String, AgentDefinition> agents,
            Map<String, String> unavailable,
            List<Tool> tools,
            boolean references,
            BackgroundOptions background) {
        Map<String, Callee> callees = LinkedHashMap.newLinkedHashMap(agents.size() + workflows.size() + tools.size());
        agents.forEach((key, agent) -> {
            String name = CallState.AGENT_PREFIX + key;
            Disposition decides = background.ofAgent(key);
            callees.put(
                    name,
                    new AgentCallee(
                            key,
                            agent,
                            new ToolDefinition(
                                    name,
                                    agent.description(),
                                    DelegationInput.of(agent.delegation(), references, decides == Disposition.MODEL)),
                            unavailable.get(key),
                            decides));
        });
        for (Map.Entry<String, WorkflowDefinition> each : workflows.entrySet()) {
            String key = each.getKey();
            callees.put(
                    CallState.WORKFLOW_PREFIX + key,
                    WorkflowCallee.of(key, each.getValue(), background.ofWorkflow(key)));
        }
        for (Tool tool : tools) {
            callees.put(
                    tool.name(),
                    new ToolCallee(tool, new ToolDefinition(tool.name(), tool.description(), tool.input())));
        }
        return new Toolbox(callees);
    }

    /** Return what a name stands for, if it is offered. */
    public Optional<Callee> find(String name, @Nullable List<String> active) {
        return active != null && !active.contains(name) ? Optional.empty() : Optional.ofNullable(callees.get(name));
    }

    /**
     * Reject names of tools that are missing.
     *
     * @param where what gave the names
     * @throws ConfigurationException if one is missing
     */
    public void requireKnown(@Nullable List<String> active, String where) {
        if (active != null) {
            for (String name : active) {
                if (!callees.containsKey(name)) {
                    throw new ConfigurationException("There is no tool '" + name + "' to be active, as " + where
                            + " asks for; the agent has: " + names(null) + ".");
                }
            }
        }
    }

    /**
     * Reject the choice of a tool that is not offered.
     *
     * @param where what made the choice
     * @throws ConfigurationException if it is not
     */
    public void requireOffered(ToolChoice choice, @Nullable List<String> active, String where) {
        if (choice instanceof ToolChoice.Named named
                && find(named.toolName(), active).isEmpty()) {
            throw new ConfigurationException("There is no tool '" + named.toolName() + "' for the model to call, as "
                    + where + " asks for; the model can call: " + names(active) + ".");
        }
    }

    /** Return what is offered. */
    public List<Callee> offered(@Nullable List<String> active) {
        List<Callee> offered = new ArrayList<>();
        for (Map.Entry<String, Callee> callee : callees.entrySet()) {
            if (active == null || active.contains(callee.getKey())) {
                offered.add(callee.getValue());
            }
        }
        return offered;
    }

    /** Return the definitions of what is offered. */
    public List<ToolDefinition> definitions(@Nullable List<String> active) {
        List<ToolDefinition> definitions = new ArrayList<>(callees.size());
        for (Callee callee : offered(active)) {
            definitions.add(callee.definition());
        }
        return definitions;
    }

    /** Return the names of what is offered, for an error message. */
    public String names(@Nullable List<String> active) {
        Collection<String> names =
                definitions(active).stream().map(ToolDefinition::name).toList();
        return names.isEmpty() ? "none" : String.join(", ", names);
    }
}
