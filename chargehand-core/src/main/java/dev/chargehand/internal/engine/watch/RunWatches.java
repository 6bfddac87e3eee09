package dev.chargehand.internal.engine.watch;

import dev.chargehand.background.TaskFilter;
import dev.chargehand.background.TaskLink;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.event.BackgroundTaskEvent;
import dev.chargehand.event.Cursor;
import dev.chargehand.event.RunsCursor;
import dev.chargehand.event.RunsWatch;
import dev.chargehand.internal.engine.AccessGate;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Opens readers of several root runs of a tenant. Thread-safe. */
public final class RunWatches {

    private static final int PAGE = 1_000;

    private final Engine engine;
    private final AccessGate access;

    /** Make it for a tenant. */
    public RunWatches(Engine engine, AccessGate access) {
        this.engine = engine;
        this.access = access;
    }

    /** Open a reader of background tasks. */
    public RunsWatch tasks(TaskFilter filter, @Nullable RunsCursor after) {
        engine.requireOpen();
        if (filter.unread()) {
            throw new ConfigurationException("Filter '" + filter + "' selects unread results, and a result that is read"
                    + " would leave it. Watch the tasks without unread(true).");
        }
        return open(
                new WatchedRuns(
                        filter.toString(),
                        List.of(RunFilter.ROOTS.tasks(filter)),
                        run -> access.mayOpen(run, false),
                        (run, event) -> true),
                after);
    }

    /** Open a reader of a thread. */
    public RunsWatch thread(ThreadOwner owner, String threadId, @Nullable RunsCursor after) {
        return open(ofThread(owner, threadId), after);
    }

    /** Open a reader of the runs of a thread that have not ended, and of those that follow. */
    public RunsWatch threadFromNow(ThreadOwner owner, String threadId) {
        WatchedRuns runs = ofThread(owner, threadId);
        Instant from = engine.now().minus(ReadPlaces.LATE);
        Map<RunId, Optional<Cursor>> open = new HashMap<>();
        Set<RunId> ended = new HashSet<>();
        for (RunFilter filter : runs.filters()) {
            list(filter.statuses(RunStatus.PENDING, RunStatus.RUNNING, RunStatus.SUSPENDED))
                    .forEach(run -> open.put(run.runId(), Optional.empty()));
            list(filter.startedFrom(from)).stream()
                    .filter(run -> run.status().isEnded() && !open.containsKey(run.runId()))
                    .forEach(run -> ended.add(run.runId()));
        }
        return open(runs, new RunsCursor(runs.name(), from, open, ended));
    }

    private List<RunRecord> list(RunFilter filter) {
        List<RunRecord> all = new ArrayList<>();
        List<RunRecord> page = engine.store().list(filter.limit(PAGE));
        while (!page.isEmpty()) {
            all.addAll(page);
            page = page.size() < PAGE
                    ? List.of()
                    : engine.store()
                            .list(filter.limit(PAGE).before(page.getLast().runId()));
        }
        return all;
    }

    private WatchedRuns ofThread(ThreadOwner owner, String threadId) {
        engine.requireOpen();
        Optional<ThreadRecord> thread = engine.store().findThread(threadId);
        boolean isOwn = thread.map(found -> found.owner().equals(owner)).orElse(true);
        if (!isOwn || !access.mayOpenThread(threadId, owner.resourceId(), false)) {
            throw new ThreadOwnershipException(threadId);
        }
        return new WatchedRuns(
                "thread '" + threadId + "' of " + owner,
                List.of(RunFilter.ROOTS.thread(threadId), RunFilter.ROOTS.tasks(TaskFilter.ofThread(threadId))),
                run -> isOf(owner, threadId, run),
                (run, event) -> isOn(threadId, run) || event instanceof BackgroundTaskEvent);
    }

    private boolean isOf(ThreadOwner owner, String threadId, RunRecord run) {
        Store store = engine.store();
        Optional<String> resource = isOn(threadId, run)
                ? run.resourceId()
                : run.task()
                        .map(TaskLink::originRunId)
                        .flatMap(store::find)
                        .flatMap(origin -> store.find(origin.rootRunId()))
                        .flatMap(RunRecord::resourceId);
        return resource.equals(Optional.ofNullable(owner.resourceId()));
    }

    private static boolean isOn(String threadId, RunRecord run) {
        return run.threadId().filter(threadId::equals).isPresent();
    }

    private RunsWatch open(WatchedRuns runs, @Nullable RunsCursor after) {
        if (engine.environment().forgetsEndedRuns()) {
            throw new ConfigurationException("The store in memory forgets a run when it ends, so " + runs.name()
                    + " cannot be watched without gaps. Use InMemoryStore.keepingEndedRuns() or a store in a database; watch(runId) reads a"
                    + " run that has not ended.");
        }
        if (after != null && !after.of().equals(runs.name())) {
            throw new IllegalArgumentException("The cursor is of " + after.of() + ", not of " + runs.name()
                    + "; use one of a reader of the same runs.");
        }
        return new MergedWatch(engine, runs, after);
    }
}
