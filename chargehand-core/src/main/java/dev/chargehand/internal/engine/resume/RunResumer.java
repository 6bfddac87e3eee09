package dev.chargehand.internal.engine.resume;

import dev.chargehand.RunHandle;
import dev.chargehand.error.StoreException;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunRecord;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Resumes stored root runs of a tenant that no process executes any more. Thread-safe. */
public final class RunResumer {

    private final RuntimeEnvironment environment;
    private final Engine engine;
    private final RunClaims claims;
    private final StoredRuns runs;
    private final RunHandles handles;
    private final TaskResumer tasks;

    /** Make it for a tenant of a runtime. */
    RunResumer(
            RuntimeEnvironment environment,
            Engine engine,
            RunClaims claims,
            StoredRuns runs,
            RunHandles handles,
            TaskResumer tasks) {
        this.environment = environment;
        this.engine = engine;
        this.claims = claims;
        this.runs = runs;
        this.handles = handles;
        this.tasks = tasks;
    }

    /**
     * Resume a run that no process executes; a run that has ended, or only waits, is left alone. A background task for which no place is
     * free is resumed when one is.
     */
    public RunHandle resume(RunId runId, UnaryOperator<OptionValues> changes) {
        engine.requireOpen();
        RunRecord found = runs.open(runId, true);
        while (true) {
            if (found.status().isEnded() || tasks.isWaiting(found)) {
                return handles.of(found);
            }
            environment.ownership().startHeartbeat();
            if (engine.isAtWork(runId)) {
                throw new StoreException(
                        StoreException.Kind.FENCED,
                        "Run " + runId
                                + " is being worked on in this process; handle(runId) follows it, and its result() waits for its end.",
                        null);
            }
            Optional<RunHandle> resumed = found.task().isEmpty()
                    ? claims.resume(found, changes).map(handles::of)
                    : Optional.of(resumedTask(found, changes));
            if (resumed.isPresent()) {
                return resumed.get();
            }
            found = changed(found);
        }
    }

    /** Return a run that was released, or was continued and left again, since it was seen: the claim came too late for what was seen. */
    private RunRecord changed(RunRecord seen) {
        RunRecord now = runs.open(seen.runId(), true);
        boolean isAsSeen =
                now.epoch() == seen.epoch() && now.length() == seen.length() && now.status() == seen.status();
        if (isAsSeen || !(now.status().isEnded() || claims.isFree(now))) {
            throw workedOn(now);
        }
        return now;
    }

    /** What keeps a task from being resumed is an error now, and not only when a place is free. */
    private RunHandle resumedTask(RunRecord found, UnaryOperator<OptionValues> changes) {
        if (!claims.isFree(found) || claims.requireIfAsSeen(found, changes).isEmpty()) {
            throw workedOn(found);
        }
        return tasks.resumeTask(
                        found,
                        changes,
                        () -> Optional.of(claims.resume(found, changes).orElseThrow(() -> workedOn(found))))
                .map(handles::of)
                .orElseGet(() -> handles.of(found));
    }

    private static StoreException workedOn(RunRecord run) {
        return new StoreException(
                StoreException.Kind.FENCED,
                "Run " + run.runId()
                        + " is being worked on by another process, which is not known to be dead; "
                        + "wait until it ends, or until its owner's time is over.",
                null);
    }
}
