package dev.chargehand;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.GuardedTimeSource;
import dev.chargehand.internal.call.SystemTimeSource;
import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.internal.definition.DefinitionRegistry;
import dev.chargehand.internal.definition.Given;
import dev.chargehand.internal.definition.VersionCatalog;
import dev.chargehand.internal.definition.VersionSource;
import dev.chargehand.internal.definition.WorkflowDefinition;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.engine.history.ForgottenTrees;
import dev.chargehand.internal.engine.lease.Ownership;
import dev.chargehand.internal.engine.resume.InboxWatch;
import dev.chargehand.internal.engine.resume.RunRecovery;
import dev.chargehand.internal.engine.resume.RunWaker;
import dev.chargehand.internal.engine.resume.TenantRuns;
import dev.chargehand.internal.engine.task.TaskPlaces;
import dev.chargehand.internal.engine.tree.NamedModels;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.engine.tree.ThreadQueues;
import dev.chargehand.internal.engine.version.StoredVersionSource;
import dev.chargehand.internal.journal.BoundedStore;
import dev.chargehand.internal.log.Redactor;
import dev.chargehand.internal.memory.Embedders;
import dev.chargehand.internal.memory.MemoryWork;
import dev.chargehand.internal.memory.Recall;
import dev.chargehand.internal.memory.side.SideModels;
import dev.chargehand.internal.thread.ForeignThreads;
import dev.chargehand.metric.RunMetrics;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.DueRuns;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.deletion.Deletion;
import dev.chargehand.workflow.Workflow;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The environment of agents: a store, model providers, a clock.
 *
 * <pre>{@code
 * try (AgentRuntime runtime = AgentRuntime.builder()
 *         .store(JdbcStore.sqlite(file))
 *         .agents(supervisor)
 *         .build()) {
 *     RunResult result = runtime.agent("supervisor").generate("Hello");
 * }
 * }</pre>
 *
 * <p>It acts for the tenant {@code local}; {@link #forTenant} returns the same methods for another one.
 *
 * <p>Thread-safe. Agents that were given to a runtime can be found by id, which is how a stored run finds its agent
 * again. Closing a runtime releases its live runs, which another process can continue, and closes its store and
 * providers.
 */
public final class AgentRuntime extends TenantRuntime implements AutoCloseable {

    private final Parts parts;
    private final InboxWatch watch;
    private final Operator operator;

    AgentRuntime(AgentRuntimeBuilder builder) {
        this(builder, new Parts(builder, definitions(builder)));
    }

    private static DefinitionRegistry definitions(AgentRuntimeBuilder builder) {
        List<AgentDefinition> agents = new ArrayList<>();
        for (Agent agent : builder.agents) {
            agents.add(agent.definition());
        }
        return new DefinitionRegistry(agents, builder.workflows, builder.versions);
    }

    private AgentRuntime(AgentRuntimeBuilder builder, Parts parts) {
        super(parts.runs, parts.agents);
        this.parts = parts;
        builder.agents.forEach(agent -> {
            parts.agents.putIfAbsent(agent.id(), agent.in(this));
            agent.noteGiven();
        });
        this.operator = new Operator(parts);
        this.watch = RunWaker.watch(parts.runs.claims(), builder.wakeups.scope(), builder.wakeups.concurrency());
    }

    /** The parts of a runtime. */
    private static final class Parts {
        private final Map<String, Agent> agents = new LinkedHashMap<>();
        private final Redactor redactor = new Redactor();
        private final SystemTimeSource machineTime = new SystemTimeSource();
        private final ForeignThreads threads = ForeignThreads.open();
        private final BoundedCalls callouts;
        private final Store store;
        private final NamedModels models;
        private final Ownership ownership;
        private final MemoryWork memoryWork;
        private final Engine engine;
        private final TenantRuns runs;

        private Parts(AgentRuntimeBuilder builder, DefinitionRegistry inCode) {
            redactor.learn(Set.copyOf(builder.secrets));
            TimeSource time =
                    builder.time == null ? machineTime : new GuardedTimeSource(builder.time, machineTime, redactor);
            this.callouts = new BoundedCalls(time, threads, builder.instrumentations);
            this.store = BoundedStore.over(builder.store, callouts, builder.storeTimeLimit);
            this.models = builder.providers == null
                    ? NamedModels.onClassPath(redactor)
                    : new NamedModels(builder.providers, redactor);
            this.ownership = new Ownership(store, time, builder.ids, builder.lease, callouts);
            Embedders embedders = new Embedders(models::embeddingModel, builder.embeddings, redactor);
            SideModels sideModels = new SideModels(models::of, redactor);
            this.memoryWork = new MemoryWork(store, time, callouts, embedders, sideModels, ownership.owner());
            VersionSource versions = versions(builder.catalog, store, builder.catalogTimeLimit);
            DefinitionRegistry definitions = versions == VersionSource.NONE
                    ? inCode
                    : inCode.with(
                            VersionCatalog.of(Store.LOCAL, versions, callouts, builder.catalogTimeLimit, redactor));
            RandomGenerator jitter = new SecureRandom();
            RuntimeEnvironment environment = new RuntimeEnvironment(
                    Store.LOCAL,
                    store,
                    models,
                    time,
                    builder.ids,
                    jitter::nextDouble,
                    callouts,
                    redactor,
                    builder.listeners,
                    builder.propagators,
                    new ThreadQueues(),
                    ownership,
                    definitions,
                    new Recall(Store.LOCAL, store, embedders, sideModels, memoryWork, callouts, time),
                    new TaskPlaces(builder.background, builder.wakeups.scope() != DueRuns.Scope.NONE),
                    ForgottenTrees.of(Store.LOCAL));
            this.engine = new Engine(environment, builder.closeGrace);
            this.runs = new TenantRuns(
                    engine,
                    builder.placement,
                    builder.wakeups.scope(),
                    builder.accessCheck,
                    builder.approverCheck,
                    versions instanceof StoredVersionSource stored ? stored : null);
        }

        private static VersionSource versions(@Nullable AgentCatalog catalog, Store store, Duration limit) {
            return switch (catalog) {
                case null -> VersionSource.NONE;
                case AgentRuntimeBuilder.StoredCatalog stored ->
                    new StoredVersionSource(
                            store,
                            (agentId, version, document) -> stored.reader()
                                    .read(agentId, version, document)
                                    .definition(),
                            limit);
                default ->
                    (tenantId, code, version) -> found(catalog, new AgentCatalog.Query(tenantId, code.id(), version));
            };
        }

        private static Optional<AgentDefinition> found(AgentCatalog catalog, AgentCatalog.Query query)
                throws Exception {
            Optional<Agent> found = catalog.find(query);
            if (found == null) {
                throw new ConfigurationException(
                        "it returned null; it must return an empty Optional for a missing version.");
            }
            return found.map(Agent::definition);
        }
    }

    /** Return a builder of a runtime. */
    public static AgentRuntimeBuilder builder() {
        return new AgentRuntimeBuilder();
    }

    /**
     * Return the runtime of agents without another runtime: an in-memory store, and the providers on the
     * class path with their keys from the environment. Made on first use; it lives as long as the process.
     */
    public static AgentRuntime shared() {
        return Shared.RUNTIME;
    }

    private static final class Shared {
        private static final AgentRuntime RUNTIME = builder().build();
    }

    @Override
    public Agent agent(String id) {
        return given(id);
    }

    /**
     * Return the same methods for the runs and threads of another tenant. Agents are those of this runtime; take them from
     * what is returned, to run them for the tenant.
     *
     * @param tenantId 1 to 128 characters; this runtime itself is that of {@code local}
     * @throws ConfigurationException if the id is not valid
     */
    public TenantRuntime forTenant(String tenantId) {
        Objects.requireNonNull(tenantId, "A tenant id must not be null.");
        return tenantId.equals(tenantId()) ? this : new TenantRuntime(parts.runs.forTenant(tenantId), parts.agents);
    }

    /** Return the methods for the runs of all tenants; nothing else reads across tenants. */
    public Operator operator() {
        return operator;
    }

    /**
     * Methods for the runs of all tenants. They are for the program itself, its health checks and metrics, and never for a
     * request of a user. Thread-safe.
     */
    public static final class Operator {

        /** Few, so that a writer that waits for their transaction does not wait for long. */
        private static final int TREES_AT_ONCE = 20;

        private static final int ROWS_AT_ONCE = 500;

        /** How long it is known what memory has used. */
        private static final int USAGE_DAYS = 400;

        /** How long what memory does not use stays. */
        private static final Duration UNUSED = Duration.ofDays(30);

        private final Parts parts;
        private final RunRecovery recovery;

        private Operator(Parts parts) {
            this.parts = parts;
            this.recovery = new RunRecovery(parts.runs);
        }

        /** Return records of the runs of all tenants, newest first. */
        public List<RunRecord> runs(RunFilter filter) {
            return parts.store.listOfAllTenants(filter);
        }

        /**
         * Count the root runs of all tenants that have started within the last time, from their records.
         *
         * @param window how far back; more than 10,000 runs are not counted
         * @throws ConfigurationException if the duration is not positive
         * @throws StoreException if the store fails
         */
        public RunMetrics metrics(Duration window) {
            if (!window.isPositive()) {
                throw new ConfigurationException(
                        "Runs are counted of a positive duration before now, such as one hour, not of " + window + ".");
            }
            return RunMetrics.of(this::runs, RunFilter.ROOTS, before(parts.engine.now(), window));
        }

        /**
         * Resume every run whose owner is known to be dead, those that wait for something that has expired or arrived, and
         * pending ones, side by side, and those of one thread in their order; end nested runs that were left below a run which has ended.
         *
         * <p>Runs whose agents, or whose own hooks that decide, are missing are left alone and reported.
         */
        public Recovery recover() {
            return new Recovery(recovery.recover());
        }

        /**
         * Delete the runs that ended longer ago than a duration, with all that is theirs: nested runs, facts, deliveries and
         * idempotency keys. Threads and their messages stay, and runs that have not ended, however old, with the turns, tasks and attempts that
         * belong to the same until-idle call or task. The usage of memory of more than
         * 400 days ago, vectors of an embedding model that was not used for 30 days, and keys of edits that the application made more than
         * 30 days ago are deleted too, regardless of the duration.
         *
         * <p>A deleted run is missing for every method. Its forks stay whole. A watch that has not read it to the end ends
         * there, and a call with its idempotency key starts a run again.
         *
         * <p>The store deletes 20 root runs at a time, and others use it in between. An interrupt ends this after
         * such a step and is kept. An error does not bring back runs that were deleted before.
         *
         * @param olderThan not negative; zero for all that have ended
         * @return how many root runs were deleted
         * @throws ConfigurationException if the duration is negative
         * @throws StoreException if the store fails
         */
        public long prune(Duration olderThan) {
            if (olderThan.isNegative()) {
                throw new ConfigurationException("Runs that ended longer ago than " + olderThan
                        + " cannot be deleted; the duration is not negative.");
            }
            Instant now = parts.engine.now();
            Instant before = before(now, olderThan);
            long deleted = 0;
            int last;
            do {
                last = parts.store.delete(new Deletion.EndedRuns(before, TREES_AT_ONCE, true));
                deleted += last;
            } while (last > 0 && !Thread.currentThread().isInterrupted());
            LocalDate day = LocalDate.ofInstant(now, ZoneOffset.UTC).minusDays(USAGE_DAYS);
            pruneAll(new Deletion.OldUsage(day, ROWS_AT_ONCE));
            pruneAll(new Deletion.UnusedVectors(now.minus(UNUSED), ROWS_AT_ONCE));
            pruneAll(new Deletion.OldEditKeys(now.minus(UNUSED), ROWS_AT_ONCE));
            return deleted;
        }

        /** Return the time so long before now, and the start of 1970 for all longer durations. */
        private static Instant before(Instant now, Duration duration) {
            boolean longer = duration.compareTo(Duration.between(Instant.EPOCH, now)) > 0;
            return longer ? Instant.EPOCH : now.minus(duration);
        }

        private void pruneAll(Deletion part) {
            int last;
            do {
                last = parts.store.memory().isPresent() ? parts.store.delete(part) : 0;
            } while (last > 0 && !Thread.currentThread().isInterrupted());
        }
    }

    /** Do what {@link Operator#recover} does: a program calls it when it has built its runtime. */
    public Recovery recover() {
        return operator.recover();
    }

    /**
     * Add a workflow, whose runs are resumed with it from now on, those of every tenant. It is for what is made after the runtime, such as
     * a server; other workflows are given to the {@link AgentRuntimeBuilder#addWorkflow builder}.
     *
     * @throws ConfigurationException if its id is that of an agent or of another workflow
     */
    @Experimental
    public void addWorkflow(Workflow<?, ?> workflow) {
        parts.engine.definitions().add(new WorkflowDefinition(Given.value("The workflow", workflow)));
    }

    /** Return the store of the tenant {@code local}, every call of which ends within {@link AgentRuntimeBuilder#storeTimeLimit}. */
    public Store store() {
        return parts.store;
    }

    /** Return the names of calls of tools, hooks, models and store that were given up and have not returned yet. */
    public List<String> abandonedCalls() {
        return parts.callouts.abandoned();
    }

    /** Return whether {@link #close} was called: no run starts or continues here any more. */
    public boolean isClosed() {
        return !parts.engine.isOpen();
    }

    /**
     * Release the live runs, and close the providers and the store.
     *
     * <p>From now on no model, tool, hook or sub-agent is called. Calls in flight are waited for until {@link
     * AgentRuntimeBuilder#closeGrace} is over, and each result is stored; calls that are still in flight then are
     * interrupted calls, as after a crash. The runs stay in the store and belong to no process: {@link #recover()} and
     * {@link #resume} continue them at once, in any process. Their callers here get a {@link
     * RunReleasedException}, their streams end with {@link RunEvent.RunReleased}. Runs of a store in memory are
     * cancelled. A second call waits for the first. An interrupt ends the grace time.
     */
    @Override
    public void close() {
        watch.close();
        parts.engine.close(parts.machineTime, () -> {
            parts.ownership.release();
            parts.memoryWork.close();
            parts.models.close(parts.callouts);
            try {
                parts.store.close();
            } finally {
                parts.machineTime.close();
                parts.threads.close();
            }
        });
    }
}
