package dev.chargehand.server.internal.wire.mastra.thread;

import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.run.RunStatus;
import dev.chargehand.server.Principal;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.server.internal.wire.mastra.memory.CallerThreads;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.thread.ThreadRecord;
import java.util.List;
import java.util.Optional;

/** Finds the threads that requests name by {@code threadId} and {@code resourceId}, and their runs. Thread-safe. */
public final class ThreadRuns {

    private static final int MOST = 1_000;

    private final WireRuns runs;
    private final CallerThreads threads;

    /** Make it. */
    public ThreadRuns(WireRuns runs, CallerThreads threads) {
        this.runs = runs;
        this.threads = threads;
    }

    /**
     * A thread, which may be missing.
     *
     * @param resource its owner
     * @param clientId the id that the request has
     * @param threadId the id under which it is stored, or will be
     */
    public record Place(Optional<String> resource, String clientId, String threadId) {}

    /** Return the thread of a request. The id of a thread of others is that of a missing one. */
    public Place place(Call call, Body body) {
        String id = body.requiredId("threadId");
        Principal principal = call.principal();
        Optional<String> resource =
                Owners.resource(principal, body.id("resourceId").orElse(null));
        Optional<ThreadRecord> found;
        try {
            found = threads.find(call, resource, id);
        } catch (ThreadOwnershipException e) {
            found = Optional.empty();
        }
        return found.map(thread -> new Place(Optional.ofNullable(thread.owner().resourceId()), id, thread.threadId()))
                .orElseGet(() -> new Place(resource, id, Owners.mapped(principal, resource, id)));
    }

    /** Return the run that is executed on a thread, or the one that is executed next. */
    public Optional<RunRecord> active(Call call, Place place) {
        List<RunRecord> pending = of(call, place, RunStatus.PENDING); // first: one that starts now is seen below
        return of(call, place, RunStatus.RUNNING).stream().findFirst().or(() -> pending.reversed().stream()
                .findFirst());
    }

    /** Return the runs of a thread whose calls may wait, the newest first: also one of which other calls are executed. */
    List<RunRecord> waiting(Call call, Place place) {
        return of(call, place, RunStatus.SUSPENDED, RunStatus.RUNNING);
    }

    /** Return the runs of a thread that have not ended, the newest first. */
    public List<RunRecord> open(Call call, Place place) {
        return of(call, place, RunStatus.PENDING, RunStatus.RUNNING, RunStatus.SUSPENDED);
    }

    private List<RunRecord> of(Call call, Place place, RunStatus... statuses) {
        return runs
                .runtime(call.principal())
                .runs(RunFilter.ROOTS
                        .thread(place.threadId())
                        .statuses(statuses)
                        .limit(MOST))
                .stream()
                .filter(run -> run.resourceId().equals(place.resource()))
                .toList();
    }
}
