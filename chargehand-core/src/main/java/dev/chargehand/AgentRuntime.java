package dev.chargehand;

import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.ApproverCheck;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunListener;
import dev.chargehand.internal.journal.BoundedStore;
import dev.chargehand.internal.limit.Callouts;
import dev.chargehand.internal.limit.Cancellation;
import dev.chargehand.internal.limit.ForeignThreads;
import dev.chargehand.internal.limit.GuardedTimeSource;
import dev.chargehand.internal.limit.Log;
import dev.chargehand.internal.limit.Redactor;
import dev.chargehand.internal.limit.SystemTimeSource;
import dev.chargehand.internal.run.Engine;
import dev.chargehand.internal.run.Environment;
import dev.chargehand.internal.run.Forking;
import dev.chargehand.internal.run.Models;
import dev.chargehand.internal.run.Ownership;
import dev.chargehand.internal.run.Resuming;
import dev.chargehand.internal.run.ThreadQueues;
import dev.chargehand.internal.text.ReadableTime;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelProvider;
import dev.chargehand.run.AgentPath;
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
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Where agents run: a store, model providers, a clock.
 *
 * <p>Thread-safe. Agents that were given to a runtime can be found by id, which is how a stored run finds its agent
 * again. Closing a runtime releases its live runs, which another process can continue, and closes its store and
 * providers.
 */
public final class AgentRuntime implements AutoCloseable {

    private static final Log LOG = Log.of(AgentRuntime.class);

    private static final Approver APPLICATION = Approver.of("application");

    /** How long closing a provider may take. */
    private static final Duration CLOSING = Duration.ofSeconds(10);

    private final Map<String, Agent> agents = new LinkedHashMap<>();
    private final Store store;
    private final List<ModelProvider> providers;
    private final Redactor redactor = new Redactor();
    private final Callouts callouts;
    private final SystemTimeSource machineTime = new SystemTimeSource();
    private final ForeignThreads threads = ForeignThreads.open();
    private final Ownership ownership;
    private final Engine engine;
    private final Resuming resuming;
    private final Forking forking;

    private AgentRuntime(Builder builder) {
        redactor.learn(Set.copyOf(builder.secrets));
        TimeSource time =
                builder.time == null ? machineTime : new GuardedTimeSource(builder.time, machineTime, redactor);
        this.callouts = new Callouts(time, threads);
        this.store = BoundedStore.over(builder.store, callouts, builder.storeTimeLimit);
        this.providers = builder.providers == null ? onClassPath() : List.copyOf(builder.providers);
        RandomGenerator jitter = new SecureRandom();
        this.ownership = new Ownership(store, time, builder.ids);
        Environment environment = new Environment(
                store,
                new Models(providers, redactor),
                time,
                builder.ids,
                jitter::nextDouble,
                callouts,
                redactor,
                builder.listeners,
                builder.propagators,
                new ThreadQueues(),
                ownership);
        this.engine = new Engine(environment, ownership, agent -> agents.get(agent.id()) == agent, builder.closeGrace);
        this.resuming = new Resuming(environment, ownership, engine, builder.approverCheck);
        this.forking = new Forking(environment, engine);
        builder.agents.forEach(agent -> {
            agents.put(agent.id(), agent.in(this));
            agent.noteGiven();
        });
    }

