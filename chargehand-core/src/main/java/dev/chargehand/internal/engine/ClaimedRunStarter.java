package dev.chargehand.internal.engine;

import dev.chargehand.Until;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.event.RunListener;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.CallSite;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.engine.RunSurroundings.TimeSpent;
import dev.chargehand.internal.engine.lease.ExpiredWaits;
import dev.chargehand.internal.engine.task.IdleCall;
import dev.chargehand.internal.engine.tree.RunExecution;
import dev.chargehand.internal.engine.tree.RunOutcome;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.engine.tree.ThreadQueues;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.state.State;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunInfo;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.spi.CallInfo;
import dev.chargehand.store.RunRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Resumes root runs that were claimed for this runtime. Thread-safe. */
public final class ClaimedRunStarter {

    /** Release a run only if its runtime is closed. */
    public static final Until NEVER = Until.never();

    private static final Log LOG = Log.of(ClaimedRunStarter.class);

    private final RuntimeEnvironment environment;
    private final Engine engine;
    private final ThreadGate gate;

    /** Make it for a tenant. */
    public ClaimedRunStarter(RuntimeEnvironment environment, Engine engine) {
        this.environment = environment;
        this.engine = engine;
        this.gate = new ThreadGate(environment, engine.releases());
    }

    /**
     * Claim a run and resume it; it counts as executed here meanwhile, and a close of the runtime waits for that.
     *
     * @throws dev.chargehand.error.ConfigurationException if the runtime is closed
     */
    public <T> T starting(RunId runId, Supplier<T> work) {
        try (LiveRuns.Place place = engine.live().enter(runId)) {
            return work.get();
        }
    }

    /**
     * Resume a run within {@link #starting}. Its deliveries are read first.
     *
     * @param waits whether it waits for its thread if another run has that
     * @param until when it is released, at a safe point
     * @throws ThreadBusyException if it does not, and another run has its thread
     */
    public LocalRun resume(
            RunDefinition definition, RunRecord claimed, OptionValues options, boolean waits, Until until) {
        engine.requireOpen();
        Journal journal = environment.load(definition, claimed, claimed.epoch());
        State state = journal.state();
        ThreadLink thread = state.started().thread();
        RunInfo run = RunInfo.builder(claimed.runId(), state.path(), definition.id())
                .agentName(definition.name())
                .version(definition.version())
                .tenantId(environment.tenantId())
                .threadId(thread == null ? null : thread.id())
                .build();
        IdleCall call = environment.tasks().idleCalls().of(claimed).orElse(null);
        boolean isTask = state.started().background().origin() != null;
        boolean isTurn = call != null && !isTask;
        if (call != null && isTask) {
            call.taskStarts(claimed.runId(), state.path());
        }
        RunSurroundings around = RunSurroundings.of(
                environment,
                definition,
                run,
                claimed.epoch(),
                state.started().settings(),
                call != null && isTask ? observed(options, call) : options,
                isTurn,
                true);
        releaseWhen(until, around);
        Supplier<RunExecution> start = () -> around.tree().resume(definition, journal, options);
        try {
            ExpiredWaits.end(
                    environment.store(),
                    environment.store().waiting(claimed.runId()),
                    environment.time().now());
            around.tree().inbox().refresh();
            Supplier<RunOutcome> work = work(around, claimed, state, start, waits);
            ThreadQueues.Turn turn = thread == null ? null : environment.join(thread.id(), claimed.runId());
            TimeSpent spent = TimeSpent.of(state, environment.store());
            LocalRun local = new LocalRun(engine, around, work, turn, spent, claimed.epoch());
            if (call != null && isTurn) {
                call.turnStarts(local.stream());
            }
            return local.start();
        } catch (RuntimeException | Error e) {
            around.work().end(e);
            throw e;
        }
    }

    /** The caller of an until-idle call reads the events of its tasks. */
    private static OptionValues observed(OptionValues options, IdleCall call) {
        List<RunListener> listeners = new ArrayList<>(options.get(Options.LISTENERS));
        if (!listeners.contains(call.taskListener())) {
            listeners.add(call.taskListener());
        }
        return options.with(Options.LISTENERS, List.copyOf(listeners));
    }

    /** It is the caller's code, so it is called with a limit; without its answer, the run is left to others. */
    private void releaseWhen(Until until, RunSurroundings around) {
        if (until == NEVER) {
            return;
        }
        Cancellation cancellation = around.cancellation();
        Duration limit = around.settings().get(Options.TIME_LIMITS).get(TimeLimit.HOOK);
        CallSite site = CallSite.of(CallInfo.Kind.HOOK, "until");
        cancellation.atSafePoints(() -> {
            boolean reached = true;
            try {
                Instant now = environment.time().now();
                reached = environment.callouts().call(site, limit, cancellation, () -> until.isReached(now));
            } catch (BoundedCalls.TimedOutException | BoundedCalls.ThrewException e) {
                LOG.warn("run {}: released, because its 'until' did not answer: {}", around.runId(), e.getMessage());
            }
            if (reached) {
                cancellation.release();
            }
        });
    }

    /** Resume a run at once if its thread is free; else, if it waits for that, when it is. */
    private Supplier<RunOutcome> work(
            RunSurroundings around, RunRecord claimed, State state, Supplier<RunExecution> start, boolean waits) {
        try {
            return gate.now(start)::advance;
        } catch (ThreadBusyException e) {
            if (!waits) {
                throw e;
            }
            RunId busy = new RunId(e.runId());
            UncontinuedRun uncontinued = new UncontinuedRun(around.tree(), around.definition(), around.hooks());
            return () -> gate.whenFree(
                    () -> {},
                    start,
                    around.cancellation(),
                    busy,
                    true,
                    (reason, cause) -> uncontinued.outcome(claimed, state, reason, cause));
        }
    }
}
