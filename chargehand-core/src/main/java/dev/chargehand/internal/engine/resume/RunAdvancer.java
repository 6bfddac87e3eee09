package dev.chargehand.internal.engine.resume;

import dev.chargehand.RunReleasedException;
import dev.chargehand.Until;
import dev.chargehand.Until.Advanced;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.engine.LocalRun;
import dev.chargehand.internal.engine.task.TaskPlaces;
import dev.chargehand.internal.state.State;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunRecord;
import java.util.Objects;

/** Executes stored root runs up to a safe point, for callers that decide where and when. Thread-safe. */
public final class RunAdvancer {

    private final Engine engine;
    private final RunClaims claims;
    private final StoredRuns runs;
    private final TaskPlaces places;
    private final TaskResumer tasks;

    /** Make it for a tenant of a runtime. */
    RunAdvancer(Engine engine, RunClaims claims, StoredRuns runs, TaskResumer tasks) {
        this.engine = engine;
        this.claims = claims;
        this.runs = runs;
        this.tasks = tasks;
        this.places = engine.environment().tasks();
    }

    /** Execute a run until it ends, waits or is released; a background task only if a place is free. */
    public Advanced advance(RunId runId, Until until) {
        engine.requireOpen();
        RunRecord found = runs.open(runId, true);
        if (found.status().isEnded()) {
            return new Advanced.Ended(found.status());
        }
        if (tasks.isWaiting(found)) {
            return new Advanced.Suspended(found.expiresAt().orElseThrow());
        }
        return found.task().isEmpty() ? advanced(found, until) : advancedTask(found, until);
    }

    private Advanced advancedTask(RunRecord found, Until until) {
        if (engine.isAtWork(found.runId())) {
            throw workedOn(found.runId());
        }
        if (!places.tryEnter(found.runId(), found.agentId())) {
            return new Advanced.Queued();
        }
        try {
            return advanced(found, until);
        } finally {
            places.leave(found.runId());
        }
    }

    private Advanced advanced(RunRecord found, Until until) {
        try {
            return over(claims.advance(found, until).orElseThrow(() -> workedOn(found.runId())));
        } catch (ThreadBusyException e) {
            return new Advanced.Queued();
        }
    }

    private static StoreException workedOn(RunId runId) {
        return new StoreException(
                StoreException.Kind.FENCED,
                "Run " + runId
                        + " is being worked on by another caller or process; wait until it has ended or was released.",
                null);
    }

    /** Wait for the run; an interrupt releases it, and is kept. */
    private static Advanced over(LocalRun run) {
        boolean interrupted = false;
        while (true) {
            try {
                run.awaitQuietly();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
                run.release();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        try {
            State state = run.settled().state();
            return state.status().isEnded()
                    ? new Advanced.Ended(state.status())
                    : new Advanced.Suspended(Objects.requireNonNull(state.waitsUntil()));
        } catch (RunReleasedException e) {
            return new Advanced.Released();
        }
    }
}
