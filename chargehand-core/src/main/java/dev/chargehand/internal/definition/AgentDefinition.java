package dev.chargehand.internal.definition;

import dev.chargehand.background.BackgroundOptions;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.fact.DefinitionLink;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.memory.Memory;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.run.DelegationMemory;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Delegate;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.StepBuilder;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowFunction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What an agent is: the part of it that a run executes, and that knows no runtime. Immutable and thread-safe.
 *
 * @param id names it in paths and usage
 * @param version its version, or null for none
 * @param name its name for people
 * @param description what it is good at; empty if it cannot be a sub-agent
 * @param functions make what its model gets for a request
 * @param agents its sub-agents by key, in the order they were given
 * @param workflows the workflows that its model may call, by key, in the order they were given
 * @param defaultOptions the options a run of it starts with
 * @param memory what it remembers
 * @param delegation how work is delegated to it
 * @param background which of its delegations may be background tasks
 */
public record AgentDefinition(
        String id,
        @Nullable String version,
        String name,
        String description,
        Functions functions,
        Map<String, AgentDefinition> agents,
        Map<String, WorkflowDefinition> workflows,
        OptionValues defaultOptions,
        Memory memory,
        DelegationTerms delegation,
        BackgroundOptions background)
        implements RunDefinition, Delegate {

    private static final JsonSchema TEXT = JsonSchema.of(String.class);

    public AgentDefinition {
        agents = Collections.unmodifiableMap(new LinkedHashMap<>(agents));
        workflows = Collections.unmodifiableMap(new LinkedHashMap<>(workflows));
    }

    /**
     * What makes instructions, model and tools for a request.
     *
     * @param dynamic whether one of them was given as a function
     */
    public record Functions(
            Function<RequestContext, String> instructions,
            Function<RequestContext, ModelChoice> model,
            Function<RequestContext, List<Tool>> tools,
            boolean dynamic) {

        /** Return these functions with another model. */
        public Functions withModel(ModelChoice choice) {
            return new Functions(instructions, new FixedModel(choice), tools, dynamic);
        }

        /** Return these functions with other tools of the same names. */
        public Functions withTools(UnaryOperator<Tool> change) {
            return new Functions(
                    instructions,
                    model,
                    context -> tools.apply(context).stream().map(change).toList(),
                    dynamic);
        }
    }

    /**
     * How work is delegated to an agent.
     *
     * @param acceptsInstructions whether a supervisor's model may add instructions
     * @param acceptsMaxSteps whether a supervisor's model may lower the steps
     * @param input the schema of what a supervisor's model passes in place of a prompt, or null
     * @param output the schema that the answer must fit, or null
     * @param memory what the agent remembers of earlier delegations
     */
    public record DelegationTerms(
            boolean acceptsInstructions,
            boolean acceptsMaxSteps,
            @Nullable JsonSchema input,
            @Nullable JsonSchema output,
            DelegationMemory memory) {}

    /** Return this definition with other functions and sub-agents. */
    public AgentDefinition with(Functions others, Map<String, AgentDefinition> otherAgents) {
        return new AgentDefinition(
                id,
                version,
                name,
                description,
                others,
                otherAgents,
                workflows,
                defaultOptions,
                memory,
                delegation,
                background);
    }

    @Override
    public AgentDefinition withModels(Function<String, Optional<ModelChoice>> models) {
        Map<String, AgentDefinition> others = new LinkedHashMap<>();
        agents.forEach((key, agent) -> others.put(key, agent.withModels(models)));
        return with(models.apply(id).map(functions::withModel).orElse(functions), others)
                .withModelsOfWorkflows(models);
    }

    /** Return this definition, whose workflows have agents with other models. */
    public AgentDefinition withModelsOfWorkflows(Function<String, Optional<ModelChoice>> models) {
        Map<String, WorkflowDefinition> others = new LinkedHashMap<>();
        workflows.forEach((key, workflow) ->
                others.put(key, new WorkflowDefinition(workflow.workflow().withModels(models))));
        return new AgentDefinition(
                id,
                version,
                name,
                description,
                functions,
                agents,
                others,
                defaultOptions,
                memory,
                delegation,
                background);
    }

    @Override
    public Map<String, RunDefinition> children() {
        Map<String, RunDefinition> children = new LinkedHashMap<>(agents);
        children.putAll(workflows);
        return children;
    }

    /** Return the workflows that its model may call, by key, in the order they were given. */
    public Map<String, Workflow<?, ?>> workflowsByKey() {
        Map<String, Workflow<?, ?>> byKey = new LinkedHashMap<>();
        workflows.forEach((key, definition) -> byKey.put(key, definition.workflow()));
        return Collections.unmodifiableMap(byKey);
    }

    @Override
    public String keyOf(CallState call) {
        return call.childKey();
    }

    @Override
    public boolean isSupervisor() {
        return !agents.isEmpty();
    }

    /**
     * Make a step of a workflow whose work this agent does.
     *
     * @throws ConfigurationException if the output of the step is not of the type of the agent's answer
     */
    public <I, O> Step<I, O> asStep(StepBuilder<I, O> builder, WorkflowFunction<I, String> prompt) {
        Step<I, O> step = builder.delegate(this, prompt).build();
        JsonSchema typed = answerSchema();
        if (!step.output().equals(typed == null ? TEXT : typed)) {
            throw new ConfigurationException("Agent '" + id + "': the output of step '" + step.id()
                    + "' is the answer of the agent, "
                    + (typed == null
                            ? "a text; use String.class, or give the agent an output type."
                            : "whose type is the one given to output(...); pass that to asStep."));
        }
        return step;
    }

    /** Return the version of an agent that has one. */
    String requireVersion() {
        if (version == null) {
            throw new IllegalStateException("Agent '" + id + "' has no version.");
        }
        return version;
    }

    /** Return a step from the schema of its input, whose output is the answer. */
    public Step<Json, Json> asStep(String stepId, JsonSchema input, WorkflowFunction<Json, String> prompt) {
        JsonSchema typed = answerSchema();
        return asStep(Step.builder(stepId, input, typed == null ? TEXT : typed), prompt);
    }

    /** Return the schema that each answer fits; null if it is a text. */
    public @Nullable JsonSchema answerSchema() {
        StructuredOutput structured = defaultOptions.get(Options.STRUCTURED_OUTPUT);
        if (delegation.output() != null || structured == null) {
            return delegation.output();
        }
        return structured.onInvalid() == StructuredOutput.OnInvalid.WARN ? null : structured.schema();
    }

    @Override
    public @Nullable DefinitionLink link() {
        return version == null ? null : new DefinitionLink(version, List.of(), null);
    }

    /** Return its instructions for a request; empty for none. */
    public String instructionsFor(RequestContext context) {
        return functions.instructions().apply(context);
    }

    /** Return its model for a request. */
    public ModelChoice modelFor(RequestContext context) {
        return functions.model().apply(context);
    }

    /**
     * Return its tools for a request; the list can be changed.
     *
     * @throws ConfigurationException if the list is null or has a null in it, or if two of them, or one of them and a
     *     sub-agent, have the same name
     */
    public List<Tool> toolsFor(RequestContext context) {
        List<Tool> made = functions.tools().apply(context);
        if (made == null || Given.hasNull(made)) {
            throw new ConfigurationException("Agent '" + id
                    + "': toolsFrom returned null, or a list with a null in it; return an empty list for none.");
        }
        List<Tool> found = new ArrayList<>(made);
        if (functions.dynamic()) {
            requireUniqueNames(id, found, agents.keySet(), workflows.keySet());
        }
        return found;
    }

    /**
     * Reject a name that an agent's model receives twice.
     *
     * @throws ConfigurationException if two tools, or a tool and a sub-agent, have the same name
     */
    public static void requireUniqueNames(
            String id, List<Tool> tools, Set<String> agentKeys, Set<String> workflowKeys) {
        Set<String> names = new HashSet<>();
        for (String key : agentKeys) {
            names.add(CallState.AGENT_PREFIX + key);
        }
        for (String key : workflowKeys) {
            names.add(CallState.WORKFLOW_PREFIX + key);
        }
        for (Tool tool : tools) {
            if (!names.add(tool.name())) {
                throw new ConfigurationException("Agent '" + id + "': the name '" + tool.name()
                        + "' is used twice among its tools, sub-agents and workflows; names must be unique.");
            }
        }
    }
}
