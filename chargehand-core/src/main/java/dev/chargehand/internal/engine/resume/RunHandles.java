package dev.chargehand.internal.engine.resume;

import dev.chargehand.RunHandle;
import dev.chargehand.RunStream;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.RunNotEndedException;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.Cursor;
import dev.chargehand.internal.engine.AccessGate;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.engine.LocalRun;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.engine.watch.FollowedStream;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.DueRuns;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.deletion.Deletion;
import java.util.Optional;

/** Makes the handles of root runs, and has what they need. Thread-safe. */
public final class RunHandles {

    private final RuntimeEnvironment environment;
    private final Engine engine;
    private final StoredRuns stored;
    private final RunCanceller canceller;
    private final AccessGate access;
    private final DueRuns.Scope wakes;

    /**
     * Make it for a tenant.
     *
     * @param wakes which runs the runtime resumes by itself
     */
    public RunHandles(
            RuntimeEnvironment environment,
            Engine engine,
            StoredRuns stored,
            RunCanceller canceller,
            AccessGate access,
            DueRuns.Scope wakes) {
        this.wakes = wakes;
        this.access = access;
        this.environment = environment;
        this.engine = engine;
        this.stored = stored;
        this.canceller = canceller;
    }

    /** Return a handle of a run that was started or resumed here. */
    public RunHandle of(LocalRun run) {
        return new FollowedRun(this, run.runId(), run);
    }

    /** Return a handle of a run that is stored. */
    FollowedRun of(RunRecord stored) {
        return new FollowedRun(this, stored.runId(), null);
    }

    /** Return a handle of a run that was stored for later. */
    RunHandle submitted(RunId runId) {
        return followed(runId);
    }

    /** Return a handle of a run that a call with the same idempotency key has started, also if the store forgot it since. */
    public RunHandle found(RunId runId) {
        return followed(runId).repeated();
    }

    private FollowedRun followed(RunId runId) {
        return new FollowedRun(this, runId, engine.live(runId).orElse(null));
    }

    /**
     * Return a handle of a run that a caller opens by its id.
     *
     * @throws StoreException {@code NOT_FOUND} if it is neither live here nor in the store, or may not be opened
     * @throws ConfigurationException if it is a nested run
     */
    public RunHandle open(RunId runId) {
        if (!access.isGuarded()) {
            return of(runId);
        }
        if (!access.mayOpen(runId, false)) {
            throw AccessGate.missing(engine.environment(), runId);
        }
        return new OpenedRun(of(runId), access);
    }

    /**
     * Return a handle of a run that is live here, or in the store.
     *
     * @throws StoreException {@code NOT_FOUND} if it is neither
     * @throws ConfigurationException if it is a nested run
     */
    RunHandle of(RunId runId) {
        engine.requireOpen();
        Optional<LocalRun> live = engine.live(runId);
        return live.isPresent() ? of(live.get()) : of(stored.root(runId));
    }

    /**
     * Return a stream that reads a stored run from its start.
     *
     * @param onClose how closing it affects the run
     */
    RunStream stream(RunId runId, AgentPath path, RunStream.OnClose onClose) {
        return FollowedStream.of(engine, runId, followed(runId), path, onClose, null);
    }

    /** Return a stream that reads a stored run from an event on. */
    RunStream stream(RunId runId, Cursor after, RunStream.OnClose onClose) {
        AgentPath path = AgentPath.root(stored.root(runId).agentId());
        return FollowedStream.of(engine, runId, followed(runId), path, onClose, after);
    }

    /** Delete a run that has ended; returns false if nothing of it is kept. */
    boolean delete(RunId runId) {
        engine.requireOpen();
        boolean kept = !environment.forgotten().take(runId).isEmpty();
        boolean deleted = environment.store().delete(new Deletion.OneRun(runId)) > 0 || kept;
        if (!deleted && environment.store().find(runId).isPresent()) {
            throw new RunNotEndedException("Run " + runId
                    + " is not deleted, because it or a nested run has not ended; cancel it, or wait for its end.");
        }
        return deleted;
    }

    /** Return a wait of a caller for a run. */
    RunWait waitFor(RunId runId) {
        return new RunWait(runId, environment.time(), engine.waits());
    }

    RuntimeEnvironment environment() {
        return environment;
    }

    Engine engine() {
        return engine;
    }

    StoredRuns stored() {
        return stored;
    }

    RunCanceller canceller() {
        return canceller;
    }

    /** Return whether a run that only waits for a time continues by itself, as far as this runtime is concerned. */
    boolean wakes() {
        return wakes != DueRuns.Scope.NONE;
    }

    /** Return whether a pending run starts by itself: background tasks here, and what a living process keeps until its thread is free. */
    boolean starts(RunRecord pending) {
        return pending.task().isPresent()
                ? wakes() || environment.tasks().has(pending.runId())
                : wakes == DueRuns.Scope.ALL
                        || engine.owns(pending)
                        || !environment.ownership().isFree(pending);
    }

    /** Return whether a run has started and no living process executes it. */
    boolean isLeft(RunRecord run) {
        return run.status() == RunStatus.RUNNING
                && !engine.isAtWork(run.runId())
                && environment.ownership().isFree(run);
    }

    Optional<RunRecord> find(RunId runId) {
        return environment.store().find(runId);
    }
}
