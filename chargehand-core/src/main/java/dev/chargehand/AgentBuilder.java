package dev.chargehand;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.background.BackgroundOptions;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.hook.SubAgentContext;
import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.internal.definition.FixedModel;
import dev.chargehand.internal.definition.Given;
import dev.chargehand.internal.definition.WorkflowDefinition;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.state.CallState;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.json.JsonType;
import dev.chargehand.memory.Memory;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.processor.Processor;
import dev.chargehand.run.DelegationMemory;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RequestContext;
import dev.chargehand.tool.ClientTools;
import dev.chargehand.tool.Tool;
import dev.chargehand.version.Version;
import dev.chargehand.workflow.Workflow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Collects what an agent is built from. Not thread-safe; every method returns the builder. */
public final class AgentBuilder {

    private final String id;
    private @Nullable String version;
    private @Nullable String name;
    private String description = "";
    private Function<RequestContext, String> instructions = context -> "";
    private Function<RequestContext, List<Tool>> tools = context -> List.of();
    private final Map<String, Agent> agents = new LinkedHashMap<>();
    private final Map<String, WorkflowDefinition> workflows = new LinkedHashMap<>();
    private RunOptions defaultOptions = RunOptions.defaults();
    private Memory memory = Memory.DEFAULT;
    private final BackgroundOptions.Builder background = BackgroundOptions.builder();
    private boolean dynamic;
    private boolean modelInstructions;
    private boolean modelMaxSteps;
    private boolean clientTools;
    private @Nullable JsonSchema input;
    private @Nullable JsonSchema output;
    private DelegationMemory delegationMemory = DelegationMemory.FRESH;
    private @Nullable Function<RequestContext, ModelChoice> model;
    private List<Tool> fixedTools = List.of();

    AgentBuilder(@Nullable String id) {
        if (id == null || !isValidKey(id)) {
            throw new ConfigurationException((id == null ? "An agent needs an id" : "Agent '" + id + "'")
                    + ": an id has 1 to " + (64 - CallState.AGENT_PREFIX.length())
                    + " letters, digits, '_' or '-'; choose another id.");
        }
        this.id = id;
    }

    private <T> T given(String what, @Nullable T value) {
        return Given.value("Agent '" + id + "': " + what, value);
    }

    private static boolean isValidKey(String key) {
        return !key.isEmpty() && Tool.isValidName(CallState.AGENT_PREFIX + key);
    }

    /**
     * Set the name of the agent for people: it is in events and hook contexts together with the id, and no model
     * receives it. Default: the id.
     */
    public AgentBuilder name(String text) {
        if (given("name", text).isBlank()) {
            throw new ConfigurationException("Agent '" + id + "': its name is blank; give it a name, or none.");
        }
        this.name = text;
        return this;
    }

    /**
     * Set the version of the agent. Several agents of one id can be given to a runtime if each has a version, and {@link
     * RunOptions.Builder#version} selects one of them. A run is resumed in the version that it was started with only. Default: none.
     *
     * @throws ConfigurationException unless it has 1 to 64 characters, none of them a control character
     */
    public AgentBuilder version(String value) {
        this.version = Version.id(given("version", value)).id().orElseThrow();
        return this;
    }

    /** Say what the agent is good at; a supervisor's model decides by it. Needed by a sub-agent. */
    public AgentBuilder description(String text) {
        this.description = given("description", text);
        return this;
    }

    /** Set the instructions; default none. */
    public AgentBuilder instructions(String text) {
        given("instructions", text);
        this.instructions = context -> text;
        return this;
    }

    /** Set instructions that are made for each request; a function that throws fails the run. */
    public AgentBuilder instructionsFrom(Function<RequestContext, String> function) {
        this.instructions = given("instructionsFrom", function);
        this.dynamic = true;
        return this;
    }

    /** Set the model by name, such as {@code openai/gpt-5-mini}. */
    public AgentBuilder model(String name) {
        return model(ModelChoice.of(given("model", name)));
    }

    /** Set the model. */
    public AgentBuilder model(Model given) {
        return model(ModelChoice.of(given("model", given)));
    }

    /** Set the model and what to fall back to. */
    public AgentBuilder model(ModelChoice choice) {
        this.model = new FixedModel(given("model", choice));
        return this;
    }

    /** Set a model that is chosen for each request; a function that throws fails the run. */
    public AgentBuilder modelFrom(Function<RequestContext, ModelChoice> function) {
        this.model = given("modelFrom", function);
        this.dynamic = true;
        return this;
    }

    /** Set the tools; default none. */
    public AgentBuilder tools(Tool... values) {
        return tools(Arrays.asList(given("tools", values)));
    }

    /** Set the tools; default none. */
    public AgentBuilder tools(List<Tool> values) {
        List<Tool> copy = Given.elements("Agent '" + id + "': tools", values);
        this.fixedTools = copy;
        this.tools = context -> copy;
        return this;
    }

