package dev.chargehand.internal.engine;

import dev.chargehand.error.StoreException;
import dev.chargehand.internal.call.CallerContext;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.definition.DefinitionRegistry;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.engine.tree.RunOutcome;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.engine.tree.SuspendedRuns;
import dev.chargehand.internal.fact.DefinitionLink;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.option.Option;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.scope.Outage;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.thread.RunThreads;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Knows the root runs of a tenant that are live in this runtime, and what stays of them when they are not. Engines of all
 * tenants of a runtime share what they know; one that looks a run up by an id finds those of its tenant. Thread-safe.
 */
public final class Engine {

    private static final Log LOG = Log.of(Engine.class);

    private final RuntimeEnvironment environment;
    private final Duration closeGrace;
    private final LiveRuns live;
    private final SuspendedRunCode kept;
    private final RunReleases releases;
    private final RecentRuns recent;
    private final RunThreads threads;

    /** How many runs that this process owns are suspended; more than there are if others have taken some. */
    private final AtomicInteger suspended;

    /** The pending runs that this process is to start; more than there are if others have ended some, or one started before it was noted. */
    private final Set<RunId> pending;

    /**
     * Make the engine of a runtime.
     *
     * @param closeGrace how long calls in flight may take when it is closed
     */
    public Engine(RuntimeEnvironment environment, Duration closeGrace) {
        this.kept = new SuspendedRunCode(environment.definitions());
        this.environment = environment;
        this.closeGrace = closeGrace;
        this.live = new LiveRuns(environment.store() instanceof InMemoryStore ? Engine::cancel : LocalRun::release);
        this.releases = new RunReleases(environment, new Settled());
        this.recent = new RecentRuns();
        this.threads = new RunThreads(environment.callouts().threads().waits());
        this.suspended = new AtomicInteger();
        this.pending = ConcurrentHashMap.newKeySet();
        environment.tasks().onDispatch(new StoredForHere(this));
    }

    private Engine(Engine other, RuntimeEnvironment environment) {
        this.kept = other.kept;
        this.environment = environment;
        this.closeGrace = other.closeGrace;
        this.live = other.live;
        this.releases = other.releases.forTenant(environment, new Settled());
        this.recent = other.recent;
        this.threads = other.threads;
        this.suspended = other.suspended;
        this.pending = other.pending;
    }

    /** Runs that this process gives up, and that need no release. */
    private final class Settled implements RunReleases.Settling {

        @Override
        public void end(RunRecord seen, StopReason reason) {
            State ignored = suspensions().end(seen, reason, null, OptionValues.DEFAULT);
        }

        @Override
        public void keepSuspended(RunRecord seen) {
            keep(seen.runId(), seen.owner());
            live.noteActive();
        }
    }

    private void keep(RunId suspendedRun, String owner) {
        suspended.incrementAndGet();
        environment.ownership().keepSuspended(suspendedRun, owner);
    }

    /** Return the engine of a tenant of the same runtime. */
    public Engine forTenant(String tenantId) {
        return tenantId.equals(environment.tenantId()) ? this : new Engine(this, environment.forTenant(tenantId));
    }

    /** Call something short whenever a run starts or is resumed here. */
    public void whenActive(Runnable call) {
        live.whenActive(call);
    }

    /** Return the threads of runs. */
    RunThreads runThreads() {
        return threads;
    }

    /** Return whether runs are executed here. */
    public boolean executesRuns() {
        return !live.isEmpty();
    }

    /** Return whether runs that were executed here may be suspended. */
    public boolean waitsForRuns() {
        return suspended.get() > 0;
    }

    /** Return whether runs may wait in the store for this process to start them. */
    public boolean startsRuns() {
        return !pending.isEmpty() || environment.tasks().idleCalls().anyOpen();
    }

    /** Note that the next turn of an until-idle call waits for this process, if it does. */
    void notePendingTurn(RunId first) {
        RunFilter waiting = RunFilter.ROOTS.untilIdle(first).statuses(RunStatus.PENDING);
        for (RunRecord run : environment.store().list(waiting)) {
            if (run.task().isEmpty() && owns(run) && pending.add(run.runId())) {
                live.noteActive();
            }
        }
    }

