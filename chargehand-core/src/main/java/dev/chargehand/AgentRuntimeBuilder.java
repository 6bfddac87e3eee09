package dev.chargehand;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.approval.ApproverCheck;
import dev.chargehand.background.BackgroundLimits;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunListener;
import dev.chargehand.internal.definition.Given;
import dev.chargehand.internal.definition.WorkflowDefinition;
import dev.chargehand.internal.engine.history.DerivedValues;
import dev.chargehand.internal.memory.Embedders;
import dev.chargehand.internal.text.TimeBound;
import dev.chargehand.model.EmbeddingModel;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelProvider;
import dev.chargehand.spi.AccessCheck;
import dev.chargehand.spi.ContextPropagator;
import dev.chargehand.spi.IdSource;
import dev.chargehand.spi.Instrumentation;
import dev.chargehand.spi.Lease;
import dev.chargehand.spi.Placement;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.version.Versions;
import dev.chargehand.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Collects what a runtime is built from. Not thread-safe; every method returns the builder. */
public final class AgentRuntimeBuilder {

    Store store = InMemoryStore.create();

    @Nullable
    List<ModelProvider> providers;

    final List<Agent> agents = new ArrayList<>();
    final List<WorkflowDefinition> workflows = new ArrayList<>();
    final List<RunListener> listeners = new ArrayList<>();
    final List<ContextPropagator> propagators = new ArrayList<>();
    final List<Instrumentation> instrumentations = new ArrayList<>();
    final List<String> secrets = new ArrayList<>();

    Versions versions = Versions.NONE;

    @Nullable
    AgentCatalog catalog;

    Duration catalogTimeLimit = Duration.ofSeconds(10);
    Embedders.RuntimeModel embeddings = Embedders.RuntimeModel.NONE;

    @Nullable
    ApproverCheck approverCheck;

    @Nullable
    AccessCheck accessCheck;

    @Nullable
    TimeSource time;

    IdSource ids = IdSource.secure();
    Wakeups wakeups = Wakeups.own();
    Placement placement = run -> {};
    BackgroundLimits background = BackgroundLimits.DEFAULT;

    @Nullable
    Lease lease;

    Duration storeTimeLimit = Duration.ofSeconds(10);
    Duration closeGrace = Duration.ofSeconds(10);

    AgentRuntimeBuilder() {}

    /** Set where runs and threads are kept; default in memory. The runtime closes it. */
    public AgentRuntimeBuilder store(Store value) {
        this.store = Given.value("Runtime option 'store'", value);
        return this;
    }

    /** Set what makes models of names; default the providers on the class path. The runtime closes them. */
    public AgentRuntimeBuilder providers(ModelProvider... values) {
        this.providers = List.of(values);
        return this;
    }

    /**
     * Set the embedding model of agents whose semantic recall has none of its own, by name, such as
     * {@code openai/text-embedding-3-small}. Default: none.
     *
     * @throws ConfigurationException if the name has not the form {@code provider/model}
     */
    public AgentRuntimeBuilder embeddingModel(String name) {
        String given = Given.value("Runtime option 'embeddingModel'", name);
        this.embeddings = new Embedders.RuntimeModel(new ModelChoice.Candidate.Named(given).name(), null);
        return this;
    }

    /** Set the embedding model of agents whose semantic recall has none of its own. Default: none. */
    public AgentRuntimeBuilder embeddingModel(EmbeddingModel model) {
        EmbeddingModel given = Given.value("Runtime option 'embeddingModel'", model);
        this.embeddings = new Embedders.RuntimeModel(
                Given.value("The name of runtime option 'embeddingModel'", given.name()), given);
        return this;
    }

    /** Set the agents that can be found by id; see {@link #addAgent}. Default: none. */
    public AgentRuntimeBuilder agents(Agent... values) {
        agents.clear();
        for (Agent agent : Given.value("Runtime option 'agents'", values)) {
            addAgent(agent);
        }
        return this;
    }

