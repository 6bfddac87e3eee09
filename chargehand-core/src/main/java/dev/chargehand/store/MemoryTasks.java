package dev.chargehand.store;

import dev.chargehand.background.TaskFilter;
import dev.chargehand.background.TaskLink;
import dev.chargehand.error.StoreException;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What appends change about background tasks, and about the turns of until-idle calls, in memory. Used under the store's lock. */
final class MemoryTasks {

    private MemoryTasks() {}

    /** Reject an append that gives a result to a model which another run has given already. */
    static void requireUnread(List<Append> appends, Map<RunId, MemoryRun> runs) {
        for (Append append : appends) {
            for (RunId task : append.results()) {
                MemoryRun run = runs.get(task);
                TaskLink link = run == null ? null : run.record.task().orElse(null);
                if (link == null || !link.isUnread()) {
                    throw new StoreException(
                            StoreException.Kind.ALREADY_READ,
                            "The result of task " + task + " has been read by another run than " + append.runId() + ".",
                            null);
                }
            }
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
                .filter(thread -> thread.owner().equals(message.owner()))
                .filter(ignored -> task != null)
                .ifPresent(thread -> {
                    threads.append(message, append.at());
                    MemoryRun first = Objects.requireNonNull(task);
                    first.record =
                            first.record.task(first.record.task().orElseThrow().ended(thread.length()));
                });
    }

    /** Return whether a run is to be submitted: a turn has to have something to read, and only one waits on a thread. */
    static boolean isDue(Append.Next next, Supplier<Stream<MemoryRun>> runs) {
        RunId before = next.turnAfter();
        if (before == null) {
            return true;
        }
        Optional<String> thread = next.start().newRun().orElseThrow().threadId();
        TaskFilter unread = TaskFilter.ofThread(thread.orElseThrow()).unread(true);
        List<RunRecord> calls = runs.get()
                .map(run -> run.record)
                .filter(run -> run.untilIdle().isPresent())
                .toList();
        boolean waits = calls.stream()
                .anyMatch(run -> run.status() == RunStatus.PENDING
                        && run.task().isEmpty()
                        && run.threadId().equals(thread));
        return !waits
                && calls.stream().anyMatch(run -> run.runId().equals(before) && hasAnswered(run.status()))
                && calls.stream().anyMatch(run -> unread.matches(run.task().orElse(null)));
    }

    private static boolean hasAnswered(RunStatus status) {
        return status == RunStatus.COMPLETED || status == RunStatus.INCOMPLETE;
    }

    /**
     * Return the root runs that have ended and are not needed any more after appends: a task until its result is read, and the turns
     * and tasks of an until-idle call as long as one of them is.
     *
     * @param changed the root run of the appends
     * @param ofTenant gives all runs of the tenant
     */
    static List<MemoryRun> endedNotNeeded(
            MemoryRun changed, List<Append> appends, Supplier<Stream<MemoryRun>> ofTenant) {
        List<RunId> read =
                appends.stream().flatMap(append -> append.results().stream()).toList();
        boolean ended = changed.record.status().isEnded();
        boolean alone =
                changed.record.task().isEmpty() && changed.record.untilIdle().isEmpty();
        if (read.isEmpty() && (!ended || alone)) {
            return ended ? List.of(changed) : List.of();
        }
        List<MemoryRun> runs = ofTenant.get().toList();
        return runs.stream()
                .filter(run -> run == changed || belongsTo(run, changed.record) || isAttemptOf(run, read))
                .filter(run -> run.record.isRoot() && isOver(run, runs))
                .toList();
    }

    private static boolean belongsTo(MemoryRun run, RunRecord changed) {
        return changed.untilIdle().isPresent() && changed.untilIdle().equals(run.record.untilIdle());
    }

    private static boolean isAttemptOf(MemoryRun run, List<RunId> tasks) {
        return run.record.task().filter(task -> tasks.contains(task.taskId())).isPresent();
    }

    private static boolean isOver(MemoryRun run, List<MemoryRun> runs) {
        return run.record.untilIdle().isEmpty()
                ? !isNeeded(run, runs)
                : runs.stream().filter(other -> belongsTo(other, run.record)).noneMatch(other -> isNeeded(other, runs));
    }

    /** Only the first attempt of a task says whether its result was read. */
    private static boolean isNeeded(MemoryRun run, List<MemoryRun> runs) {
        return !run.record.status().isEnded()
                || run.record.task().stream().anyMatch(task -> runs.stream()
                        .map(other -> other.record)
                        .anyMatch(first -> first.runId().equals(task.taskId())
                                && first.task().orElseThrow().readBy() == null));
    }
}
