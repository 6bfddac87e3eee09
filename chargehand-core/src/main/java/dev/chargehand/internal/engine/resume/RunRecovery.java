package dev.chargehand.internal.engine.resume;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.error.RunNotEndedException;
import dev.chargehand.error.StoreException;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.engine.LocalRun;
import dev.chargehand.internal.engine.StoredDefinitions;
import dev.chargehand.internal.engine.lease.Ownership;
import dev.chargehand.internal.engine.lease.WakeAttempts;
import dev.chargehand.internal.engine.threads.DueMemory;
import dev.chargehand.internal.log.Log;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Resumes what was left by dead processes, of all tenants. Thread-safe. */
public final class RunRecovery {

    private static final Log LOG = Log.of(RunRecovery.class);

    /** How often is looked whether a task that waited for a place is still to be executed here. */
    private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    /** How often runs are listed if some change meanwhile. */
    private static final int MOST_LOOKS = 5;

    /** How many of many runs are named in a text. */
    private static final int MOST_NAMED = 10;

    private final TenantRuns runs;
    private final Engine engine;
    private final Ownership ownership;

    /** Make it for a runtime; {@code runs} are those of any tenant. */
    public RunRecovery(TenantRuns runs) {
        this.runs = runs;
        this.engine = runs.engine();
        this.ownership = engine.environment().ownership();
    }

    /**
     * Resume every run whose owner is dead, and those that wait for something that has expired or arrived; ends nested runs that
     * were left below a run that has ended.
     */
    public Recovered recover() {
        engine.requireOpen();
        ownership.startHeartbeat();
        Recovered recovered = new Recovered(
                new LinkedHashMap<>(), new EnumMap<>(StoredDefinitions.Left.class), new HashSet<>(), this::isHere);
        engine.releases().tryNow();
        endLeftBelow();
        List<RunRecord> pending = List.of();
        boolean changed = true;
        for (int look = 0; changed && look < MOST_LOOKS; look++) {
            List<RunRecord> found = found();
            pending = found.stream()
                    .filter(run -> run.status() == RunStatus.PENDING)
                    .toList()
                    .reversed(); // the oldest first
            changed = haveChanged(found.stream().filter(run -> run.status() != RunStatus.PENDING), recovered);
            // only now, since those that were being executed have the threads
            changed |= haveChanged(pending.stream(), recovered);
        }
        executeInTurn(pending.stream().filter(recovered::isWaiting).toList());
        new DueMemory(engine).lookAtAll();
        recovered.byMissingAgent().forEach(RunRecovery::warn);
        return recovered;
    }

    /** Also if the caller reads no list: a program that waits for the results only would take the runs for recovered. */
    private static void warn(String agentId, List<RunId> runs) {
        LOG.warn(
                "{} not recovered, since agent '{}' is not in this runtime: {}",
                runs.size() == 1 ? "1 run was" : runs.size() + " runs were",
                agentId,
                firstOf(runs));
    }

    /** Return the ids of the first of many runs, to be read by people. */
    public static String firstOf(Collection<RunId> runs) {
        String first = runs.stream().limit(MOST_NAMED).map(RunId::value).collect(Collectors.joining(", "));
        return runs.size() <= MOST_NAMED ? first : first + ", \u2026";
    }

    private List<RunRecord> found() {
        List<RunRecord> found = new ArrayList<>(ownership.abandonedRuns());
        found.addAll(ownership.expired());
        found.addAll(ownership.woken());
        return found;
    }

    /** Recover runs, and return whether one has changed since it was listed: its process may only have released it. */
    private boolean haveChanged(Stream<RunRecord> runs, Recovered recovered) {
        boolean changed = false;
        for (RunRecord run : runs.toList()) {
            if (!isHere(run.runId())) {
                if (isAsSeen(run)) {
                    recover(run, recovered);
                } else {
                    changed = true;
                }
            }
        }
        return changed;
    }

    /** Return whether a run is executed here, or is to be. */
    private boolean isHere(RunId runId) {
        return engine.isAtWork(runId) || hasPlace(runId);
    }

