package dev.chargehand.internal.engine.background;

import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.background.TaskLink;
import dev.chargehand.error.TaskUnknownException;
import dev.chargehand.internal.engine.AccessGate;
import dev.chargehand.internal.engine.task.TaskStates;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.run.Usage;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.RunSummary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The background tasks of a tenant: each is read from the runs of its attempts. Thread-safe. */
public final class StoredTasks {

    private static final int PAGE = 1000;

    private final AccessGate access;

    /** Make it for a tenant. */
    public StoredTasks(AccessGate access) {
        this.access = access;
    }

    /** Return tasks that the caller may read, the newest first; at most 1,000 attempts are looked at. */
    public List<Task> list(TaskFilter filter) {
        return of(access.list(RunFilter.ROOTS.tasks(filter).limit(PAGE)));
    }

    /** Return the tasks that runs are attempts of. */
    public static List<Task> of(List<RunRecord> runs) {
        Map<RunId, List<RunRecord>> attempts = new LinkedHashMap<>();
        for (RunRecord run : runs) {
            attempts.computeIfAbsent(run.task().orElseThrow().taskId(), id -> new ArrayList<>(1))
                    .add(run);
        }
        return attempts.values().stream().map(StoredTasks::task).toList();
    }

    /**
     * Return a task.
     *
     * @param taskId its id, or the id of a run of one of its attempts
     * @throws TaskUnknownException if it is missing, or may not be read
     */
    public Task require(RunId taskId) {
        return list(TaskFilter.attemptsOf(taskId)).stream()
                .findFirst()
                .orElseThrow(() -> new TaskUnknownException("There is no background task " + taskId
                        + " in the store. tasks(TaskFilter) lists those that exist; a store in memory forgets a task when its"
                        + " result has been read."));
    }

    /** Make a task of the runs of its attempts, in any order. */
    private static Task task(List<RunRecord> attempts) {
        RunRecord last = attempts.getFirst();
        TaskLink first = last.task().orElseThrow();
        for (RunRecord run : attempts) {
            TaskLink link = run.task().orElseThrow();
            last = link.attempt() > last.task().orElseThrow().attempt() ? run : last;
            first = link.attempt() < first.attempt() ? link : first;
        }
        TaskLink link = last.task().orElseThrow();
        RunId reader = first.readBy();
        return new Task(
                reader == null ? link : link.readBy(reader),
                last.runId(),
                last.agentId(),
                TaskStates.statusOf(last.status(), isTimedOut(last)),
                last.summary().map(RunSummary::usage).orElse(Usage.NONE),
                last.startedAt(),
                last.updatedAt());
    }

    private static boolean isTimedOut(RunRecord run) {
        return run.summary()
                .flatMap(RunSummary::stop)
                .flatMap(stop -> stop.at("/which"))
                .flatMap(Json::string)
                .filter(TimeLimit.TASK.key()::equals)
                .isPresent();
    }
}