    /**
     * Add an agent that can be found by id. It runs in this runtime when {@link AgentRuntime#agent} returned it; a call
     * of the instance given here fails, since it would be made in no runtime.
     *
     * <p>Several versions of one agent have the same id and a {@link AgentBuilder#version} each. The first is found by the id, and is
     * the one in code, which is used where no version is selected.
     */
    public AgentRuntimeBuilder addAgent(Agent agent) {
        agents.add(Given.value("Runtime option 'agent'", agent));
        return this;
    }

    /**
     * Set which versions of agents are used where neither a call, its request nor the agent's options select one. Default: the agents
     * in code. An agent that does not exist is rejected by {@link #build}.
     */
    public AgentRuntimeBuilder versions(UnaryOperator<Versions> select) {
        this.versions = Given.value(
                "Runtime option 'versions'",
                Given.value("Runtime option 'versions'", select).apply(Versions.NONE));
        return this;
    }

    /** Set what finds versions of agents that were not given to the runtime. Default: none. */
    @Experimental
    public AgentRuntimeBuilder catalog(AgentCatalog value) {
        this.catalog = Given.value("Runtime option 'catalog'", value);
        return this;
    }

    /** Set how long one call of the catalog may take, above zero; default 10 s. */
    @Experimental
    public AgentRuntimeBuilder catalogTimeLimit(Duration value) {
        Duration given = Given.value("Runtime option 'catalogTimeLimit'", value);
        this.catalogTimeLimit =
                TimeBound.aboveZero("Runtime option 'catalogTimeLimit'", given, ConfigurationException::new);
        return this;
    }

    /** The catalog of saved versions. A runtime, which has the store, finds them. */
    record StoredCatalog(DocumentReader reader) implements AgentCatalog {

        @Override
        public Optional<Agent> find(Query query) {
            throw new ConfigurationException(
                    "The catalog of stored versions is used by a runtime; give it to AgentRuntimeBuilder.catalog.");
        }
    }

    /** Set the workflows whose runs can be resumed here; see {@link #addWorkflow}. Default: none. */
    @Experimental
    public AgentRuntimeBuilder workflows(Workflow<?, ?>... values) {
        workflows.clear();
        for (Workflow<?, ?> workflow : Given.value("Runtime option 'workflows'", values)) {
            addWorkflow(workflow);
        }
        return this;
    }

    /** Add a workflow, whose runs are resumed with it. Its id must differ from those of other workflows and of agents. */
    @Experimental
    public AgentRuntimeBuilder addWorkflow(Workflow<?, ?> workflow) {
        workflows.add(new WorkflowDefinition(Given.value("Runtime option 'workflow'", workflow)));
        return this;
    }

    /** Add a listener that receives every event of every run. */
    public AgentRuntimeBuilder addListener(RunListener listener) {
        this.listeners.add(Given.value("Runtime option 'listener'", listener));
        return this;
    }

    /** Add what carries a caller's context, such as a trace, to tools, hooks, scorers, models and listeners. */
    public AgentRuntimeBuilder addContextPropagator(ContextPropagator propagator) {
        this.propagators.add(Given.value("Runtime option 'contextPropagator'", propagator));
        return this;
    }

    /**
     * Add an instrumentation that surrounds every run and every call of a model, tool, hook, scorer, processor, store,
     * closer and listener; inside the ones added before it. Default: none.
     */
    public AgentRuntimeBuilder addInstrumentation(Instrumentation instrumentation) {
        this.instrumentations.add(Given.value("Runtime option 'instrumentation'", instrumentation));
        return this;
    }

    /**
     * Add a secret that must never show in an error, an event or a log; keys of models are known already. One of less than 6
     * characters is ignored: it would blank out ordinary words.
     */
    public AgentRuntimeBuilder addSecret(String value) {
        this.secrets.add(Given.value("Runtime option 'secret'", value));
        return this;
    }

    /**
     * Set who may answer what, for example only those of the conversation's tenant. Default: no check, and then the
     * runtime accepts no answer: {@link AgentRuntime#approve} and its like fail with {@code approval-not-allowed}.
     *
     * @see #anyoneMayApprove()
     */
    public AgentRuntimeBuilder approverCheck(ApproverCheck value) {
        this.approverCheck = Given.value("Runtime option 'approverCheck'", value);
        return this;
    }

