package dev.chargehand.server.internal.api;

import dev.chargehand.RunHandle;
import dev.chargehand.TenantRuntime;
import dev.chargehand.run.RunStatus;
import dev.chargehand.server.Principal;
import dev.chargehand.server.ServerLimit;
import dev.chargehand.server.internal.limit.CallerLimits;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Counts the runs that the server has started and that are executed: all of them, those of each tenant and those of each caller, so that
 * none takes the places of others. Thread-safe.
 */
public final class Slots {

    private static final int PAGE = 1_000;

    private final ServerState state;
    private final Map<Counter, Integer> counts = new HashMap<>();

    /** What is counted for a limit: the runs of a tenant or a caller, or all. */
    private record Counter(ServerLimit limit, String of) {}

    Slots(ServerState state) {
        this.state = state;
    }

    /**
     * Start a run if there is a slot for it, and store it for later otherwise.
     *
     * @param start starts it here
     * @param submit stores it
     * @throws ProblemException if too many runs are stored for later
     */
    public RunHandle start(Principal caller, Supplier<RunHandle> start, Supplier<RunHandle> submit) {
        state.callers().requireStart(caller);
        List<Counter> slot = counters(caller);
        return take(slot) ? started(slot, start) : submitted(caller, submit);
    }

    /**
     * Store a run for later, whether there is a slot or not.
     *
     * @throws ProblemException if too many runs are stored for later
     */
    public RunHandle submit(Principal caller, Supplier<RunHandle> submit) {
        state.callers().requireStart(caller);
        return submitted(caller, submit);
    }

    private RunHandle submitted(Principal caller, Supplier<RunHandle> submit) {
        requireFewPending(caller);
        return submit.get();
    }

    /**
     * Start a run that cannot be stored for later.
     *
     * @throws ProblemException if there is no slot
     */
    public RunHandle startHere(Principal caller, Supplier<RunHandle> start) {
        state.callers().requireStart(caller);
        List<Counter> slot = counters(caller);
        if (!take(slot)) {
            throw Problem.TOO_MANY_RUNS.of("Too many runs are executed. Try again when one of them has ended.");
        }
        return started(slot, start);
    }

    private RunHandle started(List<Counter> slot, Supplier<RunHandle> start) {
        boolean holds = false;
        try {
            RunHandle run = start.get();
            holds = !run.isRepeated(); // the first call holds the slot of the run
            if (holds) {
                state.results().follow(run, () -> free(slot));
            }
            return run;
        } finally {
            if (!holds) {
                free(slot);
            }
        }
    }

    private void requireFewPending(Principal caller) {
        TenantRuntime runtime = state.runtime(caller);
        require(runtime, RunFilter.ROOTS, ServerLimit.PENDING_RUNS_OF_TENANT);
        caller.resourceId()
                .ifPresent(resource ->
                        require(runtime, RunFilter.ROOTS.resource(resource), ServerLimit.PENDING_RUNS_OF_RESOURCE));
    }

    private void require(TenantRuntime runtime, RunFilter which, ServerLimit limit) {
        long most = state.limit(limit);
        long pending = 0;
        int size = (int) Math.min(PAGE, most);
        RunFilter filter = which.statuses(RunStatus.PENDING).limit(size);
        List<RunRecord> page = runtime.runs(filter);
        while (!page.isEmpty() && pending < most) {
            pending += page.size();
            page = page.size() < size
                    ? List.of()
                    : runtime.runs(filter.before(page.getLast().runId()));
        }
        if (pending >= most) {
            throw Problem.TOO_MANY_RUNS.of(
                    most + " runs wait to be executed, which is the limit '" + limit.key() + "'. Try again later.");
        }
    }

    private static List<Counter> counters(Principal caller) {
        return List.of(
                new Counter(ServerLimit.RUNS, ""),
                new Counter(ServerLimit.RUNS_OF_TENANT, caller.tenantId()),
                new Counter(ServerLimit.RUNS_OF_CALLER, CallerLimits.key(caller)));
    }

    private synchronized boolean take(List<Counter> slot) {
        for (Counter counter : slot) {
            if (counts.getOrDefault(counter, 0) >= state.limit(counter.limit())) {
                return false;
            }
        }
        slot.forEach(counter -> counts.merge(counter, 1, Integer::sum));
        return true;
    }

    private synchronized void free(List<Counter> slot) {
        slot.forEach(counter -> counts.merge(counter, -1, (count, change) -> count == 1 ? null : count + change));
    }
}
