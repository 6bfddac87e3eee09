package dev.chargehand;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunListener;
import dev.chargehand.internal.journal.BoundedStore;
import dev.chargehand.internal.limit.Callouts;
import dev.chargehand.internal.limit.Redactor;
import dev.chargehand.internal.limit.SystemTimeSource;
import dev.chargehand.internal.run.Engine;
import dev.chargehand.internal.run.Environment;
import dev.chargehand.internal.run.Models;
import dev.chargehand.internal.run.Ownership;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelProvider;
import dev.chargehand.run.ContextPropagator;
import dev.chargehand.run.IdSource;
import dev.chargehand.run.RunId;
import dev.chargehand.run.TimeSource;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Where agents run: a store, model providers, a clock.
 *
 * <p>Thread-safe. Agents that were given to a runtime can be found by id, which is how a stored run finds its agent
 * again. Closing a runtime cancels its live runs and closes its store and providers.
 */
public final class AgentRuntime implements AutoCloseable {

    private final Map<String, Agent> agents = new LinkedHashMap<>();
    private final Store store;
    private final List<ModelProvider> providers;
    private final Callouts callouts;
    private final @Nullable TimeSource ownTime;
    private final Ownership ownership;
    private final Engine engine;

    private AgentRuntime(Builder builder) {
        TimeSource time = builder.time == null ? new SystemTimeSource() : builder.time;
        this.ownTime = builder.time == null ? time : null;
        this.callouts = new Callouts(time);
        this.store = BoundedStore.over(builder.store, callouts, builder.storeTimeLimit);
        this.providers = builder.providers == null ? onClassPath() : List.copyOf(builder.providers);
        Redactor redactor = new Redactor();
        redactor.learn(Set.copyOf(builder.secrets));
        RandomGenerator jitter = new SecureRandom();
        this.ownership = new Ownership(store, time, builder.ids);
        this.engine = new Engine(new Environment(
                store,
                new Models(providers, redactor),
                time,
                builder.ids,
                jitter::nextDouble,
                callouts,
                redactor,
                builder.listeners,
                builder.propagators,
                ownership.owner()));
        builder.agents.forEach(agent -> agents.put(agent.id(), agent.in(this)));
    }

