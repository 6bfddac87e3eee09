package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.RunHandle;
import dev.chargehand.TenantRuntime;
import dev.chargehand.error.StoreException;
import dev.chargehand.run.RunId;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.wire.StartWish;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.server.internal.wire.branch.Branches;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import java.util.List;
import java.util.Optional;

/**
 * A response that continues another one. The first that does is in its thread. Each further one is in a copy of the thread, which ends with
 * the response that it continues.
 */
final class Continuation {

    private static final int AT_ONCE = 100;

    private final WireRuns runs;
    private final Call call;
    private final RunRecord previous;
    private final TenantRuntime runtime;

    Continuation(WireRuns runs, Call call, RunRecord previous) {
        this.runs = runs;
        this.call = call;
        this.previous = previous;
        this.runtime = runs.runtime(call.principal());
    }

    RunHandle start(StartWish wish) {
        Optional<RunId> repeated = runs.repeated(call, wish);
        if (repeated.isPresent()) {
            return runs.start(call, wish.thread(threadOf(repeated.get())));
        }
        Branches branches = new Branches(
                runtime.threads(),
                Owners.owner(
                        Owners.resource(call.principal(), previous.resourceId().orElse(null))));
        Optional<String> copy = previous.threadId()
                .filter(this::isContinued)
                .flatMap(thread -> branches.after(thread, Optional.of(previous.runId())));
        return copy.map(thread -> branches.started(thread, () -> runs.start(call, wish.thread(copy))))
                .orElseGet(() -> runs.start(call, wish.thread(previous.threadId())));
    }

    private Optional<String> threadOf(RunId run) {
        return runtime.findRun(run).flatMap(RunRecord::threadId);
    }

    /** Return whether a response continues the previous one. Other runs of the thread, such as turns of background tasks, do not. */
    private boolean isContinued(String thread) {
        RunFilter from = RunFilter.ROOTS.thread(thread).limit(AT_ONCE);
        List<RunRecord> page = runtime.runs(from);
        while (!page.isEmpty()) {
            for (RunRecord run : page) {
                if (run.runId().equals(previous.runId())) {
                    return false;
                }
                if (continues(run)) {
                    return true;
                }
            }
            page = runtime.runs(from.before(page.getLast().runId()));
        }
        return false;
    }

    private boolean continues(RunRecord run) {
        try {
            return ResponseFields.continues(runtime.metadata(run.runId()), previous.runId());
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.NOT_FOUND) {
                return false; // it was deleted just now, with what it has said
            }
            throw e;
        }
    }
}