    /** Keep what a pending run needs that this process is to start. */
    void keepPending(RunId runId, RunDefinition definition, OptionValues options) {
        kept.keep(runId, definition, definition.defaultOptions(), options);
        pending.add(runId);
    }

    /** Keep what the next turn of an until-idle call needs whose caller waits here. */
    public void keepTurn(RunRecord turn) {
        if (turn.task().isEmpty()) {
            environment
                    .tasks()
                    .idleCalls()
                    .of(turn)
                    .ifPresent(call -> kept.keep(
                            turn.runId(), call.definition(), call.definition().defaultOptions(), call.options()));
        }
    }

    /** Note that a run which was seen in the store does not wait any more, or is executed. */
    public void noteTaken(RunRecord seen) {
        pending.remove(seen.runId());
        if (seen.status() == RunStatus.SUSPENDED && owns(seen)) {
            suspended.decrementAndGet();
        }
    }

    /** Return what the runs of the tenant use. */
    public RuntimeEnvironment environment() {
        return environment;
    }

    LiveRuns live() {
        return live;
    }

    /** Return the runs of all tenants that are live here. */
    public Collection<LocalRun> liveRuns() {
        return live.all();
    }

    /** Return a run of the tenant that is live here. */
    public Optional<LocalRun> live(RunId runId) {
        return liveOfAnyTenant(runId).filter(run -> run.tenantId().equals(environment.tenantId()));
    }

    /** Return a run that is live here. */
    public Optional<LocalRun> liveOfAnyTenant(RunId runId) {
        return live.find(runId);
    }

    /** Return a run that has carried out a decision here and is not live any more, if it is one of the last. */
    public Optional<LocalRun> recent(RunId runId) {
        return recent.find(environment.tenantId(), runId);
    }

    /** Return how a run ended here, if it is one of the last of those that a store may not keep. */
    public Optional<RunOutcome> recentEnd(RunId runId) {
        return recent.findEnd(environment.tenantId(), runId)
                .or(() -> recent(runId).map(LocalRun::settled))
                .filter(outcome -> !outcome.isSuspended());
    }

    /** Return whether this process owns a run. */
    public boolean owns(RunRecord run) {
        return run.owner().equals(environment.ownerOf(run.runId()));
    }

    /** Return whether a run is live here, or about to be: it may be in the store already. */
    public boolean isAtWork(RunId runId) {
        return live.has(runId);
    }

    /** Return the options that a run is resumed with, before those of who takes it up: its hooks may still be here. */
    public OptionValues optionsFor(RunDefinition definition, RunId runId) {
        return kept.of(runId)
                .map(run -> definition
                        .defaultOptions()
                        .with(Option.Part.CODE, run.hooks())
                        .plus(Options.REQUEST_CONTEXT, run.values()))
                .orElseGet(definition::defaultOptions);
    }

    /** Return the agents that were given to the runtime. */
    public DefinitionRegistry definitions() {
        return environment.definitions();
    }

    /** Return whether the definition of a run may be here: there is one of its id. */
    public boolean mayHaveDefinitionOf(RunRecord run) {
        return kept.of(run.runId()).isPresent()
                || definitions().find(run.agentId()).isPresent()
                || (run.task().isPresent()
                        && definitions().find(AgentPath.parse(run.path())).isPresent());
    }

    /**
     * Return the definition that a run was started with: one that was kept with a run that waits here, or one that was given to the
     * runtime or is in its catalog.
     *
     * @throws dev.chargehand.error.VersionUnknownException if the catalog fails
     */
    public Optional<RunDefinition> findDefinitionOf(State run) {
        DefinitionLink started = run.started().definition();
        String version = started == null ? null : started.version();
        return kept.of(run.runId())
                .map(SuspendedRunCode.Kept::definition)
                .or(() -> run.started().background().origin() == null
                        ? definitions().find(run.started().agentId(), version)
                        : definitions().find(run.path(), version));
    }

