package dev.chargehand.internal.run;

import dev.chargehand.Agent;
import dev.chargehand.RunHooks;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.RunSettings;
import dev.chargehand.RunStream;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.State;
import dev.chargehand.internal.fact.Transcript;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.journal.Opening;
import dev.chargehand.internal.limit.CallerContext;
import dev.chargehand.internal.limit.Cancellation;
import dev.chargehand.internal.limit.Log;
import dev.chargehand.internal.stream.LiveRunStream;
import dev.chargehand.internal.stream.Subscription;
import dev.chargehand.message.Message;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.BusyThread;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeSource;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.ThreadOwner;
import dev.chargehand.store.ThreadRecord;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Begins root runs, takes them up again, and knows those that are live in this runtime. Thread-safe. */
public final class Engine {

    private static final Log LOG = Log.of(Engine.class);

    private static final long FIRST_EPOCH = 1;

    /** Why runs of a store in memory end when their runtime is closed. */
    static final StopReason SHUTDOWN = new StopReason.Cancelled("shutdown");

    private final Environment environment;
    private final Duration closeGrace;
    private final LiveRuns live;
    private final Beginnings beginnings;
    private final KeptRuns kept;
    private final Releases releases;

    /**
     * Makes the engine of a runtime.
     *
     * @param isKnown tells whether an agent is found by its id
     * @param closeGrace how long calls in flight may take when it is closed
     */
    public Engine(Environment environment, Ownership ownership, Predicate<Agent> isKnown, Duration closeGrace) {
        this.kept = new KeptRuns(isKnown);
        this.environment = environment;
        this.closeGrace = closeGrace;
        this.live = new LiveRuns(environment.store() instanceof InMemoryStore ? Engine::cancel : RootRun::release);
        this.releases =
                new Releases(environment, (seen, reason) -> suspensions().end(seen, reason, null, RunHooks.NONE));
        this.beginnings = new Beginnings(environment, ownership, releases);
    }

    /** Runs an agent and waits for its result. */
    public RunResult generate(Agent agent, List<Message> input, RunOptions options) {
        return start(agent, input, options, false).run().result();
    }

    /** Runs an agent and lets it be watched. */
    public RunStream stream(Agent agent, List<Message> input, RunOptions options) {
        return start(agent, input, options, true).stream();
    }

    /** Returns a run that is live here. */
    Optional<RootRun> live(RunId runId) {
        return live.find(runId);
    }

    /** Tells whether a run is live here, or about to be: it may be in the store already. */
    boolean isAtWork(RunId runId) {
        return live.has(runId);
    }

    /** Returns the options that a run is taken up with, before those of who takes it up: its hooks may still be here. */
    RunOptions optionsFor(Agent agent, RunId runId) {
        return kept.of(runId)
                .map(run -> GivenAgain.restored(agent.defaultOptions().withHooks(run.hooks()), run.values()))
                .orElseGet(agent::defaultOptions);
    }

    /** Returns the agent of a run that waits in this runtime, if it was not given to it. */
    public Optional<Agent> agentOf(RunId runId) {
        return kept.of(runId).map(KeptRuns.Kept::agent);
    }

    /**
     * Releases every live run, or cancels it if its store is in memory; waits until none is executed here any more, and
     * starts no other.
     *
     * @param machine the machine's clock, which ends the grace time even if the runtime's own clock stands still
     * @param last closes what the runs needed
     */
    public void close(TimeSource machine, Runnable last) {
        live.close(List.of(environment.time(), machine), closeGrace, () -> {
            releases.close();
            last.run();
        });
    }

    /** Fails if the engine is closed. */
    public void requireOpen() {
        live.requireOpen();
    }

    private static void cancel(RootRun run) {
        LOG.warn("run {}: cancelled, because its runtime was closed and its store is in memory", run.runId());
        run.cancel("shutdown");
    }

    /** Returns the runs that this process gives up. */
    Releases releases() {
        return releases;
    }