    /** Return whether a task has a place here, or waits for one. */
    private boolean hasPlace(RunId runId) {
        return engine.environment().tasks().has(runId);
    }

    /**
     * Have pending runs resumed when those are over here that have their threads: no wake-up would find them, since they belong to dead
     * processes. One whose thread another process has is left to a later recovery.
     */
    private void executeInTurn(List<RunRecord> pending) {
        Map<List<String>, Deque<RunRecord>> byThread = new LinkedHashMap<>();
        for (RunRecord run : pending) {
            run.threadId().filter(thread -> run.task().isEmpty()).ifPresent(thread -> byThread.computeIfAbsent(
                            List.of(run.tenantId(), thread), key -> new ArrayDeque<>())
                    .add(run));
        }
        byThread.values().forEach(this::resumeInTurn);
    }

    private void resumeInTurn(Deque<RunRecord> waiting) {
        try {
            resumeNext(waiting);
        } catch (RuntimeException e) {
            LOG.warn(
                    "{} pending runs were not recovered, a later recover() tries again: {}",
                    waiting.size(),
                    e.getMessage());
        }
    }

    private void resumeNext(Deque<RunRecord> waiting) {
        while (!waiting.isEmpty() && engine.isOpen()) {
            RunRecord run = waiting.element();
            TenantRuns tenant = runs.forTenant(run.tenantId());
            // looked for first, since it may be over when it has kept this one out
            Optional<LocalRun> other = executing(run);
            Optional<LocalRun> resumed = engine.forTenant(run.tenantId())
                    .store()
                    .find(run.runId())
                    .filter(now -> now.status() == RunStatus.PENDING)
                    .flatMap(now -> resume(tenant, now));
            if (resumed.isPresent() || other.isEmpty()) {
                waiting.remove();
            }
            Optional<LocalRun> before = resumed.or(() -> other);
            if (before.isPresent()) {
                before.get().whenOver(() -> resumeInTurn(waiting));
                return;
            }
        }
    }

    /** Return the run that is live here and has the thread of a run. */
    private Optional<LocalRun> executing(RunRecord run) {
        Engine tenant = engine.forTenant(run.tenantId());
        return run.threadId().stream()
                .flatMap(thread ->
                        tenant.store().list(RunFilter.ROOTS.thread(thread).statuses(RunStatus.RUNNING)).stream())
                .flatMap(other -> tenant.live(other.runId()).stream())
                .findFirst();
    }

    private void recover(RunRecord run, Recovered recovered) {
        TenantRuns tenant = runs.forTenant(run.tenantId());
        RunClaims claims = tenant.claims();
        if (WakeAttempts.areUsedUp(run)) {
            recovered.leave(run, StoredDefinitions.Left.STUCK);
            return;
        }
        switch (claims.find(run)) {
            case StoredDefinitions.Missing missing -> recovered.leave(run, missing.why());
            case StoredDefinitions.Here here -> {
                if (!claims.given(run, here).missing().isEmpty()) {
                    recovered.leave(run, StoredDefinitions.Left.HOOKS);
                    return;
                }
                try {
                    Optional<LocalRun> live = resume(tenant, run);
                    if (live.isPresent()) {
                        recovered.resumed().put(run.runId(), tenant.handles().of(live.get()));
                    } else if (hasPlace(run.runId())) {
                        recovered.later().add(run.runId());
                        recovered.resumed().put(run.runId(), tenant.handles().of(run));
                    }
                } catch (StoreException e) {
                    if (e.kind() != StoreException.Kind.TIMEOUT) {
                        throw e;
                    }
                    LOG.warn(
                            "run {} was not recovered, a later recover() tries again: {}", run.runId(), e.getMessage());
                    recovered.leave(run, StoredDefinitions.Left.TIMED_OUT);
                }
            }
        }
    }

