package dev.chargehand.internal.engine.threads;

import dev.chargehand.background.TaskFilter;
import dev.chargehand.background.TaskLink;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.engine.lease.RunPages;
import dev.chargehand.internal.state.Transcript;
import dev.chargehand.memory.Forgotten;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.deletion.Deletion;
import dev.chargehand.thread.ThreadOwner;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Deletes threads, messages and all data of a resource, in steps that others do not wait for. Thread-safe. */
public final class StoredDeletions {

    /** Few, so that a writer that waits for their transaction does not wait for long. */
    private static final int AT_ONCE = 10;

    /** How long cancelled runs have to end. */
    private static final Duration ENDING = Duration.ofSeconds(30);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

    private static final RunFilter OPEN =
            RunFilter.ALL.statuses(RunStatus.PENDING, RunStatus.RUNNING, RunStatus.SUSPENDED);

    private final Engine engine;
    private final Consumer<RunId> canceller;

    /**
     * Make it for a tenant.
     *
     * @param canceller cancels a root run, which may end later
     */
    public StoredDeletions(Engine engine, Consumer<RunId> canceller) {
        this.engine = engine;
        this.canceller = canceller;
    }

    private Store store() {
        engine.requireOpen();
        return engine.store();
    }

    /** Check the options of a deletion that an application returned. */
    static <T> T given(@Nullable T options) {
        if (options == null) {
            throw new ConfigurationException(
                    "The options of a deletion are null; return what they are given, changed or as it is.");
        }
        return options;
    }

    /** Delete a thread; returns whether it existed, or runs of it. */
    boolean delete(ThreadOwner owner, String threadId, boolean cancelsRuns, boolean includesRuns) {
        prepare(owner, threadId, cancelsRuns);
        long runs = includesRuns ? allRuns(limit -> new Deletion.RunsOfThread(threadId, owner, limit)) : 0;
        boolean existed = store().deleteThread(threadId, owner);
        return existed || runs > 0;
    }

    /** Delete messages of a thread; returns how many it has deleted. */
    int deleteMessages(ThreadOwner owner, String threadId, Collection<String> messageIds, boolean cancelsRuns) {
        prepare(owner, threadId, cancelsRuns);
        Set<RunId> runs = messageIds.stream()
                .flatMap(message -> Transcript.runOfInput(message).stream())
                .collect(Collectors.toSet());
        return store().delete(new Deletion.MessagesOfThread(threadId, owner, Set.copyOf(messageIds), runs));
    }

    /** Delete all that belongs to a resource. */
    Forgotten forget(String resourceId, boolean cancelsRuns) {
        if (cancelsRuns) {
            cancel(() -> open(OPEN.resource(resourceId)));
        }
        long runs = allRuns(limit -> new Deletion.RunsOfResource(resourceId, limit));
        long threads = all(limit -> new Deletion.ThreadsOfResource(resourceId, limit));
        long memories = store().delete(new Deletion.MemoryOfResource(resourceId));
        int ignored = store().delete(new Deletion.Remains());
        return new Forgotten(runs, threads, memories);
    }

    private void prepare(ThreadOwner owner, String threadId, boolean cancelsRuns) {
        var ignored = store().readThread(threadId, owner, 0, 0); // refuses a thread of another owner
        if (cancelsRuns) {
            RunFilter open = owner.resourceId() == null ? OPEN : OPEN.resource(owner.resourceId());
            Supplier<Stream<RunRecord>> tasks =
                    () -> open(open.tasks(TaskFilter.ALL)).filter(task -> isTaskOf(threadId, task));
            // Tasks twice: the end of one may start a run of the thread, and a run that ends may have started one.
            cancel(() ->
                    Stream.of(tasks, () -> open(open.thread(threadId)), tasks).flatMap(Supplier::get));
        }
    }

    private Stream<RunRecord> open(RunFilter filter) {
        return RunPages.all(store()::list, filter).stream();
    }

    /** Return whether a thread receives the result of a task, or that of the task which has started it. */
    private boolean isTaskOf(String threadId, RunRecord run) {
        TaskLink task = run.task().orElse(null);
        while (task != null && !task.originThreadId().equals(threadId)) {
            task = store().find(task.originRunId()).flatMap(RunRecord::task).orElse(null);
        }
        return task != null;
    }

    /**
     * Cancel the root runs of open runs, and wait until they have ended, or the time is over. Runs that they start until then are cancelled
     * too: the end of a task may start a turn.
     */
    private void cancel(Supplier<Stream<RunRecord>> open) {
        Store store = store();
        Set<RunId> cancelled = new HashSet<>();
        long startedAt = engine.environment().time().nanoTime();
        long seen = 0;
        while (true) {
            Set<RunId> roots =
                    open.get().map(RunRecord::rootRunId).collect(Collectors.toCollection(LinkedHashSet::new));
            roots.stream().filter(cancelled::add).forEach(canceller);
            if (roots.isEmpty()
                    || engine.environment().time().nanoTime() - startedAt >= ENDING.toNanos()
                    || Thread.currentThread().isInterrupted()) {
                return;
            }
            seen = store.awaitChange(seen, BETWEEN_LOOKS);
        }
    }

    private long allRuns(IntFunction<Deletion> page) {
        engine.environment().forgotten().drop();
        return all(page);
    }

    private long all(IntFunction<Deletion> page) {
        long deleted = 0;
        int last;
        do {
            last = store().delete(page.apply(AT_ONCE));
            deleted += last;
        } while (last > 0);
        return deleted;
    }
}
