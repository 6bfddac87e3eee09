package dev.chargehand.internal.engine.resume;

import dev.chargehand.Agent;
import dev.chargehand.RunHandle;
import dev.chargehand.error.StoreException;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.engine.LocalRun;
import dev.chargehand.internal.engine.lease.Ownership;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.engine.tree.SuspendedRuns;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Resumes stored root runs that no process executes any more. Thread-safe. */
public final class RunResumer {

    private final RuntimeEnvironment environment;
    private final Ownership ownership;
    private final Engine engine;
    private final RunClaims claims;
    private final StoredRuns runs;
    private final RunHandles handles;

    /** Make it for a runtime. */
    public RunResumer(
            RuntimeEnvironment environment, Engine engine, RunClaims claims, StoredRuns runs, RunHandles handles) {
        this.environment = environment;
        this.ownership = environment.ownership();
        this.engine = engine;
        this.claims = claims;
        this.runs = runs;
        this.handles = handles;
    }

    /** Resume a run that no process executes; a run that has ended, or only waits, is left alone. */
    public RunHandle resume(RunId runId, UnaryOperator<OptionValues> changes) {
        engine.requireOpen();
        RunRecord found = runs.root(runId);
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
        Agent agent = engine.agentOf(found);
        ownership.startHeartbeat();
        if (engine.isAtWork(found.runId())) {
            throw new StoreException(
                    StoreException.Kind.FENCED, "Run " + found.runId() + " is being worked on in this process.", null);
        }
        return claims.resume(found, agent, changes, true)
                .orElseThrow(() -> new StoreException(
                        StoreException.Kind.FENCED,
                        "Run " + found.runId()
                                + " is being worked on by another process, which is not known to be dead; "
                                + "wait until it ends, or until its owner's time is over.",
                        null));
    }

    /**
     * Resume every run whose owner is dead, and those that wait for something that has expired or arrived; ends nested runs that
     * were left below a run that has ended.
     */
    public Recovered recover() {
        engine.requireOpen();
        ownership.startHeartbeat();
        Recovered recovered =
                new Recovered(new LinkedHashMap<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        engine.releases().tryNow();
        endLeftBelow();
        List<RunRecord> found = new ArrayList<>(ownership.abandonedRuns());
        found.addAll(ownership.expired());
        found.addAll(ownership.woken());
        for (RunRecord run : found) {
            if (!engine.isAtWork(run.runId()) && isAsSeen(run)) {
                recover(run, recovered);
            }
        }
        return recovered;
    }

    private void recover(RunRecord run, Recovered recovered) {
        Optional<Agent> agent = engine.findAgentOf(run);
        if (WakeAttempts.areUsedUp(run)) {
            recovered.stuck().add(run.runId());
        } else if (agent.isEmpty()) {
            recovered.withoutAgent().add(run.runId());
        } else if (!claims.hasAllHooks(run, agent.get())) {
            recovered.withoutHooks().add(run.runId());
        } else {
            boolean waits = run.status() != RunStatus.PENDING; // it waits as it is
            claims.resume(run, agent.get(), options -> options, waits)
                    .ifPresent(resumed -> recovered.resumed().put(run.runId(), handles.of(resumed)));
        }
    }

    /** End what a process would have ended next, had it not died when it had ended the run above. */
    private void endLeftBelow() {
        SuspendedRuns suspensions = engine.suspensions();
        for (RunRecord run : ownership.leftBelow()) {
            if (!engine.isAtWork(run.rootRunId())) {
                suspensions.endLikeAbove(run);
            }
        }
    }

    /** Return whether a run is still stored as it was listed. */
    private boolean isAsSeen(RunRecord seen) {
        return environment.store().find(seen.runId()).equals(Optional.of(seen));
    }

    /** The runs that {@link #recover} resumed, and those it left alone. */
    public record Recovered(
            Map<RunId, RunHandle> resumed, List<RunId> withoutAgent, List<RunId> withoutHooks, List<RunId> stuck) {}
}
