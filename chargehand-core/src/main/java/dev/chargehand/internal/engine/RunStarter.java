package dev.chargehand.internal.engine;

import dev.chargehand.background.OnEnd;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.IdempotencyKeyException;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.internal.call.CallerContext;
import dev.chargehand.internal.definition.AgentDefinition;
import dev.chargehand.internal.definition.PricedModels;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.engine.kind.RunAssembly;
import dev.chargehand.internal.engine.task.IdleCall;
import dev.chargehand.internal.engine.task.IdleCalls;
import dev.chargehand.internal.engine.tree.RunExecution;
import dev.chargehand.internal.engine.tree.RunOutcome;
import dev.chargehand.internal.engine.tree.RunTree;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.engine.tree.ThreadQueues;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.fact.task.Background;
import dev.chargehand.internal.journal.RunOpening;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.message.Message;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.BusyThreadPolicy;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunInfo;
import dev.chargehand.store.Append.IdempotencyKey;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Starts new root runs. Thread-safe. */
public final class RunStarter {

    private static final long FIRST_EPOCH = 1;

    /** The owner of a run that no process is to start by itself. */
    private static final String NOBODY = "";

    private final RuntimeEnvironment environment;
    private final Engine engine;
    private final ThreadGate gate;
    private final AccessGate access;

    /** Make it for a tenant. */
    public RunStarter(RuntimeEnvironment environment, Engine engine, AccessGate access) {
        this.access = access;
        this.environment = environment;
        this.engine = engine;
        this.gate = new ThreadGate(environment, engine.releases());
    }

    /**
     * Start a run. The input of one with an idempotency key passes its processors before.
     *
     * @throws IdempotencyKeyException if its key has been used
     * @throws ConfigurationException if the runtime is closed, or options or input are not valid
     * @throws ThreadBusyException if another run has its thread, and it is not to wait for that
     */
    public LocalRun start(RunRequest request, StartMode mode) {
        RunDefinition definition = request.definition();
        List<Message> input = request.input();
        IdempotencyKey key = RunKeys.of(environment.tenantId(), definition, input, request.options());
        OptionValues options = placed(request.options());
        engine.requireOpen();
        requireAccess(options);
        PricedModels.require(definition, options, null, environment.models()::of);
        environment.ownership().startHeartbeat();
        requireInput(definition, input);
        RunId runId = new RunId(environment.ids().next("run_"));
        IdleCall call = mode.call();
        IdleCalls calls = environment.tasks().idleCalls();
        Background background = call == null ? background(definition, runId, options) : Background.untilIdle(runId);
        if (call != null) {
            calls.open(environment.tenantId(), runId, call);
        }
        try (LiveRuns.Place place = engine.live().enter(runId)) {
            Supplier<RunOpening> opening = () -> request.opened(
                            environment.opening(
                                    definition, started(definition, runId, input, options, false, background)),
                            environment)
                    .keyed(key);
            LocalRun run = prepared(definition, runId, opening, requested(options), options, mode);
            mode.beforeStart().accept(run);
            return run.start();
        } catch (RuntimeException | Error e) {
            calls.close(environment.tenantId(), runId);
            throw e;
        }
    }

    /**
     * Store a run that any process may start. Its input passes its processors first.
     *
     * @throws ConfigurationException if the runtime is closed, options or input are not valid, or options cannot be
     *     stored
     * @throws ThreadBusyException if another run has its thread or waits for it, and it is not to wait
     */
    public RunId submit(RunRequest request) {
        RunDefinition definition = request.definition();
        UnstoredOptions.requireNone(definition.id(), request.options(), definition.defaultOptions());
        return submit(request, NOBODY);
    }

    /** Store a run that this process starts when its thread is free, if no other process does. */
    public RunId submitHere(RunRequest request) {
        return submit(request, environment.owner());
    }

    private RunId submit(RunRequest request, String owner) {
        RunDefinition definition = request.definition();
        List<Message> input = request.input();
        IdempotencyKey key = RunKeys.of(environment.tenantId(), definition, input, request.options());
        OptionValues options = placed(request.options());
        engine.requireOpen();
        requireAccess(options);
        PricedModels.require(definition, options, null, environment.models()::of);
        requireInput(definition, input);
        RunId runId = new RunId(environment.ids().next("run_"));
        Background background = background(definition, runId, options);
        try (LiveRuns.Place place = engine.live().enter(runId)) {
            RunTree tree = new RunTree(
                    environment,
                    runId,
                    FIRST_EPOCH,
                    requested(options),
                    null,
                    false,
                    CallerContext.capture(environment.propagators()));
            Supplier<RunOpening> opening =
                    () -> request.opened(started(definition, runId, input, options, true, background), environment)
                            .keyed(key);
            tree.start(definition, runId, opening, owner, options);
            if (!owner.equals(NOBODY)) {
                engine.keepPending(runId, definition, options);
            }
        }
        engine.live().noteActive();
        return runId;
    }