    private static List<ModelProvider> onClassPath() {
        return ServiceLoader.load(ModelProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(ModelProvider::isNative).reversed())
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

    private void open() {
        engine.requireOpen();
        ownership.keep();
    }

    RunResult generate(Agent agent, List<Message> input, RunOptions options) {
        List<Message> said = begun(agent, input, options);
        return engine.generate(agent, said, options);
    }

    RunStream stream(Agent agent, List<Message> input, RunOptions options) {
        List<Message> said = begun(agent, input, options);
        return engine.stream(agent, said, options);
    }

    /** Returns the input of a run that may begin. */
    private List<Message> begun(Agent agent, List<Message> input, RunOptions options) {
        if (options.resourceId() != null && options.threadId() == null) {
            throw new ConfigurationException(
                    "Agent '" + agent.id() + "': option 'resource' says whom a thread belongs to,"
                            + " but the run has no thread; add .thread(\"...\"), or use .requester(\"...\") to say who asks.");
        }
        List<Message> said = Given.input(agent.id(), input);
        open();
        return said;
    }

    /** Begins a run that goes on from a step of another; see {@link #fork(RunId, int, Consumer)}. */
    public RunResult fork(RunId from, int afterStep) {
        return fork(from, afterStep, fork -> {});
    }

    /**
     * Begins a run that goes on from a step of another, perhaps with another prompt, other options, another agent or
     * model, and waits for its result. The other run is only read: it may be running, wait, or have ended in any way.
     *
     * <p>The fork begins with what the old run was asked and with its steps up to the chosen one, as they were: none of
     * their tools is called again, no delegation made again, no hook asked again. What it calls itself has new
     * idempotency keys. What it spends begins at zero; the copied steps are on the account of the old run, but they count
     * as steps, for {@code maxSteps} and for calls that are repeated. A fork of a run with a thread has a new thread of
     * the same owner, with a copy of what the old one held before the run; the old one is never touched. Where it came
     * from can be read: {@link RunResult#forkedFrom()}.
     *
     * <p>Options are those the old run was started with, unless changed; hooks and transient values of the request
     * context are to be given again as for {@link #resume(RunId, Consumer)}. The store must still have the old run, which
     * the default one in memory forgets when it ends.
     *
     * @param from a root run
     * @param afterStep the last step to have a copy of, 0 for none; the run must have finished it
     * @throws StoreException {@code NOT_FOUND} if the run is not in the store
     * @throws ConfigurationException if it is a nested run or has not finished that step; if there is nothing left to do
     *     after it; if the agent was not given to this runtime; or if hooks that decide are not here
     * @throws ThreadOwnershipException if the options name another resource than the old run's thread belongs to
     * @throws RunFailedException if the fork failed
     */
    public RunResult fork(RunId from, int afterStep, Consumer<Fork.Builder> changes) {
        open();
        return forking.fork(from, afterStep, Fork.with(changes), this::agent);
    }

    /** Begins a run that goes on from a step of another, and lets it be watched; see the method that waits. */
    public RunStream forkStream(RunId from, int afterStep, Consumer<Fork.Builder> changes) {
        open();
        return forking.forkStream(from, afterStep, Fork.with(changes), this::agent);
    }

    /** Takes up a run that a crash left behind, and waits for its result; see {@link #resume(RunId, Consumer)}. */
    public RunResult resume(RunId runId) {
        return resume(runId, options -> {});
    }

    /**
     * Takes up a run that a crash left behind, and waits for its result; a run that has ended, or that waits for answers,
     * gives the result it has. What expired while a run waited counts as declined, and the run goes on.
     *
     * <p>Settings are those the run was started with. Hooks are those of its agent, those given to the run if it was
     * suspended in this runtime, and those given here; transient values of the request context must be given again.
     *
     * @throws StoreException {@code NOT_FOUND} if the run is not in the store; {@code FENCED} if another owner that may
     *     be alive works on it
     * @throws ConfigurationException if its agent was not given to this runtime, it is a nested run, or it was started
     *     with hooks that decide and that are not here
     * @throws RunFailedException if the run failed
     */
    public RunResult resume(RunId runId, Consumer<RunOptions.Builder> options) {
        engine.requireOpen();
        return resuming.resume(runId, run -> with(run, options));
    }

    /**
     * Takes up a run that a crash left behind, and lets it be watched; see {@link #resume(RunId, Consumer)}.
     *
     * @throws ConfigurationException also if the run has ended, or waits for answers
     */
    public RunStream resumeStream(RunId runId, Consumer<RunOptions.Builder> options) {
        engine.requireOpen();
        return resuming.resumeStream(runId, run -> with(run, options));
    }

    /** Lets a waiting call be executed; see {@link #answer(PendingApproval, ApprovalAnswer, Consumer)}. */
    public RunResult approve(PendingApproval approval, Approver approver) {
        return answer(approval, ApprovalAnswer.approve(approver), options -> {});
    }

    /** Lets a waiting call be executed; see {@link #answer(PendingApproval, ApprovalAnswer, Consumer)}. */
    public RunResult approve(PendingApproval approval, Approver approver, Consumer<RunOptions.Builder> options) {
        return answer(approval, ApprovalAnswer.approve(approver), options);
    }

    /**
     * Refuses a waiting call; its model sees the reason and decides what to do. See
     * {@link #answer(PendingApproval, ApprovalAnswer, Consumer)}.
     */
    public RunResult decline(PendingApproval approval, Approver approver, String reason) {
        return answer(approval, ApprovalAnswer.decline(approver, reason), options -> {});
    }

    /** Refuses a waiting call; see {@link #answer(PendingApproval, ApprovalAnswer, Consumer)}. */
    public RunResult decline(
            PendingApproval approval, Approver approver, String reason, Consumer<RunOptions.Builder> options) {
        return answer(approval, ApprovalAnswer.decline(approver, reason), options);
    }

    /**
     * Gives the data that a tool asked for, in the name of the application; see
     * {@link #answer(PendingApproval, ApprovalAnswer, Consumer)}.
     */
    public RunResult resume(PendingApproval approval, @Nullable Object data) {
        return answer(approval, ApprovalAnswer.data(APPLICATION, data), options -> {});
    }

    /** Gives the data that a tool asked for; see {@link #answer(PendingApproval, ApprovalAnswer, Consumer)}. */
    public RunResult resume(
            PendingApproval approval, @Nullable Object data, Approver approver, Consumer<RunOptions.Builder> options) {
        return answer(approval, ApprovalAnswer.data(approver, data), options);
    }

    /**
     * Answers what a run waits for, takes its tree up at that call, and waits until it ends or can only wait again.
     *
     * <p>What counts is what is stored, not what the approval says: an answer is taken for the very arguments that were
     * shown, once, in time, and from whom {@link Builder#approverCheck} lets. Any number of processes on one store may
     * answer at once; exactly one answer is taken. If the run is at work because of another answer, this one waits until
     * it is not; an interrupt ends that wait.
     *
     * <p>Settings and hooks are those of {@link #resume(RunId, Consumer)}.
     *
     * @throws ApprovalException if the answer was not taken; nothing was recorded then, and nothing executed
     * @throws ConfigurationException as {@link #resume(RunId, Consumer)}
     * @throws RunFailedException if the run failed
     */
    public RunResult answer(PendingApproval approval, ApprovalAnswer answer, Consumer<RunOptions.Builder> options) {
        engine.requireOpen();
        return resuming.answer(approval, answer, run -> with(run, options));
    }

    /** Answers what a run waits for, and lets it be watched; see the method that waits. */
    public RunStream answerStream(
            PendingApproval approval, ApprovalAnswer answer, Consumer<RunOptions.Builder> options) {
        engine.requireOpen();
        return resuming.answerStream(approval, answer, run -> with(run, options));
    }

    /**
     * Returns what a root run and all runs below it wait for, in the order of the calls; empty if it waits for nothing.
     *
     * @throws StoreException {@code NOT_FOUND} if the run is not in the store
     */
    public List<PendingApproval> pendingApprovals(RunId runId) {
        return resuming.pending(runId);
    }

    /**
     * Returns what the stored facts of a root run and of all runs below it tell: the events that a listener heard or
     * would have heard, in order, at the times of the facts, with ids that count from 1. Of a run that goes on, what is
     * stored so far.
     *
     * <p>What is not stored is left out: deltas, and where texts, reasoning and the arguments of calls begin and end;
     * {@code step-retry}, though {@code usage} tells the number of attempts; {@code scoring-start}, and the end of a
     * scoring that was cut short; {@code hook-error}; what applications tell; and a step that was ended before its model
     * had answered. Of a network, the texts of decisions and checks are told, since they are stored. Steps are told as iterations too if their agent was given to this runtime and has sub-agents, or, of
     * an agent that was not, if it has delegated. What ends a nested run from above may have an earlier time than its end,
     * which is told first, as it was live.
     *
     * @throws StoreException {@code NOT_FOUND} if the run is not in the store
     * @throws ConfigurationException if it is a nested run
     */
    public List<RunEvent> history(RunId runId) {
        return resuming.history(runId, this::agentAt);
    }

    private Optional<Agent> agentAt(AgentPath path) {
        Optional<Agent> agent = Optional.ofNullable(agents.get(path.segments().getFirst()));
        for (String key : path.segments().subList(1, path.depth())) {
            agent = agent.flatMap(above -> Optional.ofNullable(above.agents().get(key)));
        }
        return agent;
    }

    private Resuming.With with(RunRecord run, Consumer<RunOptions.Builder> options) {
        Agent agent = engine.agentOf(run.runId()).orElseGet(() -> agent(run.agentId()));
        return new Resuming.With(agent, base -> base.with(options));
    }

    /**
     * Takes up every run whose owner is known to be dead, and those that wait for something that has expired; each goes
     * on from its last stored fact, side by side. Nested runs that were left below a run which ended are ended for the
     * same reason.
     *
     * <p>Runs are left alone and reported if their agents were not given to this runtime, or if they were started with
     * hooks of their own that decide: {@link #resume(RunId, Consumer)} takes such hooks.
     */
    public Recovery recover() {
        open();
        return new Recovery(
                resuming.recover(run -> agentOf(run).map(agent -> new Resuming.With(agent, options -> options))));
    }

    private Optional<Agent> agentOf(RunRecord run) {
        return engine.agentOf(run.runId()).or(() -> Optional.ofNullable(agents.get(run.agentId())));
    }

    /**
     * Cancels a run, with all below it.
     *
     * <p>A run that is live in this runtime is told: it closes the provider's socket and interrupts its tools. One that
     * waits, that a dead process left behind, or that is at work in another process is ended in the store. Another process
     * that is at work on it notices when it next writes, at the latest after its current model or tool call, which it still
     * makes; its caller then gets the run as cancelled.
     *
     * @return whether it was cancelled; false if there is no such run that has not ended
     */
    public boolean cancel(RunId runId) {
        engine.requireOpen();
        return resuming.cancel(runId, "caller", this::agentOf);
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

    /**
     * Releases the live runs, and closes the providers and the store.
     *
     * <p>From now on no model, tool, hook or sub-agent is called. Calls in flight are waited for until
     * {@link Builder#closeGrace} is over, and each result is stored; calls that are still in flight then are interrupted
     * calls, as after a crash. The runs stay in the store and belong to no process: {@link #recover()} and
     * {@link #resume(RunId)} continue them at once, in any process. Their callers here get a
     * {@link RunReleasedException}, their streams end with {@link RunEvent.RunReleased}. Runs of a store in memory are
     * cancelled.
     *
     * <p>A second call waits for the first, and does nothing else. An interrupt of the calling thread ends the grace time.
     */
    @Override
    public void close() {
        engine.close(machineTime, () -> {
            ownership.release();
            providers.forEach(this::close);
            try {
                store.close();
            } finally {
                machineTime.close();
                threads.close();
            }
        });
    }

    /** A provider that cannot be closed keeps neither the others nor the store from being closed. */
    private void close(ModelProvider provider) {
        try {
            callouts.call("close of a model provider", CLOSING, new Cancellation(), () -> {
                provider.close();
                return true;
            });
        } catch (Callouts.TimedOut e) {
            LOG.warn(
                    "The provider {} was not closed within {}.",
                    provider.getClass().getName(),
                    CLOSING);
        } catch (Callouts.Threw e) {
            LOG.warn(
                    "The provider {} could not be closed: {}",
                    provider.getClass().getName(),
                    redactor.describe(e.thrown()));
        }
    }

    /** What {@link #recover()} took up. */
    public static final class Recovery {

        private final Resuming.Recovered recovered;

        private Recovery(Resuming.Recovered recovered) {
            this.recovered = recovered;
        }

        /** Returns the runs that go on. */
        public Set<RunId> runIds() {
            return recovered.taken().keySet();
        }

        /** Returns the runs that were left alone because their agents were not given to the runtime. */
        public List<RunId> withoutAgent() {
            return List.copyOf(recovered.withoutAgent());
        }

        /** Returns the runs that were left alone because they were started with hooks that are not here. */
        public List<RunId> withoutHooks() {
            return List.copyOf(recovered.withoutHooks());
        }

        /** Waits until all of them have ended; a failed run gives its partial result. */
        public List<RunResult> await() {
            List<RunResult> results = new ArrayList<>();
            for (RunStream run : recovered.taken().values()) {
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
        private @Nullable ApproverCheck approverCheck;
        private @Nullable TimeSource time;
        private IdSource ids = IdSource.secure();
        private Duration storeTimeLimit = Duration.ofSeconds(10);
        private Duration closeGrace = Duration.ofSeconds(10);

        private Builder() {}

        /** Sets where runs and threads are kept; default in memory. The runtime closes it. */
        public Builder store(Store value) {
            this.store = Given.value("Runtime option 'store'", value);
            return this;
        }

        /** Sets what makes models of names; default the providers on the class path. The runtime closes them. */
        public Builder providers(ModelProvider... values) {
            this.providers = List.of(values);
            return this;
        }

        /**
         * Adds agents that can be found by id. They run in this runtime when {@link AgentRuntime#agent} returned them; a
         * call of the instances given here fails, since it would be made in no runtime.
         */
        public Builder agents(Agent... values) {
            for (Agent agent : values) {
                Given.value("Runtime option 'agents'", agent);
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
            this.listeners.add(Given.value("Runtime option 'listener'", listener));
            return this;
        }

        /** Adds what carries a caller's context, such as a trace, to tools, hooks, scorers, models and listeners. */
        public Builder contextPropagator(ContextPropagator propagator) {
            this.propagators.add(Given.value("Runtime option 'contextPropagator'", propagator));
            return this;
        }

        /** Adds a secret that must never show in an error, an event or a log; keys of models are known already. */
        public Builder secret(String value) {
            this.secrets.add(Given.value("Runtime option 'secret'", value));
            return this;
        }

        /**
         * Sets who may answer what, for example only those of the conversation's tenant. Default: no check, and then the
         * runtime accepts no answer: {@link AgentRuntime#approve} and its like fail with {@code approval-not-allowed}.
         *
         * @see #anyoneMayApprove()
         */
        public Builder approverCheck(ApproverCheck value) {
            this.approverCheck = Given.value("Runtime option 'approverCheck'", value);
            return this;
        }

        /**
         * Accepts answers from any approver: for a program whose only user is the person in front of it, and for tests.
         * The ids of approvers are then a record, not a protection.
         */
        public Builder anyoneMayApprove() {
            return approverCheck((approval, approver) -> true);
        }

        /** Sets the clock of every limit; default the machine's, which also steps in where another throws. */
        public Builder timeSource(TimeSource value) {
            this.time = Given.value("Runtime option 'timeSource'", value);
            return this;
        }

        /** Sets what mints ids; default 130 random bits. */
        public Builder idSource(IdSource value) {
            IdSource source = Given.value("Runtime option 'idSource'", value);
            this.ids = prefix -> minted(source, prefix);
            return this;
        }

        private static String minted(IdSource source, String prefix) {
            String id = source.next(prefix);
            if (id == null || id.isBlank()) {
                throw new ConfigurationException(
                        "Id source " + source.getClass().getName() + " returned no id for '" + prefix
                                + "'; return a new text each time.");
            }
            return id;
        }

        /** Sets how long one call of the store may take, above zero; default 10 s. */
        public Builder storeTimeLimit(Duration value) {
            if (!Given.value("Runtime option 'storeTimeLimit'", value).isPositive()) {
                throw new ConfigurationException(
                        "The time limit of the store must be above zero, but is " + ReadableTime.of(value) + ".");
            }
            this.storeTimeLimit = value;
            return this;
        }

        /**
         * Sets how long {@link AgentRuntime#close} waits for calls in flight; default 10 s, which fits into the time that
         * service managers give a process to terminate. Zero waits for none.
         */
        public Builder closeGrace(Duration value) {
            if (value.isNegative()) {
                throw new ConfigurationException(
                        "The grace time of closing must not be negative, but is " + value + ".");
            }
            this.closeGrace = value;
            return this;
        }

        /** Builds the runtime. */
        public AgentRuntime build() {
            return new AgentRuntime(this);
        }
    }
}