    /** A root run that has begun, and its stream if it has one. */
    record Begun(RootRun run, @Nullable LiveRunStream opened) {

        RunStream stream() {
            if (opened == null) {
                throw new IllegalStateException("Run " + run.runId() + " was begun without a stream.");
            }
            return opened;
        }
    }

    private Begun start(Agent agent, List<Message> input, RunOptions options, boolean streamed) {
        requireInput(agent, input);
        RunId runId = new RunId(environment.ids().next("run_"));
        try (LiveRuns.Place place = live.enter(runId)) {
            Supplier<Opening> opening = () -> environment.opening(agent, started(agent, runId, input, options));
            return start(agent, runId, opening, requested(options), options, streamed);
        }
    }

    /** Begins a run that goes on from a step of another. */
    Begun fork(Agent agent, Opening opening, RunOptions options, boolean streamed) {
        requireInput(agent, opening.started().input());
        Fact.Started started = opening.started();
        RunId runId = started.rootRunId();
        try (LiveRuns.Place place = live.enter(runId)) {
            return start(agent, runId, () -> opening, started.settings(), options, streamed);
        }
    }

    private Begun start(
            Agent agent,
            RunId runId,
            Supplier<Opening> opening,
            RunSettings settings,
            RunOptions options,
            boolean streamed) {
        try {
            return startIn(
                    Surroundings.of(environment, runId, settings, options.hooks(), streamed, false, null),
                    agent,
                    runId,
                    opening,
                    settings,
                    options);
        } catch (StoreException e) {
            mayHaveBegun(runId, e);
            throw e;
        }
    }

    /** A run whose first facts may be in the store, or may still arrive there, is not to hold its thread. */
    private void mayHaveBegun(RunId runId, @Nullable ChargehandException failure) {
        if (failure instanceof StoreException store && store.kind() == StoreException.Kind.TIMEOUT) {
            releases.addIfOwned(runId);
        }
    }

    private Begun startIn(
            Surroundings around,
            Agent agent,
            RunId runId,
            Supplier<Opening> opening,
            RunSettings settings,
            RunOptions options) {
        Supplier<LiveRun> beginning =
                () -> around.tree().start(agent, runId, opening, options.hooks(), options.requestContext());
        String thread = options.threadId();
        boolean screens = Tree.screens(options.hooks());
        if (thread == null) {
            Supplier<Outcome> work =
                    screens ? later(() -> {}, beginning, opening.get(), around, null, true) : begun(beginning);
            return begin(
                    agent,
                    runId,
                    work,
                    around,
                    settings,
                    Duration.ZERO,
                    FIRST_EPOCH,
                    ended -> over(ended, around.tree(), agent, options));
        }
        ThreadQueues.Turn turn = environment.threads().join(thread, runId);
        Consumer<RootRun> onEnd = ended -> {
            over(ended, around.tree(), agent, options);
            turn.close();
        };
        try {
            Supplier<Outcome> work = inTurn(turn, beginning, opening, around, settings, screens);
            return begin(agent, runId, work, around, settings, Duration.ZERO, FIRST_EPOCH, onEnd);
        } catch (RuntimeException e) {
            turn.close();
            throw e;
        }
    }

    private Fact.Started started(Agent agent, RunId runId, List<Message> input, RunOptions options) {
        return new Fact.Started(
                agent.id(),
                AgentPath.root(agent.id()),
                runId,
                null,
                null,
                threadOf(options),
                List.of(),
                Transcript.input(runId, input),
                null,
                requested(options),
                GivenAgain.of(options, agent),
                options.requestContext().stored(),
                null,
                null,
                environment.time().now());
    }

