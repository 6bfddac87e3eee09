package dev.chargehand.internal.engine.resume;

import dev.chargehand.IdleStream;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.RunStream.OnClose;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.BoundedValidation;
import dev.chargehand.internal.call.CallSite;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.engine.LocalRun;
import dev.chargehand.internal.engine.RunKeys;
import dev.chargehand.internal.engine.RunRequest;
import dev.chargehand.internal.engine.RunStarter;
import dev.chargehand.internal.engine.StartMode;
import dev.chargehand.internal.engine.idle.OtherProcesses;
import dev.chargehand.internal.engine.idle.UntilIdle;
import dev.chargehand.internal.engine.kind.RunAssembly;
import dev.chargehand.internal.engine.tree.RunTree;
import dev.chargehand.internal.engine.watch.TreeWatch;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.message.Message;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.BusyThreadPolicy;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.spi.CallInfo;
import dev.chargehand.spi.Placement;
import dev.chargehand.store.Append.IdempotencyKey;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunRecord;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** Starts runs for callers, or finds those that earlier calls with the same key have started. Thread-safe. */
public final class RunLauncher {

    private static final Log LOG = Log.of(RunLauncher.class);

    private static final Duration PLACEMENT = Duration.ofSeconds(10);

    private final RunStarter starter;
    private final RunHandles handles;
    private final ConversationReplies replies;
    private final Placement placement;

    /** Make it for a runtime. */
    RunLauncher(RunStarter starter, RunHandles handles, ConversationReplies replies, Placement placement) {
        this.starter = starter;
        this.handles = handles;
        this.replies = replies;
        this.placement = placement;
    }

    /** Return what starts runs whose calls are plain. */
    public RunStarter starter() {
        return starter;
    }

    /** Return whether a call with these options starts a run, and cannot find one that exists. */
    public static boolean isPlain(OptionValues options) {
        return !RunKeys.isIn(options) && !options.get(Options.AUTO_RESUME);
    }

    /** Return what checks the input of a run before it starts; a check that takes too long counts as a violation. */
    public BoundedValidation checks() {
        return new BoundedValidation(handles.environment().callouts(), new Cancellation(), TimeLimit.HOOK.byDefault());
    }

    /** Start a run and return its handle at once, or that of the run which an earlier call with its key has started. */
    public RunHandle start(RunDefinition definition, List<Message> input, OptionValues options) {
        RunRequest request = RunRequest.of(definition, input, options);
        return replied(request, ConversationReplies.Received::run, this::start);
    }

    private RunHandle start(RunRequest request) {
        OptionValues options = request.options();
        boolean waitsHere = RunTree.screens(options) || handles.environment().store() instanceof InMemoryStore;
        if (waitsHere && !RunKeys.isIn(options)) {
            return handles.of(starter.start(request, watched(StartMode.QUEUED)));
        }
        return once(
                request,
                () -> startOrStore(request, watched(StartMode.AT_ONCE), handles::of, handles::submitted),
                handles::found);
    }

    /** Events of a run that a handle is returned for may be read after its end. */
    private StartMode watched(StartMode mode) {
        return mode.before(handles.stored()::expectReader);
    }

    /** Start a run and wait for its result; an interrupt cancels it, unless it waits for a time or a repeated call can find it. */
    public RunResult generate(RunDefinition definition, List<Message> input, OptionValues options) {
        RunRequest request = RunRequest.of(definition, input, options);
        return replied(request, received -> received.run().result(), this::generate);
    }

    private RunResult generate(RunRequest request) {
        if (RunKeys.isIn(request.options())) {
            return start(request).result();
        }
        LocalRun run = starter.start(request, StartMode.QUEUED);
        RunResult result = run.result();
        boolean isTimed = result.status() == RunStatus.SUSPENDED
                && result.pendingApprovals().isEmpty();
        return isTimed ? handles.of(run).result() : result;
    }

    /**
     * Start a run whose events its caller reads, or read the run which an earlier call with its key has started: that one
     * does not depend on this reader.
     */
    public RunStream stream(RunDefinition definition, List<Message> input, OptionValues options) {
        RunRequest request = RunRequest.of(definition, input, options);
        OnClose onClose = options.get(Options.ON_CLOSE);
        return replied(
                request, received -> handles.stream(received.run().runId(), received.before(), onClose), this::stream);
    }

    private RunStream stream(RunRequest request) {
        if (!RunKeys.isIn(request.options())) {
            return starter.start(request, StartMode.STREAMED).stream();
        }
        AgentPath path = AgentPath.root(request.definition().id());
        OnClose onClose = request.options().get(Options.ON_CLOSE);
        return once(
                request,
                () -> startOrStore(
                        request,
                        StartMode.STREAMED_AT_ONCE,
                        LocalRun::stream,
                        waiting -> handles.stream(waiting, path, onClose)),
                found -> handles.stream(found, path, OnClose.CONTINUE));
    }

