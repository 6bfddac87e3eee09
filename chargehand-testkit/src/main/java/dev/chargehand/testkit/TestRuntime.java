package dev.chargehand.testkit;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.ApproverCheck;
import dev.chargehand.background.BackgroundLimits;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunListener;
import dev.chargehand.message.Message;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.spi.IdSource;
import dev.chargehand.spi.Instrumentation;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A runtime for tests: scripted models, a store that keeps ended runs, ids that count from 1, recorded events.
 *
 * <p>Closing it closes the runtime and checks that every called agent had a turn in the script.
 */
public final class TestRuntime implements AutoCloseable {

    private final AgentRuntime runtime;
    private final Script script;
    private final Store store;
    private final @Nullable ManualClock clock;
    private final List<RunEvent> events = new CopyOnWriteArrayList<>();

    private TestRuntime(Builder builder) {
        this.script = builder.script;
        this.store = builder.store;
        this.clock = builder.time instanceof ManualClock manual ? manual : null;
        AgentRuntimeBuilder made = AgentRuntime.builder()
                .store(builder.store)
                .idSource(builder.ids)
                .anyoneMayApprove()
                .wakeups(builder.wakeups)
                .background(builder.background)
                .providers(new ScriptedProvider(script))
                .agents(builder.agents.stream().map(this::scripted).toArray(Agent[]::new))
                .workflows(builder.workflows.toArray(Workflow[]::new));
        if (builder.recorded) {
            made.addListener(events::add);
        }
        builder.listeners.forEach(made::addListener);
        builder.instrumentations.forEach(made::addInstrumentation);
        builder.secrets.forEach(made::addSecret);
        if (builder.approverCheck != null) {
            made.approverCheck(builder.approverCheck);
        }
        if (builder.time != null) {
            made.timeSource(builder.time);
        }
        this.runtime = made.build();
    }

    /** Make a test runtime for a script. */
    public static TestRuntime with(Script script) {
        return builder(script).build();
    }

    /** Start a test runtime with more to say than {@link #with}. */
    public static Builder builder(Script script) {
        return new Builder(script);
    }

    /**
     * Return an agent to run here, with its whole tree: an agent that the script knows answers by it, the others keep
     * the models they have. A named model is rejected, but for {@code scripted/<agentId>}: no test reaches a provider.
     */
    public Agent bind(Agent agent) {
        return runtime.bind(scripted(agent));
    }

    /** Return an agent that was given to the builder; see {@link AgentRuntime#agent}. */
    public Agent agent(String id) {
        return runtime.agent(id);
    }

    /** Return the runtime itself. */
    public AgentRuntime runtime() {
        return runtime;
    }

    /** Return the script. */
    public Script script() {
        return script;
    }

    /** Return the store as it was given, not bounded by a time limit. */
    public Store store() {
        return store;
    }

    /**
     * Return the clock.
     *
     * @throws IllegalStateException if the builder was not given a manual one
     */
    public ManualClock clock() {
        if (clock == null) {
            throw new IllegalStateException("This runtime has no manual clock; use builder(script).manualClock().");
        }
        return clock;
    }

    /** Return the events so far, of all runs and in order; those of a run that has ended are complete. */
    public List<RunEvent> events() {
        return List.copyOf(events);
    }

    /** Return the messages of a conversation, oldest first. */
    public List<Message> thread(String threadId, @Nullable String resourceId) {
        ThreadOwner owner = ThreadOwner.of(resourceId);
        List<Message> all = new ArrayList<>();
        List<ThreadMessage> page;
        do {
            page = runtime.threads().messagesFrom(owner, threadId, all.size(), 1_000);
            page.forEach(each -> all.add(each.message()));
        } while (!page.isEmpty());
        return List.copyOf(all);
    }

    /**
     * Close the runtime.
     *
     * @throws AssertionError if a model was called for what its script does not have
     */
    @Override
    public void close() {
        runtime.close();
        script.assertMatched();
    }

    private Agent scripted(Agent agent) {
        return agent.withModels(
                id -> script.knowsOrNotes(id) ? Optional.of(ModelChoice.of(script.modelFor(id))) : Optional.empty());
    }

    /** Collects what a test runtime is built from. Not thread-safe; every method returns the builder. */
    public static final class Builder {

        private final Script script;
        private final List<RunListener> listeners = new ArrayList<>();
        private final List<Instrumentation> instrumentations = new ArrayList<>();
        private final List<String> secrets = new ArrayList<>();
        private List<Agent> agents = List.of();
        private List<Workflow<?, ?>> workflows = List.of();
        private Store store = InMemoryStore.keepingEndedRuns();
        private IdSource ids = counting();
        private @Nullable TimeSource time;
        private Wakeups wakeups = Wakeups.off();
        private UnaryOperator<BackgroundLimits> background = limits -> limits;
        private boolean recorded = true;
        private @Nullable ApproverCheck approverCheck;

        private Builder(Script script) {
            this.script = script;
        }

        private static IdSource counting() {
            Map<String, AtomicLong> counters = new ConcurrentHashMap<>();
            return prefix -> prefix
                    + counters.computeIfAbsent(prefix, p -> new AtomicLong()).incrementAndGet();
        }

        /** Set the store; default one in memory that keeps ended runs. The runtime closes it. */
        public Builder store(Store value) {
            this.store = value;
            return this;
        }

        /** Set a manual clock; default the machine's. */
        public Builder manualClock() {
            return time(new ManualClock());
        }

        /** Set the clock; default the machine's. */
        public Builder time(TimeSource value) {
            this.time = value;
            return this;
        }

        /** Set how many background tasks the runtime executes at once; default {@link BackgroundLimits#DEFAULT}. */
        public Builder background(UnaryOperator<BackgroundLimits> change) {
            this.background = change;
            return this;
        }

        /** Set which runs are resumed by themselves. Default: none, unlike in an {@code AgentRuntime}. */
        public Builder wakeups(Wakeups value) {
            this.wakeups = value;
            return this;
        }

        /** Set what mints ids; default each prefix counts from 1. Two runtimes on one store need ids of their own. */
        public Builder ids(IdSource value) {
            this.ids = value;
            return this;
        }

        /** Set the agents that are found by id, as a run that is resumed finds its agent. Default: none. */
        public Builder agents(Agent... values) {
            this.agents = List.of(values);
            return this;
        }

        /** Set the workflows whose runs can be resumed. Default: none. */
        public Builder workflows(Workflow<?, ?>... values) {
            this.workflows = List.of(values);
            return this;
        }

        /** Add a listener that receives every event. */
        public Builder addListener(RunListener value) {
            this.listeners.add(value);
            return this;
        }

        /** Add an instrumentation that surrounds every run and every call. */
        public Builder addInstrumentation(Instrumentation value) {
            this.instrumentations.add(value);
            return this;
        }

        /** Set which approvers may answer waiting calls; default all, unlike in an {@code AgentRuntime}. */
        public Builder approverCheck(ApproverCheck value) {
            this.approverCheck = value;
            return this;
        }

        /** Add a secret that must not show. */
        public Builder addSecret(String value) {
            this.secrets.add(value);
            return this;
        }

        /** Record no events, so that a run without listeners emits none. */
        public Builder unrecorded() {
            this.recorded = false;
            return this;
        }

        /** Make the runtime. */
        public TestRuntime build() {
            return new TestRuntime(this);
        }
    }
}
