package dev.chargehand.server.internal.api;

import dev.chargehand.RunHandle;
import dev.chargehand.TenantRuntime;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.server.Principal;
import dev.chargehand.server.ServerLimit;
import dev.chargehand.server.internal.limit.CallerLimits;
import dev.chargehand.server.internal.limit.RunSlot;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.server.internal.route.ReadRun;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
     * A run that a request wants.
     *
     * @param earlier finds the run that an earlier request with the same key has started
     * @param here starts it in this process
     * @param later stores it for any process
     * @param read whether the request reads its events, and so needs a place among the streams
     */
    public record Start(
            Supplier<Optional<RunId>> earlier, Supplier<RunHandle> here, Supplier<RunHandle> later, boolean read) {}

    /**
     * Start a run if there is a slot for it, and store it for later otherwise. The request knows its run from then on, see {@link ReadRun}.
     *
     * @throws ProblemException if too many runs are stored for later, or the server is being stopped
     */
    public RunHandle start(Call call, Start start) {
        return start(call, start, false);
    }

    /**
     * Store a run for later, whether there is a slot or not.
     *
     * @throws ProblemException if too many runs are stored for later, or the server is being stopped
     */
    public RunHandle submit(Call call, Start start) {
        return start(call, start, true);
    }

    private RunHandle start(Call call, Start start, boolean later) {
        Principal caller = call.principal();
        boolean repeats = state.isDraining();
        if (repeats) {
            requireEarlier(call, start);
        } else if (start.read()) {
            state.streams().reserve(call, Streams.NEW_RUN);
        }
        state.callers().requireStart(caller);
        List<Counter> slot = counters(caller);
        boolean here = !later && !repeats && take(slot);
        return ReadRun.started(
                call, here ? started(call, slot, start.read(), start.here()) : submitted(caller, start.later()));
    }

    /**
     * Reject a start while the server is being stopped, unless it repeats one: the run is known, and so is the answer if nothing of the run is
     * to be waited for. Any other request finds its run in another process.
     */
    private void requireEarlier(Call call, Start start) {
        TenantRuntime runtime = state.runtime(call.principal());
        boolean isKnown = start.earlier()
                .get()
                .flatMap(runtime::findRun)
                .filter(run -> !start.read() || run.status().isEnded() || run.status() == RunStatus.SUSPENDED)
                .isPresent();
        if (!isKnown) {
            state.requireStarts();
        } else if (start.read()) {
            state.streams().reserveAtRest(call);
        }
    }

    private RunHandle submitted(Principal caller, Supplier<RunHandle> submit) {
        requireFewPending(caller);
        return submit.get();
    }

    /**
     * Start a run that cannot be stored for later.
     *
     * @param read whether the request reads its events
     * @throws ProblemException if there is no slot, or the server is being stopped
     */
    public RunHandle startHere(Call call, boolean read, Supplier<RunHandle> start) {
        Principal caller = call.principal();
        state.requireStarts();
        if (read) {
            state.streams().reserve(call, Streams.NEW_RUN);
        }
        state.callers().requireStart(caller);
        List<Counter> slot = counters(caller);
        if (!take(slot)) {
            throw Problem.TOO_MANY_RUNS.of("Too many runs are executed. Try again when one of them has ended.");
        }
        return ReadRun.started(call, started(call, slot, read, start));
    }

    private RunHandle started(Call call, List<Counter> slot, boolean read, Supplier<RunHandle> start) {
        boolean holds = false;
        try {
            RunHandle run = start.get();
            holds = !run.isRepeated(); // the first call holds the slot of the run
            if (holds) {
                RunSlot held = new RunSlot(run, () -> free(slot));
                if (!read && call.waitTime().isPresent()) {
                    call.held().add(held);
                } else {
                    held.follow();
                }
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