    /** Set tools that are made for each request; a function that throws fails the run. */
    public AgentBuilder toolsFrom(Function<RequestContext, List<Tool>> function) {
        this.fixedTools = List.of();
        this.tools = given("toolsFrom", function);
        this.dynamic = true;
        return this;
    }

    /** Set the sub-agents, each under its id. Default: none. */
    public AgentBuilder agents(Agent... values) {
        return agents(Arrays.asList(given("agents", values)));
    }

    /** Set the sub-agents, each under its id. Default: none. */
    public AgentBuilder agents(List<Agent> values) {
        agents.clear();
        given("agents", values).forEach(this::addAgent);
        return this;
    }

    /** Add a sub-agent under its id. */
    public AgentBuilder addAgent(Agent agent) {
        return addAgent(given("agent", agent).id(), agent);
    }

    /** Add a sub-agent under a key of its own, which names it to the supervisor's model. */
    public AgentBuilder addAgent(String key, Agent agent) {
        given("agent", agent);
        if (!isValidKey(given("key", key))) {
            throw new ConfigurationException("Agent '" + id + "': sub-agent key '" + key + "' may have 1 to "
                    + (64 - CallState.AGENT_PREFIX.length()) + " letters, digits, '_' or '-'; choose another key.");
        }
        if (agents.putIfAbsent(key, agent) != null) {
            throw new ConfigurationException("Agent '" + id + "': sub-agent key '" + key
                    + "' is registered twice; give one of them another key by addAgent(key, agent).");
        }
        return this;
    }

    /** Set the workflows that the model may call, each as the tool {@code workflow-<id>}; see {@link #addWorkflow}. Default: none. */
    @Experimental
    public AgentBuilder workflows(Workflow<?, ?>... values) {
        workflows.clear();
        for (Workflow<?, ?> workflow : given("workflows", values)) {
            addWorkflow(given("workflow", workflow).id(), workflow);
        }
        return this;
    }

    /**
     * Add a workflow that the model may call as the tool {@code workflow-<key>}. Its arguments are the workflow's input, or
     * have it in the field {@code input} if that is not an object. It needs a description; its key differs from those of sub-agents.
     */
    @Experimental
    public AgentBuilder addWorkflow(String key, Workflow<?, ?> workflow) {
        given("workflow", workflow);
        if (key.isEmpty() || !Tool.isValidName(CallState.WORKFLOW_PREFIX + key)) {
            throw new ConfigurationException("Agent '" + id + "': workflow key '" + key + "' may have 1 to "
                    + (64 - CallState.WORKFLOW_PREFIX.length())
                    + " letters, digits, '_' or '-'; choose another key with addWorkflow(key, workflow).");
        }
        if (workflow.description().isBlank()) {
            throw new ConfigurationException("Agent '" + id + "': workflow '" + key
                    + "' needs a description: the model decides by it when to call it.");
        }
        if (workflows.putIfAbsent(key, new WorkflowDefinition(workflow)) != null) {
            throw new ConfigurationException("Agent '" + id + "': workflow key '" + key
                    + "' is registered twice; give one of them another key by addWorkflow(key, workflow).");
        }
        return this;
    }

    /** Set the options that every run of the agent starts with. */
    public AgentBuilder defaultOptions(Consumer<RunOptions.Builder> changes) {
        this.defaultOptions = defaultOptions.with(given("defaultOptions", changes));
        return this;
    }

    /** Set what looks at what goes into its runs; the same as the default option of that name. */
    public AgentBuilder inputProcessors(Processor... processors) {
        return defaultOptions(options -> options.inputProcessors(processors));
    }

    /** Set what looks at what comes out of its runs; the same as the default option of that name. */
    public AgentBuilder outputProcessors(Processor... processors) {
        return defaultOptions(options -> options.outputProcessors(processors));
    }

    /** Set how much of its conversation its sub-agents see; the same as the default option of that name. */
    public AgentBuilder subAgentContext(SubAgentContext context) {
        return defaultOptions(options -> options.subAgentContext(context));
    }

    /** Set what the agent remembers of earlier delegations to it; default nothing. */
    public AgentBuilder delegationMemory(DelegationMemory memory) {
        this.delegationMemory = given("delegationMemory", memory);
        return this;
    }

    /** Set what a supervisor's model passes, as a record that can be read from JSON, in place of a prompt and instructions. */
    public AgentBuilder input(Class<?> type) {
        JsonSchema schema = JsonSchema.ofReadable("Agent '" + id + "': input", JsonType.of(given("input", type)));
        if (!schema.allowsObjects()) {
            throw new ConfigurationException("Agent '" + id + "': the input of an agent is a JSON object, which "
                    + type.getSimpleName() + " is not; use a record with a component for it.");
        }
        this.input = schema;
        return this;
    }

    /**
     * Set the type of the answer, a record that can be read from JSON; a delegation whose answer does not fit is an error result.
     */
    public AgentBuilder output(Class<?> type) {
        this.output = JsonSchema.ofReadable("Agent '" + id + "': output", JsonType.of(given("output", type)));
        return this;
    }

