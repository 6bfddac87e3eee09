package dev.chargehand.internal.engine.resume;

import dev.chargehand.Agent;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.engine.LocalRun;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.engine.tree.SuspendedRuns;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.RunRecord;
import java.util.Optional;

/** Cancels root runs, wherever they are executed or wait. Thread-safe. */
public final class RunCanceller {

    private final RuntimeEnvironment environment;
    private final Engine engine;
    private final RunClaims claims;

    /** Make it for a runtime. */
    public RunCanceller(RuntimeEnvironment environment, Engine engine, RunClaims claims) {
        this.environment = environment;
        this.engine = engine;
        this.claims = claims;
    }

    /**
     * Cancel a run: one that is live here directly; any other by ending it in the store, which rejects all later
     * writes of its owner. Returns whether it did.
     */
    public boolean cancel(RunId runId, String by) {
        engine.requireOpen();
        engine.releases().tryNow(runId);
        RunWait wait = new RunWait(runId, environment.time(), engine.waits());
        while (true) {
            Optional<LocalRun> live = engine.live(runId);
            if (live.isPresent()) {
                live.get().cancelEvenSuspended(by);
                return true;
            }
            Optional<RunRecord> found = environment
                    .store()
                    .find(runId)
                    .filter(run -> run.isRoot() && !run.status().isEnded());
            if (found.isEmpty()) {
                return false;
            }
            if (ended(found.get(), new StopReason.Cancelled(by))) {
                return true;
            }
            wait.pause();
        }
    }

    /**
     * End a run as it was seen; returns whether it did, and no other resumed it or wrote to it. A run that another
     * process executes is claimed first, which keeps that process from writing to its nested runs meanwhile.
     */
    private boolean ended(RunRecord seen, StopReason reason) {
        return claims.alone(seen.runId(), () -> {
                    Agent agent = engine.findAgentOf(seen).orElse(null);
                    OptionValues hooks = agent == null ? OptionValues.DEFAULT : engine.optionsFor(agent, seen.runId());
                    RunRecord mine = seen.status() == RunStatus.RUNNING
                            ? environment.store().claim(seen.runId(), seen.epoch(), seen.length(), environment.owner())
                            : seen;
                    engine.ended(engine.suspensions().end(mine, reason, agent, SuspendedRuns.heardBy(seen, hooks)));
                    return Optional.of(seen);
                })
                .isPresent();
    }
}