    /** Return the options of a run with a thread that does not exist yet, if it needs one and its caller named none. */
    private OptionValues placed(OptionValues options) {
        return options.get(Options.THREAD) == null && RunAssembly.of(options).needsThread()
                ? options.with(Options.THREAD, environment.ids().next("thread_"))
                : options;
    }

    /** Start a run that continues from a step of another. */
    public LocalRun fork(RunDefinition definition, RunOpening opening, OptionValues options) {
        Fact.Started started = opening.started();
        requireInput(definition, started.input());
        PricedModels.require(definition, options, started.models(), environment.models()::of);
        RunId runId = started.rootRunId();
        try (LiveRuns.Place place = engine.live().enter(runId)) {
            return prepared(definition, runId, () -> opening, started.settings(), options, StartMode.AT_ONCE)
                    .start();
        }
    }

    /** A thread that the caller may not open is rejected like one of another owner. */
    private void requireAccess(OptionValues options) {
        String thread = options.get(Options.THREAD);
        if (thread != null && !access.mayOpenThread(thread, options.get(Options.RESOURCE), true)) {
            throw new ThreadOwnershipException(thread);
        }
    }

    /**
     * Return what a run has to do with tasks that no caller waits for.
     *
     * @throws ConfigurationException if their ends start turns, and those would lack something of the call
     */
    private Background background(RunDefinition definition, RunId runId, OptionValues options) {
        if (!(definition instanceof AgentDefinition agent)
                || !agent.background().isUsed()
                || !RunAssembly.startsTasks(options)) {
            return Background.NONE;
        }
        OnEnd called = options.get(Options.ON_END);
        if ((called == null ? agent.background().onEnd() : called) == OnEnd.WAIT) {
            return Background.NONE;
        }
        UnstoredOptions.requireForTurns(definition.id(), options, definition.defaultOptions());
        return Background.continuing(runId, !environment.tasks().claims());
    }

    private static void requireInput(RunDefinition definition, List<Message> input) {
        if (input.isEmpty()) {
            throw new ConfigurationException("Agent '" + definition.id() + "' needs at least one message to work on.");
        }
    }

    /** The requester of a run is its resource, unless the options say otherwise. */
    public static OptionValues requested(OptionValues options) {
        OptionValues settings = options.settings();
        String resource = options.get(Options.RESOURCE);
        if (settings.get(Options.REQUESTER) != null) {
            return settings;
        }
        if (resource != null) {
            return settings.with(Options.REQUESTER, resource);
        }
        if (!settings.get(Options.SELF_APPROVAL)) {
            throw new ConfigurationException(
                    "Option 'selfApproval' is false, but the run has no requester whom it could"
                            + " forbid to answer; set option 'requester' or 'resource'.");
        }
        return settings;
    }

    private Fact.Started started(
            RunDefinition definition,
            RunId runId,
            List<Message> input,
            OptionValues options,
            boolean submitted,
            Background background) {
        return new Fact.Started(
                definition.id(),
                definition.name(),
                AgentPath.root(definition.id()),
                runId,
                null,
                null,
                threadOf(options, submitted),
                options.get(Options.RESOURCE),
                List.of(),
                Transcript.input(runId, input),
                null,
                requested(options),
                UnstoredOptions.of(options, definition.defaultOptions()),
                options.get(Options.REQUEST_CONTEXT).stored(),
                null,
                null,
                definition.isSupervisor(),
                submitted,
                definition.link(options),
                background,
                environment.time().now());
    }

    private @Nullable ThreadLink threadOf(OptionValues options, boolean submitted) {
        String id = options.get(Options.THREAD);
        if (id == null) {
            return null;
        }
        ThreadOwner owner = new ThreadOwner(options.get(Options.RESOURCE), null);
        Optional<ThreadRecord> stored = environment.store().findThread(id);
        if (stored.isPresent() && !stored.get().owner().equals(owner)) {
            throw new ThreadOwnershipException(id); // before anything else is done
        }
        return new ThreadLink(
                id, owner, submitted ? 0 : stored.map(ThreadRecord::length).orElse(0L));
    }