    /**
     * Accept answers from any approver: for a program whose only user is the person in front of it, and for tests.
     * The ids of approvers are then a record, not a protection.
     */
    public AgentRuntimeBuilder anyoneMayApprove() {
        return approverCheck(ApproverCheck.ANYONE);
    }

    /**
     * Set who may open which runs, threads and approvals by their ids; what is denied is missing. Default: no check, and
     * then a caller may open everything of its tenant.
     */
    public AgentRuntimeBuilder accessCheck(AccessCheck value) {
        this.accessCheck = Given.value("Runtime option 'accessCheck'", value);
        return this;
    }

    /** Set the clock of every limit; default the machine's, which also steps in where another throws. */
    public AgentRuntimeBuilder timeSource(TimeSource value) {
        this.time = Given.value("Runtime option 'timeSource'", value);
        return this;
    }

    /** Set what mints ids; default 130 random bits. */
    public AgentRuntimeBuilder idSource(IdSource value) {
        IdSource source = Given.value("Runtime option 'idSource'", value);
        this.ids = prefix -> minted(source, prefix);
        return this;
    }

    private static String minted(IdSource source, String prefix) {
        String id = source.next(prefix);
        if (id == null || id.isBlank()) {
            throw new ConfigurationException("Id source " + source.getClass().getName() + " returned no id for '"
                    + prefix + "'; return a new text each time.");
        }
        return id;
    }

    /** Set which runs the runtime resumes by itself; default {@link Wakeups#own()}. */
    public AgentRuntimeBuilder wakeups(Wakeups value) {
        this.wakeups = Given.value("Runtime option 'wakeups'", value);
        return this;
    }

    /** Set how many background tasks the runtime executes at once; default {@link BackgroundLimits#DEFAULT}. */
    @Experimental
    public AgentRuntimeBuilder background(UnaryOperator<BackgroundLimits> change) {
        this.background = Given.value(
                "Runtime option 'background'",
                Given.value("Runtime option 'background'", change).apply(BackgroundLimits.DEFAULT));
        return this;
    }

    /** Set who executes submitted runs; default none but the runtimes that wake them. */
    public AgentRuntimeBuilder placement(Placement value) {
        this.placement = Given.value("Runtime option 'placement'", value);
        return this;
    }

    /** Set under which names the runtime owns runs; default the process, see {@link Lease}. */
    public AgentRuntimeBuilder lease(Lease value) {
        this.lease = Given.value("Runtime option 'lease'", value);
        return this;
    }

    /** Set how long one call of the store may take, above zero; default 10 s. */
    public AgentRuntimeBuilder storeTimeLimit(Duration value) {
        Duration given = Given.value("Runtime option 'storeTimeLimit'", value);
        this.storeTimeLimit =
                TimeBound.aboveZero("Runtime option 'storeTimeLimit'", given, ConfigurationException::new);
        return this;
    }

    /**
     * Set how long {@link AgentRuntime#close} waits for calls in flight; default 10 s, which fits into the time that
     * service managers give a process to terminate. Zero waits for none.
     */
    public AgentRuntimeBuilder closeGrace(Duration value) {
        Duration given = Given.value("Runtime option 'closeGrace'", value);
        this.closeGrace = TimeBound.notNegative("Runtime option 'closeGrace'", given, ConfigurationException::new);
        return this;
    }

    /**
     * Build the runtime. It brings its store up to date before: the summaries and waiting calls of runs that earlier
     * versions have stored and that have not ended. A run whose facts are damaged is logged and left as it is.
     *
     * @throws dev.chargehand.error.StoreException if the store cannot be read
     */
    public AgentRuntime build() {
        AgentRuntime runtime = new AgentRuntime(this);
        try {
            new DerivedValues(runtime.store()).update();
            return runtime;
        } catch (RuntimeException e) {
            runtime.close();
            throw e;
        }
    }
}
