package dev.chargehand.internal.engine.resume;

import dev.chargehand.RunHandle;
import dev.chargehand.error.StoreException;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.engine.LocalRun;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunRecord;
import java.time.Instant;
import java.util.function.UnaryOperator;

/** Resumes stored root runs of a tenant that no process executes any more. Thread-safe. */
public final class RunResumer {

    private final RuntimeEnvironment environment;
    private final Engine engine;
    private final RunClaims claims;
    private final StoredRuns runs;
    private final RunHandles handles;

    /** Make it for a runtime. */
    public RunResumer(
            RuntimeEnvironment environment, Engine engine, RunClaims claims, StoredRuns runs, RunHandles handles) {
        this.environment = environment;
        this.engine = engine;
        this.claims = claims;
        this.runs = runs;
        this.handles = handles;
    }

    /** Resume a run that no process executes; a run that has ended, or only waits, is left alone. */
    public RunHandle resume(RunId runId, UnaryOperator<OptionValues> changes) {
        engine.requireOpen();
        RunRecord found = runs.open(runId, true);
        return found.status().isEnded() || isWaiting(found) ? handles.of(found) : handles.of(resumed(found, changes));
    }

    /** Return whether a run waits in time for something that has not arrived. */
    boolean isWaiting(RunRecord run) {
        Instant now = environment.time().now();
        return run.status() == RunStatus.SUSPENDED
                && run.expiresAt().map(at -> at.isAfter(now)).orElse(true)
                && environment.store().undrained(run.runId()).stream()
                        .noneMatch(delivery -> delivery.kind().wakes());
    }

    private LocalRun resumed(RunRecord found, UnaryOperator<OptionValues> changes) {
        environment.ownership().startHeartbeat();
        if (engine.isAtWork(found.runId())) {
            throw new StoreException(
                    StoreException.Kind.FENCED, "Run " + found.runId() + " is being worked on in this process.", null);
        }
        return claims.resume(found, changes)
                .orElseThrow(() -> new StoreException(
                        StoreException.Kind.FENCED,
                        "Run " + found.runId()
                                + " is being worked on by another process, which is not known to be dead; "
                                + "wait until it ends, or until its owner's time is over.",
                        null));
    }
}
