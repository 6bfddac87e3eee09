package dev.chargehand.server.internal.api;

import dev.chargehand.TenantRuntime;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.server.Principal;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the calls that wait for an answer, of one caller. It keeps those of suspended runs, and reads them again when the record of the
 * run has changed. Not thread-safe.
 */
public final class WaitingCalls {

    private static final int PAGE = 200;

    private record Kept(long length, RunStatus status, List<PendingApproval> calls) {}

    private final TenantRuntime runtime;
    private final RunFilter filter;
    private Map<RunId, Kept> kept = new HashMap<>();

    /**
     * Make it.
     *
     * @param resource on whose behalf the runs work; empty for all
     */
    public WaitingCalls(ServerState state, Principal caller, Optional<String> resource) {
        this.runtime = state.runtime(caller);
        RunFilter open =
                RunFilter.ROOTS.statuses(RunStatus.SUSPENDED, RunStatus.RUNNING).limit(PAGE);
        this.filter = resource.map(open::resource).orElse(open);
    }

    /** Return them by their ids, oldest first. */
    public Map<String, PendingApproval> read() {
        Map<RunId, Kept> now = new HashMap<>();
        List<PendingApproval> calls = new ArrayList<>();
        List<RunRecord> page = runtime.runs(filter);
        while (!page.isEmpty()) {
            for (RunRecord run : page) {
                Kept ofRun = of(run);
                now.put(run.runId(), ofRun);
                calls.addAll(ofRun.calls());
            }
            page = page.size() < PAGE
                    ? List.of()
                    : runtime.runs(filter.before(page.getLast().runId()));
        }
        kept = now;
        calls.sort(Comparator.comparing(PendingApproval::askedAt));
        Map<String, PendingApproval> byId = new LinkedHashMap<>();
        calls.forEach(call -> byId.put(WaitingId.of(call).toString(), call));
        return byId;
    }

    /** Read all of them again at the next time, also what was answered meanwhile and not carried out. */
    public void forget() {
        kept = new HashMap<>();
    }

    private Kept of(RunRecord run) {
        Kept before = kept.get(run.runId());
        if (before != null
                && run.status() == RunStatus.SUSPENDED
                && before.status() == RunStatus.SUSPENDED
                && before.length() == run.length()) {
            return before;
        }
        return new Kept(run.length(), run.status(), runtime.handle(run.runId()).pendingApprovals());
    }
}