    /** Resume a run; a background task as soon as a place is free; nothing is returned if that is later. */
    private static Optional<LocalRun> resume(TenantRuns tenant, RunRecord run) {
        return run.task().isEmpty()
                ? resumeNow(tenant.claims(), run)
                : tenant.taskResumer().resumeTask(run, options -> options, () -> resumeNow(tenant.claims(), run));
    }

    private static Optional<LocalRun> resumeNow(RunClaims claims, RunRecord run) {
        return run.status() == RunStatus.PENDING // which waits as it is
                ? claims.resumeIfFree(run, options -> options)
                : claims.resume(run, options -> options);
    }

    /** End what a process would have ended next, had it not died when it had ended the run above. */
    private void endLeftBelow() {
        for (RunRecord run : ownership.leftBelow()) {
            if (!engine.isAtWork(run.rootRunId())) {
                engine.forTenant(run.tenantId()).suspensions().endLikeAbove(run);
            }
        }
    }

    /** Return whether a run is still stored as it was listed. */
    private boolean isAsSeen(RunRecord seen) {
        return engine.forTenant(seen.tenantId()).store().find(seen.runId()).equals(Optional.of(seen));
    }

    /**
     * The runs that {@link #recover} resumed, and those it left alone.
     *
     * @param left by why they were left, with the ids of the agents or workflows that they were started with
     * @param later which of the resumed ones are tasks that wait for a place
     * @param isHere returns whether a run is executed here, or is to be
     */
    public record Recovered(
            Map<RunId, RunHandle> resumed,
            Map<StoredDefinitions.Left, Map<RunId, String>> left,
            Set<RunId> later,
            Predicate<RunId> isHere) {

        /** Wait for the results of the resumed runs; a task that is not executed here after all has none. */
        public List<RunResult> await() {
            return resumed.values().stream()
                    .flatMap(run -> result(run).stream())
                    .toList();
        }

        private Optional<RunResult> result(RunHandle run) {
            while (true) {
                try {
                    return Optional.of(later.contains(run.runId()) ? run.result(BETWEEN_LOOKS) : run.result());
                } catch (RunFailedException e) {
                    return Optional.of(e.result());
                } catch (RunNotEndedException e) {
                    if (!isHere.test(run.runId())) {
                        LOG.debug("run {}: it is not executed here: {}", run.runId(), e.getMessage());
                        return Optional.empty();
                    }
                }
            }
        }

        private void leave(RunRecord run, StoredDefinitions.Left why) {
            left.computeIfAbsent(why, reason -> new LinkedHashMap<>()).put(run.runId(), run.agentId());
        }

        /** Return the runs without their agents, by the ids of these. */
        private Map<String, List<RunId>> byMissingAgent() {
            Map<String, List<RunId>> byAgent = new LinkedHashMap<>();
            left.getOrDefault(StoredDefinitions.Left.AGENT, Map.of())
                    .forEach((run, agent) -> byAgent.computeIfAbsent(agent, id -> new ArrayList<>())
                            .add(run));
            return byAgent;
        }

        /** Return whether a run was neither resumed nor left for a reason of its own. */
        private boolean isWaiting(RunRecord run) {
            return !resumed.containsKey(run.runId())
                    && left.values().stream().noneMatch(runs -> runs.containsKey(run.runId()));
        }

        private List<RunId> left(StoredDefinitions.Left why) {
            return List.copyOf(left.getOrDefault(why, Map.of()).keySet());
        }

        public List<RunId> withoutAgent() {
            return left(StoredDefinitions.Left.AGENT);
        }

        public List<RunId> withoutVersion() {
            return left(StoredDefinitions.Left.VERSION);
        }

        public List<RunId> withoutDefinition() {
            return left(StoredDefinitions.Left.WORKFLOW);
        }

        public List<RunId> changed() {
            return left(StoredDefinitions.Left.CHANGED);
        }

        public List<RunId> withoutHooks() {
            return left(StoredDefinitions.Left.HOOKS);
        }

        public List<RunId> stuck() {
            return left(StoredDefinitions.Left.STUCK);
        }

        public List<RunId> timedOut() {
            return left(StoredDefinitions.Left.TIMED_OUT);
        }
    }
}