    /**
     * Start the first turn of an until-idle call, and return what reads it with its tasks and the turns that follow.
     *
     * @throws ConfigurationException if the options have an idempotency key, or runs of this kind start no tasks
     */
    public IdleStream streamUntilIdle(RunDefinition definition, List<Message> input, OptionValues options) {
        if (!RunAssembly.of(options).startsTasks()) {
            throw new ConfigurationException("Agent '" + definition.id()
                    + "': an until-idle call waits for background tasks, and a network starts none. Use stream(...) or"
                    + " generate(...) of the network, or call the agent itself.");
        }
        if (RunKeys.isIn(options)) {
            throw new ConfigurationException("Agent '" + definition.id()
                    + "': option 'idempotencyKey' is not allowed in an until-idle call, which is several runs. Use it with"
                    + " start(...), or leave it out.");
        }
        UntilIdle call = new UntilIdle(handles.environment(), definition, options, new Others(handles));
        LocalRun ignored = starter.start(RunRequest.of(definition, input, options), StartMode.untilIdle(call));
        return call;
    }

    /** What an until-idle call does with runs of other processes. */
    private record Others(RunHandles handles) implements OtherProcesses {

        @Override
        public boolean isOpen() {
            return handles.engine().isOpen();
        }

        @Override
        public boolean owns(RunRecord run) {
            return handles.engine().owns(run);
        }

        @Override
        public boolean isAtWork(RunId runId) {
            return handles.engine().isAtWork(runId);
        }

        @Override
        public boolean isLeft(RunId runId) {
            return handles.find(runId).filter(handles::isLeft).isPresent();
        }

        @Override
        public RunStream follow(RunId runId, AgentPath path) {
            return handles.stream(runId, path, OnClose.CONTINUE);
        }

        @Override
        public TreeWatch watch(RunId runId, AgentPath path) {
            return new TreeWatch(handles.engine(), runId, path, null);
        }

        @Override
        public TreeWatch watchWhole(RunId runId, AgentPath path) {
            return TreeWatch.fromStart(handles.engine(), runId, path);
        }

        @Override
        public void expect(RunId runId, AgentPath path) {
            handles.stored().expectReader(runId, path);
        }

        @Override
        public void cancel(RunId runId) {
            boolean ignored = handles.canceller().cancel(runId); // it may have ended meanwhile
        }
    }

    /** Store a run that any process may start. */
    public RunId submit(RunDefinition definition, List<Message> input, OptionValues options) {
        RunRequest request = RunRequest.of(definition, input, options);
        return replied(
                request,
                received -> received.run().runId(),
                another -> once(another, () -> placed(starter.submit(another)), found -> found));
    }

    /** Store a run that any process may start, and return its handle, or that of the run of an earlier call with its key. */
    public RunHandle enqueue(RunDefinition definition, List<Message> input, OptionValues options) {
        RunRequest request = RunRequest.of(definition, input, options);
        return replied(
                request,
                ConversationReplies.Received::run,
                another -> once(another, () -> handles.submitted(placed(starter.submit(another))), handles::found));
    }

    /** Start a run, unless the message of its call is for one that waits. */
    private <T> T replied(
            RunRequest request, Function<ConversationReplies.Received, T> received, Function<RunRequest, T> start) {
        return switch (replies.read(request)) {
            case ConversationReplies.Received reply -> received.apply(reply);
            case ConversationReplies.Another another -> start.apply(request.after(another.spent()));
        };
    }

    private <T> T once(RunRequest request, Supplier<T> start, Function<RunId, T> found) {
        IdempotencyKey key =
                RunKeys.of(handles.environment().tenantId(), request.definition(), request.input(), request.options());
        return RunKeys.once(handles.engine(), key, start, found);
    }

    /** The run is stored, and is not lost if the placement fails. */
    private RunId placed(RunId runId) {
        try {
            handles.find(runId).filter(run -> !run.status().isEnded()).ifPresent(this::place);
        } catch (RuntimeException e) {
            LOG.warn("run {}: it could not be placed: {}", runId, e.getMessage());
        }
        return runId;
    }

    private void place(RunRecord run) {
        try {
            handles.environment()
                    .callouts()
                    .call(CallSite.of(CallInfo.Kind.HOOK, "placement"), PLACEMENT, new Cancellation(), () -> {
                        placement.submitted(run);
                        return run;
                    });
        } catch (BoundedCalls.TimedOutException | BoundedCalls.ThrewException e) {
            LOG.warn("run {}: its placement failed, and others will find the run: {}", run.runId(), e.getMessage());
        }
    }

    /** Start a run at once if its thread is free; else it is stored, and has its turn like a submitted one. */
    private <T> T startOrStore(
            RunRequest request, StartMode mode, Function<LocalRun, T> started, Function<RunId, T> stored) {
        OptionValues options = request.options();
        boolean queues =
                options.get(Options.THREAD) != null && options.get(Options.BUSY_THREAD) == BusyThreadPolicy.QUEUE;
        if (queues && RunTree.screens(options)) {
            return stored.apply(starter.submitHere(request)); // its input passes the processors once
        }
        try {
            return started.apply(starter.start(request, mode));
        } catch (ThreadBusyException e) {
            if (!queues) {
                throw e;
            }
            return stored.apply(starter.submitHere(request));
        }
    }
}
