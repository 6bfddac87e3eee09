package dev.chargehand.internal.engine.idle;

import dev.chargehand.background.Task;
import dev.chargehand.internal.engine.background.StoredTasks;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The turns and tasks of an until-idle call as the store has them at one moment.
 *
 * @param turns the turns, those that have ended too, the oldest first
 * @param attempts the runs of tasks, the oldest first
 * @param tasks all tasks that the store has
 * @param waiting the suspended runs that wait for an answer from outside; others are about to be resumed, or wait for a time
 */
record IdleLook(List<RunRecord> turns, List<RunRecord> attempts, List<Task> tasks, Set<RunId> waiting) {

    private static final int MOST = 1000;

    /** Read it; return nothing if the runtime is closed. */
    static Optional<IdleLook> ifOpen(OtherProcesses others, Store store, RunId first) {
        if (!others.isOpen()) {
            return Optional.empty();
        }
        try {
            return Optional.of(at(store, first));
        } catch (RuntimeException e) {
            if (others.isOpen()) {
                throw e;
            }
            return Optional.empty(); // it was closed in between
        }
    }

    /**
     * Read it; the end of a task stores the next turn with it, so one read sees the task or the turn. Answers are read before:
     * a run that has been resumed since is not suspended any more.
     */
    private static IdleLook at(Store store, RunId first) {
        RunFilter call = RunFilter.ROOTS.untilIdle(first).limit(MOST);
        Set<RunId> answered = store.list(call.statuses(RunStatus.SUSPENDED).woken(true)).stream()
                .map(RunRecord::runId)
                .collect(Collectors.toUnmodifiableSet());
        List<RunRecord> turns = new ArrayList<>();
        List<RunRecord> attempts = new ArrayList<>();
        for (RunRecord run : store.list(call)) {
            if (run.task().isPresent()) {
                attempts.add(run);
            } else {
                turns.addFirst(run);
            }
        }
        Set<RunId> waiting = Stream.concat(turns.stream(), attempts.stream())
                .filter(run -> run.status() == RunStatus.SUSPENDED && !answered.contains(run.runId()))
                .map(RunRecord::runId)
                .filter(run -> store.waiting(run).stream()
                        .anyMatch(wait -> wait.kind().answer().isPresent()))
                .collect(Collectors.toUnmodifiableSet());
        return new IdleLook(turns, attempts.reversed(), StoredTasks.of(attempts), waiting);
    }

    /**
     * Cancel what has not ended, turns first, until a look shows nothing else: a turn that is cancelled starts no more tasks, but may
     * have started one since the look before, and the end of a task submits a turn.
     */
    static void cancelAll(Supplier<Optional<IdleLook>> look, OtherProcesses others) {
        Set<RunId> cancelled = new HashSet<>();
        Optional<IdleLook> now = look.get();
        while (now.isPresent() && now.get().cancel(others, cancelled)) {
            now = look.get();
        }
    }

    /** Cancel what has not ended and was not cancelled; returns whether there was anything. */
    private boolean cancel(OtherProcesses others, Set<RunId> cancelled) {
        List<RunId> open = Stream.concat(turns.stream(), attempts.stream())
                .filter(run -> !run.status().isEnded())
                .map(RunRecord::runId)
                .filter(cancelled::add)
                .toList();
        open.forEach(others::cancel);
        return !open.isEmpty();
    }

    /** Return whether something is executed or is about to be. */
    boolean works() {
        return Stream.concat(turns.stream(), attempts.stream()).anyMatch(this::works);
    }

    private boolean works(RunRecord run) {
        return !run.status().isEnded() && !waiting.contains(run.runId());
    }

    /** Return whether something waits for an answer from outside. */
    boolean waits() {
        return Stream.concat(turns.stream(), attempts.stream())
                .anyMatch(run -> !run.status().isEnded());
    }

    /** Return whether a result has no reader to come: the turn that would have been followed by one was deleted. */
    boolean hasResultOfDeletedTurn() {
        Set<RunId> stored = Stream.concat(turns.stream(), attempts.stream())
                .map(RunRecord::runId)
                .collect(Collectors.toUnmodifiableSet());
        return tasks.stream()
                .anyMatch(task ->
                        task.status().isEnded() && task.readBy().isEmpty() && !stored.contains(task.originRunId()));
    }
}