    /**
     * Release every live run, or cancel it if its store is in memory; waits until none is executed here any more, and
     * starts no other.
     *
     * @param machine the machine's clock, which ends the grace time even if the runtime's own clock stands still
     * @param last closes what the runs needed
     */
    public void close(TimeSource machine, Runnable last) {
        live.close(List.of(environment.time(), machine), closeGrace, () -> {
            releases.close();
            threads.close();
            last.run();
        });
    }

    /** Return the store of its runs. */
    public Store store() {
        return environment.store();
    }

    /** Return the time. */
    public Instant now() {
        return environment.time().now();
    }

    /** Return whether it is neither closed nor being closed. */
    public boolean isOpen() {
        return live.isOpen();
    }

    /** Return what is released when the engine is closed, for those that wait for a run which is not live here. */
    public Cancellation waits() {
        return live.waits();
    }

    /** Fail if the engine is closed. */
    public void requireOpen() {
        live.requireOpen();
    }

    private static void cancel(LocalRun run) {
        LOG.warn("run {}: cancelled, because its runtime was closed and its store is in memory", run.runId());
        run.cancel("shutdown");
    }

    /** Return the runs that this process gives up. */
    public RunReleases releases() {
        return releases;
    }

    /**
     * Keep the hooks of a run that waits, or that is released, until it is resumed. A cancel that came too late still
     * ends it.
     */
    void over(LocalRun run) {
        RunSurroundings around = run.around();
        Outage outage = around.tree().outage();
        boolean givenUp = run.isGivenUp();
        if (givenUp) {
            releases.add(run.runId(), outage.cancellation());
        }
        if (run.isSuspended() || givenUp) {
            kept.keep(run.runId(), around.definition(), around.definition().defaultOptions(), around.options());
        } else {
            kept.forget(run.runId());
        }
        if (run.inbox().hasCarriedOut()) {
            recent.add(environment.tenantId(), run);
        }
        boolean waits = run.isSuspended() && run.cancelledEvenSuspended().isEmpty();
        if (waits) {
            keep(run.runId(), environment.ownerOf(run.runId()));
        }
        environment.ownership().leave(run.runId());
        live.remove(run.runId());
        if (run.isLeft()) {
            logReleased(
                    run.runId(),
                    UnstoredOptions.of(around.options(), around.definition().defaultOptions()));
        }
        Optional<StopReason> cancelled = run.lastCancel();
        if (run.isSuspended()) {
            cancelled.ifPresent(reason -> {
                suspensions()
                        .end(run.runId(), reason, around.definition(), around.hooks())
                        .ifPresent(this::ended);
            });
        }
    }

    /** A run that is not in the store is missing to be given up; one that another has taken is given up already. */
    void giveUp(LocalRun run) {
        try {
            environment.store().release(run.runId(), run.epoch());
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.NOT_FOUND && e.kind() != StoreException.Kind.FENCED) {
                releases.addIfOwned(run.runId());
            }
        }
    }

    private static void logReleased(RunId runId, List<String> given) {
        if (given.isEmpty()) {
            LOG.info(
                    "run {}: released, because its runtime was closed or its caller stopped to advance it;"
                            + " recover() or resume(runId) continues it",
                    runId);
        } else {
            LOG.warn(
                    "run {}: released, because its runtime was closed; it was started with {}, which are not stored:"
                            + " recover() lists it, and resume(runId, options) with them continues it",
                    runId,
                    String.join(", ", given));
        }
    }

    /** Return what looks into runs that are not live, and end them, on behalf of the calling thread. */
    public SuspendedRuns suspensions() {
        return new SuspendedRuns(environment, null, CallerContext.capture(environment.propagators()));
    }

    /** Keep the end of a run that was suspended, in place of what it needed to be resumed. */
    public void ended(State state) {
        kept.forget(state.runId());
        recent.add(environment.tenantId(), RunOutcome.ended(state, null));
    }
}
