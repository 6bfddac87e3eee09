package dev.chargehand.store;

import dev.chargehand.background.TaskLink;
import dev.chargehand.error.StoreException;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What appends change about background tasks, and about the turns of until-idle calls, in memory. Used under the store's lock. */
final class MemoryTasks {

    private MemoryTasks() {}

    /**
     * Reject an append that starts a task of a run which has ended or is cancelled, or that gives a result to a model which another run
     * has given already.
     *
     * @param runs finds a run of the tenant
     */
    static void require(List<Append> appends, Function<RunId, @Nullable MemoryRun> runs) {
        for (Append append : appends) {
            append.newRun()
                    .flatMap(RunRecord::task)
                    .filter(task -> task.attempt() == 1)
                    .ifPresent(task -> requireOpen(task, runs.apply(task.originRunId())));
            for (RunId task : append.results()) {
                MemoryRun run = runs.apply(task);
                if (run == null || run.record.task().filter(TaskLink::isUnread).isEmpty()) {
                    throw new StoreException(
                            StoreException.Kind.ALREADY_READ,
                            "The result of task " + task + " has been read by another run than " + append.runId() + ".",
                            null);
                }
            }
        }
    }

    private static void requireOpen(TaskLink task, @Nullable MemoryRun origin) {
        if (origin == null || origin.record.status().isEnded()) {
            throw new StoreException(
                    StoreException.Kind.FENCED,
                    "Task " + task.taskId() + " does not start, because run " + task.originRunId()
                            + " has ended or is missing.",
                    null);
        }
        if (origin.isToBeCancelled()) {
            throw new StoreException(
                    StoreException.Kind.DELIVERED,
                    "Task " + task.taskId() + " does not start, because run " + task.originRunId() + " is cancelled.",
                    null);
        }
    }

    /** Note which run has read results. */
    static void read(Append append, Map<RunId, MemoryRun> runs) {
        for (RunId task : append.results()) {
            MemoryRun run = Objects.requireNonNull(runs.get(task));
            run.record = run.record.task(run.record.task().orElseThrow().readBy(append.rootRunId()));
        }
    }

    /** Store the result of a task in its thread, if that exists, and the position of the result. */
    static void end(Append append, Append.TaskEnd end, Map<RunId, MemoryRun> runs, MemoryThreads threads) {
        ThreadAppend message = end.message();
        MemoryRun task = runs.get(end.taskId());
        threads.find(message.threadId())
                .filter(thread -> thread.owner().equals(message.owner()) && task != null)
                .ifPresent(thread -> {
                    threads.append(message, append.at());
                    MemoryRun first = Objects.requireNonNull(task);
                    first.record =
                            first.record.task(first.record.task().orElseThrow().ended(thread.length()));
                });
    }

    /** Return whether a run is to be submitted: a turn has to have something to read, and one waits at most. */
    static boolean isDue(Append.Next next, List<RunRecord> runs) {
        RunId before = next.turnAfter();
        Optional<String> thread = next.start().newRun().orElseThrow().threadId();
        return before == null
                || (runs.stream()
                                .noneMatch(run ->
                                        isPendingTurn(run) && run.threadId().equals(thread))
                        && runs.stream().anyMatch(run -> run.runId().equals(before) && hasAnswered(run.status()))
                        && runs.stream().anyMatch(run -> run.untilIdle().isPresent() && isUnread(run, thread)));
    }

    private static boolean isPendingTurn(RunRecord run) {
        return run.status() == RunStatus.PENDING
                && run.untilIdle().isPresent()
                && run.task().isEmpty();
    }

    private static boolean hasAnswered(RunStatus status) {
        return status == RunStatus.COMPLETED || status == RunStatus.INCOMPLETE;
    }

    private static boolean isUnread(RunRecord run, Optional<String> thread) {
        return run.task()
                .filter(TaskLink::isUnread)
                .map(TaskLink::originThreadId)
                .equals(thread);
    }

    /** Return the root runs that have ended and that nothing needs any more after appends to a tree. */
    static List<MemoryRun> over(MemoryRun root, List<Append> appends, Supplier<Stream<MemoryRun>> runs) {
        if (isAlone(root, appends)) {
            return root.record.status().isEnded() ? List.of(root) : List.of();
        }
        List<MemoryRun> roots = runs.get().filter(run -> run.record.isRoot()).toList();
        return roots.stream()
                .filter(run -> roots.stream().noneMatch(other -> keeps(other.record, run.record)))
                .toList();
    }

    /** Return whether a tree has nothing to do with background tasks. */
    private static boolean isAlone(MemoryRun root, List<Append> appends) {
        if (root.record.task().isPresent() || root.record.untilIdle().isPresent()) {
            return false;
        }
        for (Append append : appends) {
            if (!append.results().isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Return whether a run is on a thread, or is an attempt of a task of a run of the thread. */
    static boolean isOf(String threadId, RunRecord run, Map<RunId, MemoryRun> runs) {
        return run.threadId().equals(Optional.of(threadId)) || depthUnder(threadId, run, runs) > 0;
    }

    /**
     * Return how far a run is from the run on a thread that has started it as a task, which makes it a run of that thread: 1, and more for
     * tasks of tasks; 0 for another run.
     */
    static int depthUnder(String threadId, RunRecord run, Map<RunId, MemoryRun> runs) {
        int depth = 1;
        TaskLink task = run.task().orElse(null);
        while (task != null && !task.originThreadId().equals(threadId)) {
            MemoryRun origin = runs.get(task.originRunId());
            task = origin == null ? null : origin.record.task().orElse(null);
            depth++;
        }
        return task == null ? 0 : depth;
    }

    /** Return whether a run that has not ended belongs to the same task or until-idle call as another. */
    static boolean isNeeded(RunRecord run, Stream<MemoryRun> runs) {
        return (run.task().isPresent() || run.untilIdle().isPresent())
                && runs.anyMatch(other -> !other.record.status().isEnded() && belongTogether(other.record, run));
    }

    private static boolean belongTogether(RunRecord run, RunRecord other) {
        return (run.untilIdle().isPresent() && run.untilIdle().equals(other.untilIdle()))
                || (run.task().isPresent()
                        && run.task().map(TaskLink::taskId).equals(other.task().map(TaskLink::taskId)));
    }

    /** Return whether one root run keeps another: itself, an attempt of its task, or what belongs to its until-idle call. */
    private static boolean keeps(RunRecord run, RunRecord other) {
        boolean together = run.runId().equals(other.runId()) || belongTogether(run, other);
        boolean unread = run.task()
                .filter(task -> task.taskId().equals(run.runId()) && task.readBy() == null)
                .isPresent();
        return together && (!run.status().isEnded() || unread);
    }
}