    /** Store the first facts of a run, unless it has to wait for that, and prepare its thread. */
    private LocalRun prepared(
            RunDefinition definition,
            RunId runId,
            Supplier<RunOpening> opening,
            OptionValues settings,
            OptionValues options,
            StartMode mode) {
        String thread = options.get(Options.THREAD);
        RunInfo run = RunInfo.builder(runId, AgentPath.root(definition.id()), definition.id())
                .agentName(definition.name())
                .version(definition.version())
                .tenantId(environment.tenantId())
                .threadId(thread)
                .build();
        String ignored = environment.ownership().enter(runId);
        RunSurroundings around = RunSurroundings.of(
                environment, definition, run, FIRST_EPOCH, settings, options, mode.streamed(), false);
        try {
            Supplier<RunExecution> start =
                    () -> around.tree().start(definition, runId, opening, environment.ownerOf(runId), options);
            return thread == null
                    ? run(around, withoutThread(around, start, opening), null)
                    : inTurn(around, start, opening, environment.join(thread, runId), mode);
        } catch (RuntimeException | Error e) {
            if (e instanceof StoreException failure) {
                mayBeStored(runId, failure);
            }
            environment.ownership().leave(runId);
            around.work().end(e);
            throw e;
        }
    }

    private LocalRun run(RunSurroundings around, Supplier<RunOutcome> work, ThreadQueues.@Nullable Turn turn) {
        return new LocalRun(engine, around, work, turn, RunSurroundings.TimeSpent.NONE, FIRST_EPOCH);
    }

    /** A run whose first facts may be in the store, or may still arrive there, is not to hold its thread. */
    private void mayBeStored(RunId runId, @Nullable ChargehandException failure) {
        if (failure instanceof StoreException store
                && (store.kind() == StoreException.Kind.TIMEOUT || store.kind() == StoreException.Kind.UNUSABLE)) {
            engine.releases().addIfOwned(runId);
        }
    }

    private Supplier<RunOutcome> withoutThread(
            RunSurroundings around, Supplier<RunExecution> start, Supplier<RunOpening> opening) {
        return screensLater(around) ? later(() -> {}, start, opening.get(), around, null, true) : start.get()::advance;
    }

    private LocalRun inTurn(
            RunSurroundings around,
            Supplier<RunExecution> start,
            Supplier<RunOpening> opening,
            ThreadQueues.Turn turn,
            StartMode mode) {
        boolean waits = mode.waits() && around.settings().get(Options.BUSY_THREAD) == BusyThreadPolicy.QUEUE;
        try {
            return run(around, withThread(around, start, opening, turn, waits), turn);
        } catch (RuntimeException e) {
            turn.close();
            throw e;
        }
    }

    /** A run that is found by a key is stored before the call returns, so its input is not looked at on its thread. */
    private static boolean screensLater(RunSurroundings around) {
        return RunTree.screens(around.hooks()) && !RunKeys.isIn(around.hooks());
    }

    /** Start a run at once if its thread is free, else when it is, or fail then. */
    private Supplier<RunOutcome> withThread(
            RunSurroundings around,
            Supplier<RunExecution> start,
            Supplier<RunOpening> opening,
            ThreadQueues.Turn turn,
            boolean waits) {
        boolean screens = screensLater(around);
        RunId busy = null;
        if (turn.isFirst() && !screens) {
            try {
                return gate.now(start)::advance;
            } catch (ThreadBusyException e) {
                if (!waits) {
                    throw e;
                }
                busy = new RunId(e.runId());
            }
        }
        RunOpening asked = opening.get(); // another's thread is refused at once
        if (!waits && !(screens && turn.isFirst())) {
            throw new ThreadBusyException(
                    Objects.requireNonNull(asked.started().thread()).id(),
                    turn.first().value());
        }
        return later(() -> turn.await(around.cancellation()), start, asked, around, busy, waits);
    }

    /** Start a run on its own thread: it has to wait for its turn, or its input is looked at first. */
    private Supplier<RunOutcome> later(
            Runnable turn,
            Supplier<RunExecution> start,
            RunOpening asked,
            RunSurroundings around,
            @Nullable RunId busy,
            boolean waits) {
        return () -> gate.whenFree(turn, start, around.cancellation(), busy, waits, (reason, cause) -> {
            mayBeStored(asked.started().rootRunId(), cause);
            return RunOutcome.ended(
                    around.tree().suspensions().neverStarted(asked.started(), reason, around.hooks()), cause);
        });
    }
}