    /** Begins a run at once if its thread is free, else when it is. */
    private Supplier<Outcome> inTurn(
            ThreadQueues.Turn turn,
            Supplier<LiveRun> beginning,
            Supplier<Opening> opening,
            Surroundings around,
            RunSettings settings,
            boolean screens) {
        boolean waits = settings.busyThread() == BusyThread.QUEUE;
        RunId busy = null;
        if (turn.isFirst() && !screens) {
            try {
                return beginnings.now(beginning)::advance;
            } catch (ThreadBusyException e) {
                if (!waits) {
                    throw e;
                }
                busy = new RunId(e.runId());
            }
        }
        Opening asked = opening.get(); // another's thread is refused at once
        if (!waits && !(screens && turn.isFirst())) {
            throw new ThreadBusyException(
                    Objects.requireNonNull(asked.started().thread()).id(),
                    turn.first().value());
        }
        return later(() -> turn.await(around.tree().cancellation()), beginning, asked, around, busy, waits);
    }

    private static Supplier<Outcome> begun(Supplier<LiveRun> beginning) {
        return beginning.get()::advance;
    }

    /** Begins a run on its own thread: it has to wait for its turn, or its input is looked at first. */
    private Supplier<Outcome> later(
            Runnable turn,
            Supplier<LiveRun> beginning,
            Opening asked,
            Surroundings around,
            @Nullable RunId busy,
            boolean waits) {
        Tree tree = around.tree();
        return () -> beginnings.whenFree(turn, beginning, tree.cancellation(), busy, waits, (reason, cause) -> {
            mayHaveBegun(asked.started().rootRunId(), cause);
            return Outcome.ended(tree.suspensions().neverBegan(asked.started(), reason, around.hooks()), cause);
        });
    }

    /**
     * Takes a run up that was claimed for this runtime, perhaps with an answer to what it waits for.
     *
     * @throws ThreadBusyException if it was answered, and another run has its thread
     */
    Begun resume(Agent agent, RunRecord claimed, RunOptions options, boolean streamed, @Nullable Answer answer) {
        try (LiveRuns.Place place = live.enter(claimed.runId())) {
            return takeUp(agent, claimed, options, streamed, answer);
        }
    }

    private Begun takeUp(
            Agent agent, RunRecord claimed, RunOptions options, boolean streamed, @Nullable Answer answer) {
        Journal journal = environment.load(agent, claimed);
        Duration active = journal.state().activeTime();
        RunSettings settings = journal.state().started().settings();
        Surroundings around =
                Surroundings.of(environment, claimed.runId(), settings, options.hooks(), streamed, true, answer);
        Supplier<LiveRun> beginning =
                () -> around.tree().resume(agent, journal, options.hooks(), options.requestContext());
        Supplier<Outcome> work = takenUp(agent, claimed, journal.state(), beginning, around, answer);
        Fact.ThreadLink thread = journal.state().started().thread();
        ThreadQueues.Turn turn = thread == null ? null : environment.threads().join(thread.id(), claimed.runId());
        return begin(agent, claimed.runId(), work, around, settings, active, claimed.epoch(), ended -> {
            over(ended, around.tree(), agent, options);
            if (turn != null) {
                turn.close();
            }
        });
    }

    /** Takes a run up at once if its thread is free; else, unless it was answered, when it is. */
    private Supplier<Outcome> takenUp(
            Agent agent,
            RunRecord claimed,
            State state,
            Supplier<LiveRun> beginning,
            Surroundings around,
            @Nullable Answer answer) {
        try {
            return beginnings.now(beginning)::advance;
        } catch (ThreadBusyException e) {
            if (answer != null) {
                throw e;
            }
            RunId busy = new RunId(e.runId());
            Tree tree = around.tree();
            return () -> beginnings.whenFree(
                    () -> {}, beginning, tree.cancellation(), busy, true, (reason, cause) -> new NotContinued(
                                    tree, agent, around.hooks())
                            .outcome(claimed, state, reason, cause));
        }
    }

    /** Who asked for the run is whom the conversation belongs to, unless the options say otherwise. */
    static RunSettings requested(RunOptions options) {
        RunSettings settings = options.settings();
        String resource = options.resourceId();
        if (settings.approvals().requester() != null) {
            return settings;
        }
        if (resource != null) {
            return settings.withApprovals(settings.approvals().requestedBy(resource));
        }
        if (!settings.approvals().selfApproval()) {
            throw new ConfigurationException(
                    "Option 'selfApproval' is false, but the run has no requester whom it could"
                            + " forbid to answer; set option 'requester' or 'resource'.");
        }
        return settings;
    }