    private static List<ModelProvider> onClassPath() {
        return ServiceLoader.load(ModelProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    /** Begins a runtime. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the runtime of agents that no other runtime was asked for: an in-memory store, and the providers on the
     * class path with their keys from the environment. Made on first use; it lives as long as the process.
     */
    public static AgentRuntime shared() {
        return Shared.RUNTIME;
    }

    private static final class Shared {
        private static final AgentRuntime RUNTIME = builder().build();
    }

    /**
     * Returns an agent that was given to this runtime, to run in it.
     *
     * @throws ConfigurationException if there is none of that id
     */
    public Agent agent(String id) {
        Agent agent = agents.get(id);
        if (agent == null) {
            throw new ConfigurationException("There is no agent '" + id + "' in this runtime. Its agents: "
                    + (agents.isEmpty() ? "none" : String.join(", ", agents.keySet())) + ".");
        }
        return agent;
    }

    /** Returns the ids of the agents that were given to this runtime. */
    public Set<String> agentIds() {
        return Set.copyOf(agents.keySet());
    }

    /** Returns an agent to run in this runtime, without its being found by id. */
    public Agent bind(Agent agent) {
        return agent.in(this);
    }

    RunResult generate(Agent agent, List<Message> input, RunOptions options) {
        ownership.keep();
        return engine.generate(agent, input, options);
    }

    RunStream stream(Agent agent, List<Message> input, RunOptions options) {
        ownership.keep();
        return engine.stream(agent, input, options);
    }

    /** Takes up a run that a crash left behind, and waits for its result; see {@link #resume(RunId, Consumer)}. */
    public RunResult resume(RunId runId) {
        return resume(runId, options -> {});
    }

    /**
     * Takes up a run that a crash left behind, and waits for its result; a run that has ended gives the result it had.
     *
     * <p>Settings are those the run was started with. Hooks are those of its agent, and those given here; transient
     * values of the request context must be given again.
     *
     * @throws StoreException {@code NOT_FOUND} if the run is not in the store; {@code FENCED} if another owner that may
     *     be alive works on it
     * @throws ConfigurationException if its agent was not given to this runtime, or it is a nested run
     * @throws RunFailedException if the run failed
     */
    public RunResult resume(RunId runId, Consumer<RunOptions.Builder> options) {
        RunRecord found = root(runId);
        if (found.status().isEnded()) {
            return engine.ended(found);
        }
        Agent agent = agent(found.agentId());
        return engine.resume(agent, claim(found), agent.defaultOptions().with(options));
    }

    /**
     * Takes up a run that a crash left behind, and lets it be watched; see {@link #resume(RunId, Consumer)}.
     *
     * @throws ConfigurationException also if the run has ended
     */
    public RunStream resumeStream(RunId runId, Consumer<RunOptions.Builder> options) {
        RunRecord found = root(runId);
        if (found.status().isEnded()) {
            throw new ConfigurationException("Run " + runId + " has ended; resume(runId) gives its result.");
        }
        Agent agent = agent(found.agentId());
        return engine.resumeStream(agent, claim(found), agent.defaultOptions().with(options));
    }

    /**
     * Takes up every run whose owner is known to be dead; each goes on from its last stored fact, side by side.
     *
     * <p>Runs of agents that were not given to this runtime are left alone and reported.
     */
    public Recovery recover() {
        ownership.keep();
        Map<RunId, RunStream> taken = new LinkedHashMap<>();
        List<RunId> unknown = new ArrayList<>();
        for (RunRecord run : ownership.orphans()) {
            Agent agent = agents.get(run.agentId());
            if (engine.isLive(run.runId())) {
                continue;
            }
            if (agent == null) {
                unknown.add(run.runId());
            } else {
                ownership
                        .claimIfFree(run)
                        .ifPresent(claimed ->
                                taken.put(run.runId(), engine.resumeStream(agent, claimed, agent.defaultOptions())));
            }
        }
        return new Recovery(taken, unknown);
    }

    /** Cancels a run that is live in this runtime; tells whether it was. */
    public boolean cancel(RunId runId) {
        return engine.cancel(runId, "caller");
    }

    /** Returns records of the runs in the store, newest first. */
    public List<RunRecord> runs(RunFilter filter) {
        return store.list(filter);
    }

    /** Returns the store, every call of which ends within {@link Builder#storeTimeLimit}. */
    public Store store() {
        return store;
    }

    /** Returns the names of calls of tools, hooks, models and stores that were given up and have not returned yet. */
    public List<String> abandonedCalls() {
        return callouts.abandoned();
    }

    private RunRecord root(RunId runId) {
        RunRecord found = store.find(runId)
                .orElseThrow(() -> new StoreException(
                        StoreException.Kind.NOT_FOUND, "There is no run " + runId + " in the store.", null));
        if (!found.isRoot()) {
            throw new ConfigurationException(
                    "Run " + runId + " is a delegation; resume its root run " + found.rootRunId() + " instead.");
        }
        return found;
    }

    private RunRecord claim(RunRecord found) {
        ownership.keep();
        if (engine.isLive(found.runId())) {
            throw new StoreException(
                    StoreException.Kind.FENCED, "Run " + found.runId() + " is being worked on in this process.", null);
        }
        return ownership
                .claimIfFree(found)
                .orElseThrow(() -> new StoreException(
                        StoreException.Kind.FENCED,
                        "Run " + found.runId()
                                + " is being worked on by another process, which is not known to be dead; "
                                + "wait until it ends, or until its owner's time is over.",
                        null));
    }

    /** Cancels the live runs, waits until they have ended, and closes the providers and the store. */
    @Override
    public void close() {
        engine.close();
        ownership.release();
        providers.forEach(ModelProvider::close);
        store.close();
        if (ownTime instanceof SystemTimeSource system) {
            system.close();
        }
    }

    /** What {@link #recover()} took up. */
    public static final class Recovery {

        private final Map<RunId, RunStream> taken;
        private final List<RunId> unknown;

        private Recovery(Map<RunId, RunStream> taken, List<RunId> unknown) {
            this.taken = taken;
            this.unknown = unknown;
        }

        /** Returns the runs that go on. */
        public Set<RunId> runIds() {
            return taken.keySet();
        }

        /** Returns the runs that were left alone because their agents were not given to the runtime. */
        public List<RunId> withoutAgent() {
            return List.copyOf(unknown);
        }

        /** Waits until all of them have ended; a failed run gives its partial result. */
        public List<RunResult> await() {
            List<RunResult> results = new ArrayList<>();
            for (RunStream run : taken.values()) {
                try {
                    results.add(run.result());
                } catch (RunFailedException e) {
                    results.add(e.result());
                }
            }
            return results;
        }
    }

    /** Collects what a runtime is made of. Not thread-safe; every method returns the builder. */
    public static final class Builder {

        private Store store = InMemoryStore.create();
        private @Nullable List<ModelProvider> providers;
        private final List<Agent> agents = new ArrayList<>();
        private final List<RunListener> listeners = new ArrayList<>();
        private final List<ContextPropagator> propagators = new ArrayList<>();
        private final List<String> secrets = new ArrayList<>();
        private @Nullable TimeSource time;
        private IdSource ids = IdSource.secure();
        private Duration storeTimeLimit = Duration.ofSeconds(10);

        private Builder() {}

        /** Sets where runs and threads are kept; default in memory. The runtime closes it. */
        public Builder store(Store value) {
            this.store = value;
            return this;
        }

        /** Sets what makes models of names; default the providers on the class path. The runtime closes them. */
        public Builder providers(ModelProvider... values) {
            this.providers = List.of(values);
            return this;
        }

        /** Adds agents that can be found by id. */
        public Builder agents(Agent... values) {
            for (Agent agent : values) {
                if (agents.stream().anyMatch(there -> there.id().equals(agent.id()))) {
                    throw new ConfigurationException(
                            "Agent '" + agent.id() + "' is given twice to the runtime; ids must be unique.");
                }
                agents.add(agent);
            }
            return this;
        }

        /** Adds somebody who hears every event of every run. */
        public Builder listener(RunListener listener) {
            this.listeners.add(listener);
            return this;
        }

        /** Adds what carries a caller's context, such as a trace, to tools, hooks, scorers, models and listeners. */
        public Builder contextPropagator(ContextPropagator propagator) {
            this.propagators.add(propagator);
            return this;
        }

        /** Adds a secret that must never show in an error, an event or a log; keys of models are known already. */
        public Builder secret(String value) {
            this.secrets.add(value);
            return this;
        }

        /** Sets the clock of every limit; default the machine's. */
        public Builder timeSource(TimeSource value) {
            this.time = value;
            return this;
        }

        /** Sets what mints ids; default 130 random bits. */
        public Builder idSource(IdSource value) {
            this.ids = value;
            return this;
        }

        /** Sets how long one call of the store may take, above zero; default 10 s. */
        public Builder storeTimeLimit(Duration value) {
            if (!value.isPositive()) {
                throw new ConfigurationException(
                        "The time limit of the store must be above zero, but is " + value + ".");
            }
            this.storeTimeLimit = value;
            return this;
        }

        /** Builds the runtime. */
        public AgentRuntime build() {
            return new AgentRuntime(this);
        }
    }
}
