package dev.chargehand;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.annotation.Experimental;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.definition.AgentCall;
import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.internal.definition.Given;
import dev.chargehand.internal.engine.RunRequest;
import dev.chargehand.internal.engine.StartMode;
import dev.chargehand.internal.engine.resume.RunLauncher;
import dev.chargehand.internal.log.NetworkWarning;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.option.RunKind;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.memory.Memory;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.run.DelegationMemory;
import dev.chargehand.run.RequestContext;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowFunction;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An agent: a model with instructions, tools and sub-agents.
 *
 * <pre>{@code
 * Agent supervisor = Agent.builder("supervisor").instructions("Delegate to research-agent for facts.")
 *     .model("openai/gpt-5-mini").agents(researcher).build();
 * RunResult result = supervisor.generate("Research AI in education");
 * }</pre>
 *
 * <p>Immutable and validated when it is built; one agent serves any number of runs at once. An agent that has sub-agents is a supervisor:
 * each of them is offered to its model as a tool named {@code agent-<key>}.
 *
 * <p>An agent without a runtime of its own runs in {@link AgentRuntime#shared()}. One that was passed to a runtime, itself or as a
 * sub-agent, runs there if it is taken from the runtime: {@link AgentRuntime#agent} or {@link AgentRuntime#bind}. A call of the passed
 * instance fails with a {@link ConfigurationException}.
 */
public final class Agent {

    /** What its runs execute; {@link #definition()} is for what has it as a part. */
    final AgentDefinition definition;

    private final Map<String, Agent> agents;
    private final @Nullable TenantRuntime runtime;
    /** Whether a runtime was given it, itself or as a sub-agent: then a call of this instance is a mistake. */
    private final AtomicBoolean given = new AtomicBoolean();
    /** The agent whose network this is; null for an ordinary agent. */
    private final @Nullable Agent router;

    Agent(AgentDefinition definition, Map<String, Agent> agents, @Nullable TenantRuntime in, @Nullable Agent router) {
        this.definition = definition;
        this.agents = Collections.unmodifiableMap(agents);
        this.runtime = in;
        this.router = router;
    }

    /** Return a builder of an agent. Its id of letters, digits, {@code _} and {@code -} names it in paths, usage and, as a sub-agent, to the model. */
    public static AgentBuilder builder(String id) {
        return new AgentBuilder(id);
    }

    /**
     * Run the agent and wait for its result.
     *
     * <p>An interrupt of the calling thread cancels the run; the result is then aborted and the interrupt flag is set.
     *
     * @throws RunFailedException if the run failed; {@link ConfigurationException} if the prompt is blank, see {@link AgentRuntime#start}
     */
    public RunResult generate(String prompt) {
        AgentCall call = runtime().call(this, options -> {});
        if (!RunLauncher.isPlain(call.options())) {
            return generate(prompt, values -> {}); // the agent's own options may find a run
        }
        RunRequest request = RunRequest.of(call.definition(), Given.prompt(id(), prompt), call.options());
        return runtime().launcher().starter().start(request, StartMode.QUEUED).result();
    }

    /** Run the agent with options and wait for its result; see {@link #generate(String)}. */
    public RunResult generate(String prompt, Consumer<RunOptions.Builder> options) {
        return generate(Given.prompt(id(), prompt), options);
    }

    /** Run the agent on messages, images among them, and wait for its result; see {@link #generate(String)}. */
    public RunResult generate(List<Message> input, Consumer<RunOptions.Builder> options) {
        return runtime().generate(this, input, options);
    }

    /** Run the agent and return its answer as a Java type; see {@link RunOptions.Builder#structuredOutput(Class)}. */
    public <T> RunResult.Typed<T> generate(String prompt, Class<T> type) {
        return generate(prompt, type, options -> {});
    }

    /** Run the agent with options, applied after those of the type, and return its answer as a Java type; see {@link #generate(String, Class)}. */
    public <T> RunResult.Typed<T> generate(String prompt, Class<T> type, Consumer<RunOptions.Builder> options) {
        Consumer<RunOptions.Builder> own = Given.options(id(), options);
        return new RunResult.Typed<>(generate(prompt, values -> own.accept(values.structuredOutput(type))), type);
    }

    /** Start a run of the agent and return its handle at once; see {@link AgentRuntime#start}. */
    public RunHandle start(String prompt) {
        return start(prompt, options -> {});
    }

    /** Start a run of the agent with options and return its handle at once; see {@link AgentRuntime#start}. */
    public RunHandle start(String prompt, Consumer<RunOptions.Builder> options) {
        return start(Given.prompt(id(), prompt), options);
    }

    /** Start a run of the agent on messages and return its handle at once; see {@link AgentRuntime#start}. */
    public RunHandle start(List<Message> input, Consumer<RunOptions.Builder> options) {
        return runtime().start(this, input, options);
    }

    /** Run the agent and return its stream. */
    public RunStream stream(String prompt) {
        return stream(prompt, options -> {});
    }

    /** Run the agent with options and return its stream. */
    public RunStream stream(String prompt, Consumer<RunOptions.Builder> options) {
        return stream(Given.prompt(id(), prompt), options);
    }

    /** Run the agent on messages, images among them, and return its stream. */
    public RunStream stream(List<Message> input, Consumer<RunOptions.Builder> options) {
        return runtime().stream(this, input, options);
    }

    /**
     * Run the agent, and again whenever background tasks that it has started end, until none is left; wait for the result.
     *
     * @throws ConfigurationException if the options have an idempotency key, and as {@link #generate}
     * @throws RunFailedException if a turn failed; tasks that have not ended continue
     */
    @Experimental
    public IdleStream.IdleResult generateUntilIdle(String prompt, Consumer<RunOptions.Builder> options) {
        try (IdleStream stream = streamUntilIdle(prompt, options)) {
            return stream.result();
        }
    }

    /** Run the agent until it is idle and return its stream; see {@link #generateUntilIdle}. */
    @Experimental
    public IdleStream streamUntilIdle(String prompt, Consumer<RunOptions.Builder> options) {
        return streamUntilIdle(Given.prompt(id(), prompt), options);
    }

    /** Run the agent on messages until it is idle and return its stream; see {@link #generateUntilIdle}. */
    @Experimental
    public IdleStream streamUntilIdle(List<Message> input, Consumer<RunOptions.Builder> options) {
        return runtime().streamUntilIdle(this, input, options);
    }

    /**
     * Return this agent as a network: in each step of its runs its model chooses one sub-agent, tool or workflow. It is started,
     * submitted and watched like any agent, but cannot be given to a runtime, an agent, a fork or a workflow.
     *
     * @deprecated Start the agent itself; the migration guide shows both.
     */
    @CheckReturnValue
    @Deprecated(since = "0.1.0")
    public Agent asNetwork() {
        NetworkWarning.give();
        return new Agent(definition, agents, runtime, router == null ? this : router);
    }

    /** @deprecated Use {@link #stream(String)}; the migration guide shows both. */
    @Deprecated(since = "0.1.0")
    public RunStream network(String prompt) {
        return asNetwork().stream(prompt);
    }

    /** @deprecated Use {@link #stream(String, Consumer)}. */
    @Deprecated(since = "0.1.0")
    public RunStream network(String prompt, Consumer<RunOptions.Builder> options) {
        return asNetwork().stream(prompt, options);
    }

    /** @deprecated Use {@link #stream(List, Consumer)}. */
    @Deprecated(since = "0.1.0")
    public RunStream network(List<Message> input, Consumer<RunOptions.Builder> options) {
        return asNetwork().stream(input, options);
    }

    /** @deprecated Use {@link #generate(String)}. */
    @Deprecated(since = "0.1.0")
    public RunResult generateNetwork(String prompt) {
        return asNetwork().generate(prompt);
    }

    /** @deprecated Use {@link #generate(String, Consumer)}. */
    @Deprecated(since = "0.1.0")
    public RunResult generateNetwork(String prompt, Consumer<RunOptions.Builder> options) {
        return asNetwork().generate(prompt, options);
    }

    /** @deprecated Use {@link #generate(List, Consumer)}. */
    @Deprecated(since = "0.1.0")
    public RunResult generateNetwork(List<Message> input, Consumer<RunOptions.Builder> options) {
        return asNetwork().generate(input, options);
    }

    /**
     * Return a step of a workflow whose work this agent does: its run is a delegation of the workflow's run, and its answer the
     * output. An end without an answer fails the step.
     *
     * @param prompt makes the prompt of the agent, without effects: it may be called again after a crash
     * @throws ConfigurationException if the id is not valid, or the agent has an output type
     */
    @Experimental
    @CheckReturnValue
    public <I> Step<I, String> asStep(String stepId, Class<I> input, WorkflowFunction<I, String> prompt) {
        return definition().asStep(Step.builder(stepId, input, String.class), prompt);
    }

    /** Return such a step whose output is the agent's typed answer, of the type of {@link AgentBuilder#output}. */
    @Experimental
    @CheckReturnValue
    public <I, O> Step<I, O> asStep(
            String stepId, Class<I> input, Class<O> output, WorkflowFunction<I, String> prompt) {
        return definition().asStep(Step.builder(stepId, input, output), prompt);
    }

    /** Return such a step whose output is the typed answer, the object of structured output in its default options, or a text. */
    @Experimental
    @CheckReturnValue
    public Step<Json, Json> asStep(String stepId, JsonSchema input, WorkflowFunction<Json, String> prompt) {
        return definition().asStep(stepId, input, prompt);
    }

    /** Note of this agent, and of its descendants, that a runtime was given it. */
    void noteGiven() {
        if (given.compareAndSet(false, true)) {
            agents.values().forEach(Agent::noteGiven);
        }
    }

    /** Return this agent, to run in a runtime. */
    Agent in(TenantRuntime where) {
        return new Agent(definition, agents, where, router);
    }

    /** Return a copy in which this agent and its descendants use the models that a function has for their ids, or keep their own. */
    @CheckReturnValue
    public Agent withModels(Function<String, Optional<ModelChoice>> models) {
        AgentDefinition.Functions own = definition.functions();
        Agent changed = with(models.apply(id()).map(own::withModel).orElse(own), agent -> agent.withModels(models));
        return having(changed.definition.withModelsOfWorkflows(models), changed.agents);
    }

    /** Return a copy of this agent that uses other tools of the same names, as its descendants do; a test avoids effects this way. */
    @CheckReturnValue
    public Agent withTools(UnaryOperator<Tool> change) {
        return with(definition.functions().withTools(change), agent -> agent.withTools(change));
    }

    private Agent with(AgentDefinition.Functions functions, UnaryOperator<Agent> change) {
        Map<String, Agent> changed = new LinkedHashMap<>();
        agents.forEach((key, agent) -> changed.put(key, change.apply(agent)));
        return having(definition.with(functions, AgentBuilder.definitions(changed)), changed);
    }

    private Agent having(AgentDefinition changed, Map<String, Agent> parts) {
        Agent copy = new Agent(changed, parts, runtime, null);
        return router == null ? copy : new Agent(changed, parts, runtime, copy);
    }

    private TenantRuntime runtime() {
        if (runtime == null && (router == null ? this : router).given.get()) {
            throw Given.notHere(id());
        }
        return runtime == null ? AgentRuntime.shared() : runtime;
    }

    AgentDefinition definition() {
        if (router != null) {
            throw Given.isNetwork(id());
        }
        return definition;
    }

    /** Return its id. */
    public String id() {
        return definition.id();
    }

    /** Return its version; empty if it has none. */
    public Optional<String> version() {
        return Optional.ofNullable(definition.version());
    }

    /** Return its name for people; its id if it has none of its own. */
    public String name() {
        return definition.name();
    }

    /** Return what it is good at, for the model of a supervisor; empty if it cannot be a sub-agent. */
    public String description() {
        return definition.description();
    }

    /** Return its sub-agents by key, in the order they were given. */
    public Map<String, Agent> agents() {
        return agents;
    }

    /** Return the workflows that its model may call, by key, in the order they were given. */
    @Experimental
    public Map<String, Workflow<?, ?>> workflows() {
        return definition.workflowsByKey();
    }

    /** Return the options a run of it starts with. */
    public RunOptions defaultOptions() {
        return new RunOptions(definition.defaultOptions());
    }

    /** Return what it remembers. */
    public Memory memory() {
        return definition.memory();
    }

    /** Return whether its instructions, model or tools are made for each request. */
    public boolean isDynamic() {
        return definition.functions().dynamic();
    }

    /** Return whether a supervisor's model may add instructions to a delegation to it. */
    public boolean acceptsModelInstructions() {
        return definition.delegation().acceptsInstructions();
    }

    /** Return whether a supervisor's model may lower the steps of a delegation to it. */
    public boolean acceptsModelMaxSteps() {
        return definition.delegation().acceptsMaxSteps();
    }

    /** Return the schema of what a supervisor's model passes in place of a prompt, if it has one. */
    public Optional<JsonSchema> input() {
        return Optional.ofNullable(definition.delegation().input());
    }

    /** Return the schema that its answer to a delegation must fit, if it has one. */
    public Optional<JsonSchema> output() {
        return Optional.ofNullable(definition.delegation().output());
    }

    /** Return what it remembers of earlier delegations. */
    public DelegationMemory delegationMemory() {
        return definition.delegation().memory();
    }

    /** Return the options that a call with these options has: the agent's defaults, and what the call changes. */
    public RunOptions effectiveOptions(Consumer<RunOptions.Builder> options) {
        return new RunOptions(changes(options).apply(definition.defaultOptions()));
    }

    /** Return what options of a call change. */
    UnaryOperator<OptionValues> changes(Consumer<RunOptions.Builder> options) {
        Consumer<RunOptions.Builder> own = Given.options(id(), options);
        return values -> RunOptions.changed(router == null ? values : values.with(Options.KIND, RunKind.NETWORK), own);
    }

    /** Return its instructions for a request; empty for none. */
    public String instructionsFor(RequestContext context) {
        return definition.instructionsFor(context);
    }

    /** Return its model for a request. */
    public ModelChoice modelFor(RequestContext context) {
        return definition.modelFor(context);
    }

    /** Return its tools for a request; two with one name, or one with that of a sub-agent, are a {@link ConfigurationException}. */
    public List<Tool> toolsFor(RequestContext context) {
        return definition.toolsFor(context);
    }

    @Override
    public String toString() {
        return (router == null ? "Agent[" : "Network[") + id() + "]";
    }
}