    /** Set what the agent remembers of its conversations; default {@link Memory#DEFAULT}, the last 10 messages. */
    public AgentBuilder memory(Memory value) {
        this.memory = given("memory", value);
        return this;
    }

    /** Change what the agent remembers of its conversations; see {@link Memory.Builder}. */
    public AgentBuilder memory(Consumer<Memory.Builder> changes) {
        Memory.Builder builder = memory.toBuilder();
        given("memory", changes).accept(builder);
        return memory(builder.build());
    }

    /** Set how many messages of a thread the agent remembers, from 0; the short form of that part of its memory. */
    public AgentBuilder lastMessages(int count) {
        return memory(changes -> changes.lastMessages(count));
    }

    /**
     * Set which sub-agents and workflows may work as background tasks, which outlive the run that starts them. Runs that offer such
     * a callee need a thread. Default: none.
     */
    @Experimental
    public AgentBuilder background(Consumer<BackgroundOptions.Builder> changes) {
        given("background", changes).accept(background);
        return this;
    }

    /** Let a supervisor's model add instructions to a delegation; they go into the prompt, fenced as data. */
    public AgentBuilder acceptModelInstructions() {
        this.modelInstructions = true;
        return this;
    }

    /** Let a supervisor's model lower the steps of a delegation; it can never raise them. */
    public AgentBuilder acceptModelMaxSteps() {
        this.modelMaxSteps = true;
        return this;
    }

    /** Let the client of a run add {@link Tool#external external} tools. They never replace a tool of the agent. Default: it may not. */
    public AgentBuilder acceptClientTools() {
        this.clientTools = true;
        return this;
    }

    /**
     * Build the agent.
     *
     * @throws ConfigurationException if it has no model, two tools or sub-agents share a name, a sub-agent has no
     *     description, or an agent stands above itself without a depth limit of its own
     */
    public Agent build() {
        Function<RequestContext, ModelChoice> chosen = model;
        if (chosen == null) {
            throw new ConfigurationException(
                    "Agent '" + id + "' needs a model, for example .model(\"openai/gpt-5-mini\").");
        }
        agents.forEach(this::requireDescription);
        AgentDefinition.requireUniqueNames(id, fixedTools, agents.keySet(), workflows.keySet());
        for (String key : workflows.keySet()) {
            if (agents.containsKey(key)) {
                throw new ConfigurationException("Agent '" + id + "': '" + key
                        + "' is the key of a sub-agent and of a workflow; give one of them another key.");
            }
        }
        if (!defaultOptions.values().get(Options.LIMITS).changed().containsKey(Limit.DEPTH)) {
            requireNoCycle(id, agents.values(), List.of(id));
        }
        BackgroundOptions tasks = background.build();
        requireKnown("sub-agent", tasks.agentKeys(), agents.keySet());
        requireKnown("workflow", tasks.workflowKeys(), workflows.keySet());
        AgentDefinition definition = new AgentDefinition(
                id,
                version,
                name == null ? id : name,
                description,
                new AgentDefinition.Functions(
                        instructions, chosen, clientTools ? ClientTools.addedTo(id, tools) : tools, dynamic),
                definitions(agents),
                workflows,
                defaultOptions.values(),
                memory,
                new AgentDefinition.DelegationTerms(modelInstructions, modelMaxSteps, input, output, delegationMemory),
                tasks);
        return new Agent(definition, new LinkedHashMap<>(agents), null, null);
    }

    private void requireKnown(String kind, Set<String> named, Set<String> known) {
        for (String key : named) {
            if (!known.contains(key)) {
                throw new ConfigurationException("Agent '" + id + "': background names " + kind + " '" + key
                        + "', which it does not have. It has: "
                        + (known.isEmpty() ? "none" : String.join(", ", known)) + ".");
            }
        }
    }

    /** Return what agents are, by their keys and in their order. */
    static Map<String, AgentDefinition> definitions(Map<String, Agent> agents) {
        Map<String, AgentDefinition> definitions = new LinkedHashMap<>();
        agents.forEach((key, agent) -> definitions.put(key, agent.definition()));
        return definitions;
    }

    private void requireDescription(String key, Agent agent) {
        if (agent.description().isBlank()) {
            throw new ConfigurationException("Agent '" + id + "': sub-agent '" + key
                    + "' needs a description: the model decides by it when to delegate.");
        }
    }

    private static void requireNoCycle(String id, Collection<Agent> below, List<String> above) {
        for (Agent agent : below) {
            if (above.contains(agent.id())) {
                throw new ConfigurationException("Agent '" + id + "': agent '" + agent.id()
                        + "' is its own descendant in " + String.join(" > ", above) + " > " + agent.id()
                        + "; rename one of them, or set a depth: defaultOptions(o -> o.limit(Limit.DEPTH, 4)).");
            }
            List<String> path = new ArrayList<>(above);
            path.add(agent.id());
            requireNoCycle(id, agent.agents().values(), path);
        }
    }
}