    private Fact.@Nullable ThreadLink threadOf(RunOptions options) {
        String id = options.threadId();
        if (id == null) {
            return null;
        }
        ThreadOwner owner = new ThreadOwner(options.resourceId(), null);
        environment.store().readThread(id, owner, 0, 1); // refuses another's thread before anything else is done
        long length =
                environment.store().findThread(id).map(ThreadRecord::length).orElse(0L);
        return new Fact.ThreadLink(id, owner, length);
    }

    private Begun begin(
            Agent agent,
            RunId runId,
            Supplier<Outcome> work,
            Surroundings around,
            RunSettings settings,
            Duration active,
            long epoch,
            Consumer<RootRun> onEnd) {
        Cancellation cancellation = around.tree().cancellation();
        RootRun run = new RootRun(
                environment.callouts().threads(),
                runId,
                work,
                cancellation,
                around.sink(),
                around.pumps(),
                around.alarms(environment.time(), settings, active),
                new RootRun.Letting(
                        AgentPath.root(agent.id()),
                        around.resumed(),
                        left -> giveUp(left.runId(), epoch),
                        live::changed));
        live.add(run);
        run.begin(onEnd);
        Subscription subscription = around.stream();
        return new Begun(
                run,
                subscription == null
                        ? null
                        : new LiveRunStream(
                                environment.callouts().threads(),
                                runId,
                                subscription,
                                run::cancel,
                                run::result,
                                run::await,
                                around.tree().scope().textIsFinal()));
    }

    /** Keeps the hooks of a run that waits, or that is released, until it is resumed. A cancel that came too late still ends it. */
    private void over(RootRun run, Tree tree, Agent agent, RunOptions options) {
        boolean givenUp = tree.outage().failure() != null;
        if (givenUp) {
            releases.add(run.runId(), tree.outage().cancellation());
        }
        if (run.isSuspended() || givenUp) {
            kept.keep(run.runId(), agent, options);
        } else {
            kept.forget(run.runId());
        }
        live.remove(run.runId());
        if (run.isLeft()) {
            tellLeft(run.runId(), GivenAgain.of(options, agent));
        }
        if (run.isSuspended()) {
            run.cancelledEvenSuspended().ifPresent(reason -> {
                suspensions().end(run.runId(), reason, agent, options.hooks());
                kept.forget(run.runId());
            });
        }
    }

    /** A run that is not in the store is not there to be given up; one that another has taken is given up already. */
    private void giveUp(RunId runId, long epoch) {
        try {
            environment.store().release(runId, epoch);
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.NOT_FOUND && e.kind() != StoreException.Kind.FENCED) {
                releases.addIfOwned(runId);
            }
        }
    }

    private static void tellLeft(RunId runId, List<String> given) {
        if (given.isEmpty()) {
            LOG.info(
                    "run {}: released, because its runtime was closed; recover() or resume(runId) continues it", runId);
        } else {
            LOG.warn(
                    "run {}: released, because its runtime was closed; it was started with {}, which are not stored:"
                            + " recover() lists it, and resume(runId, options) with them continues it",
                    runId,
                    String.join(", ", given));
        }
    }

    /** Returns what looks into runs that are not live, and ends them, on behalf of the calling thread. */
    Suspensions suspensions() {
        return new Suspensions(environment, null, CallerContext.capture(environment.propagators()));
    }

    /** Lets go of what is kept of a run that waited and has been ended. */
    void forget(RunId runId) {
        kept.forget(runId);
    }

    private static void requireInput(Agent agent, List<Message> input) {
        if (input.isEmpty()) {
            throw new ConfigurationException("Agent '" + agent.id() + "' needs at least one message to work on.");
        }
    }
}
