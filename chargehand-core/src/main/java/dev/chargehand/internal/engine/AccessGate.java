package dev.chargehand.internal.engine;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.StoreException;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.CallSite;
import dev.chargehand.internal.call.CallerContext;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.internal.log.Log;
import dev.chargehand.json.Json;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.run.RunId;
import dev.chargehand.spi.AccessCheck;
import dev.chargehand.spi.AccessCheck.Access;
import dev.chargehand.spi.AccessCheck.Kind;
import dev.chargehand.spi.CallInfo;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.WaitingCall.WaitingFilter;
import dev.chargehand.store.WaitingCall.WaitingFilter.Listed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Decides which runs, threads and approvals of a tenant the calling thread may open. Thread-safe. */
public final class AccessGate {

    private static final Log LOG = Log.of(AccessGate.class);

    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final RuntimeEnvironment environment;
    private final Engine engine;
    private final @Nullable AccessCheck check;

    /** Make it for a tenant; without a check, everything may be opened. */
    public AccessGate(Engine engine, @Nullable AccessCheck check) {
        this.environment = engine.environment();
        this.engine = engine;
        this.check = check;
    }

    /** Return whether there is a check. */
    public boolean isGuarded() {
        return check != null;
    }

    /** Return whether a run may be opened; true if it is missing, which the caller finds out. */
    public boolean mayOpen(RunId runId, boolean changes) {
        if (check == null) {
            return true;
        }
        engine.requireOpen();
        Optional<RunRecord> run = environment.store().find(runId);
        return run.isPresent()
                ? mayOpen(run.get(), changes)
                : engine.live(runId)
                        .map(live -> allows(Kind.RUN, runId.value(), Optional.ofNullable(live.resourceId()), changes))
                        .orElse(true);
    }

    /** Return whether a run may be opened. */
    public boolean mayOpen(RunRecord run, boolean changes) {
        return check == null || allows(Kind.RUN, run.runId().value(), resourceOf(run), changes);
    }

    private Optional<String> resourceOf(RunRecord run) {
        return run.isRoot()
                ? run.resourceId()
                : environment.store().find(run.rootRunId()).flatMap(RunRecord::resourceId);
    }

    /** Return whether what a run waits for may be answered. */
    public boolean mayAnswer(PendingApproval approval, RunRecord root) {
        return check == null
                || allows(Kind.APPROVAL, approval.runId() + "/" + approval.callId(), root.resourceId(), true);
    }

    /** Return whether a thread of a resource may be opened. */
    public boolean mayOpenThread(String threadId, @Nullable String resourceId, boolean changes) {
        return check == null || allows(Kind.THREAD, threadId, Optional.ofNullable(resourceId), changes);
    }

    /** Return whether what agents remember of a scope may be opened. */
    public boolean mayOpenMemory(ScopeRef where, boolean changes) {
        String resourceId = where.owner().resourceId();
        return where.threadId() != null
                ? mayOpenThread(where.threadId(), resourceId, changes)
                : check == null
                        || allows(
                                Kind.MEMORY,
                                resourceId == null ? "" : resourceId,
                                Optional.ofNullable(resourceId),
                                changes);
    }

    /** Return a page of the runs that may be read. */
    public List<RunRecord> list(RunFilter filter) {
        List<RunRecord> page = environment.store().list(filter);
        if (check == null) {
            return page;
        }
        List<RunRecord> found = new ArrayList<>();
        while (true) {
            page.stream().filter(run -> mayOpen(run, false)).forEach(found::add);
            if (page.size() < filter.limit() || found.size() >= filter.limit()) {
                return List.copyOf(found.subList(0, Math.min(found.size(), filter.limit())));
            }
            page = environment.store().list(filter.before(page.getLast().runId()));
        }
    }

    /** Return a page of the calls that wait for an answer, of those runs that may be read. */
    public List<PendingApproval> pending(WaitingFilter filter) {
        Map<RunId, Boolean> readable = new HashMap<>();
        List<PendingApproval> found = new ArrayList<>();
        WaitingFilter next = filter;
        while (true) {
            List<Listed> page = environment.store().waiting(next);
            for (Listed each : page) {
                Json description = each.call().description(); // of a damaged run null, which was logged
                if (description != null
                        && found.size() < filter.limit()
                        && readable.computeIfAbsent(each.rootRunId(), root -> mayRead(root, each.resourceId()))) {
                    found.add(PendingApproval.fromJson(description));
                }
            }
            if (page.size() < filter.limit() || found.size() == filter.limit()) {
                return List.copyOf(found);
            }
            next = filter.after(page.getLast().position());
        }
    }

    private boolean mayRead(RunId root, @Nullable String resourceId) {
        return check == null || allows(Kind.RUN, root.value(), Optional.ofNullable(resourceId), false);
    }

    /** Return the error of a call for a run that is missing, or that may not be opened. */
    public static StoreException missing(RuntimeEnvironment environment, RunId runId) {
        return new StoreException(
                StoreException.Kind.NOT_FOUND,
                "There is no run " + runId + " in the store."
                        + (environment.forgetsEndedRuns()
                                ? " The store in memory forgets a run when it ends; use InMemoryStore.keepingEndedRuns() or a"
                                        + " JdbcStore to read it later."
                                : ""),
                null);
    }

    private boolean allows(Kind kind, String id, Optional<String> resourceId, boolean changes) {
        AccessCheck asked = check;
        Access access = new Access(environment.tenantId(), kind, id, resourceId, changes);
        BoundedCalls callouts = environment.callouts().with(CallerContext.capture(environment.propagators()));
        try {
            return asked == null
                    || callouts.call(
                            CallSite.of(CallInfo.Kind.HOOK, "accessCheck"),
                            LIMIT,
                            new Cancellation(),
                            () -> asked.mayAccess(access));
        } catch (BoundedCalls.TimedOutException | BoundedCalls.ThrewException e) {
            LOG.warn("{} {}: access is denied, because the access check did not answer: {}", kind, id, e.getMessage());
            return false;
        }
    }
}
