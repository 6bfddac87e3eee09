package dev.chargehand.internal.engine.resume;

import dev.chargehand.Advanced;
import dev.chargehand.RunReleasedException;
import dev.chargehand.Until;
import dev.chargehand.error.StoreException;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.engine.LocalRun;
import dev.chargehand.internal.state.State;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunRecord;
import java.util.Objects;
import java.util.Optional;

/** Executes stored root runs up to a safe point, for callers that decide where and when. Thread-safe. */
public final class RunAdvancer {

    private final Engine engine;
    private final RunClaims claims;
    private final StoredRuns runs;
    private final RunResumer resumer;

    /** Make it for a runtime. */
    public RunAdvancer(Engine engine, RunClaims claims, StoredRuns runs, RunResumer resumer) {
        this.engine = engine;
        this.claims = claims;
        this.runs = runs;
        this.resumer = resumer;
    }

    /** Execute a run until it ends, waits or is released. */
    public Advanced advance(RunId runId, Until until) {
        engine.requireOpen();
        RunRecord found = runs.open(runId, true);
        if (found.status().isEnded()) {
            return new Advanced.Ended(found.status());
        }
        if (resumer.isWaiting(found)) {
            return new Advanced.Suspended(found.expiresAt().orElseThrow());
        }
        Optional<LocalRun> run = claims.advance(found, engine.agentOf(found), until);
        return run.isPresent() ? over(run.get()) : notClaimed(found);
    }

    /** The thread is not free, or another works on the run; what was claimed for nothing is given up. */
    private Advanced notClaimed(RunRecord seen) {
        RunId runId = seen.runId();
        RunRecord now = runs.root(runId);
        boolean mine = now.epoch() == seen.epoch() + 1 && engine.owns(now) && !engine.isAtWork(runId);
        if (mine) {
            engine.releases().addIfOwned(runId);
            engine.releases().tryNow(runId);
        }
        if (mine || now.status() == RunStatus.PENDING) {
            return new Advanced.Queued();
        }
        throw new StoreException(
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
