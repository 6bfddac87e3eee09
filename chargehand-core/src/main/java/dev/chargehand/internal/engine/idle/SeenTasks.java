package dev.chargehand.internal.engine.idle;

import dev.chargehand.background.Task;
import dev.chargehand.run.RunId;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The tasks of an until-idle call as they were seen last; the store may have forgotten some. Thread-safe. */
final class SeenTasks {

    private final Map<RunId, Task> tasks = new LinkedHashMap<>();

    synchronized void add(Task task) {
        tasks.put(task.id(), task);
    }

    synchronized void addAll(List<Task> stored) {
        stored.stream().sorted(Comparator.comparing(Task::startedAt)).forEach(task -> tasks.put(task.id(), task));
    }

    synchronized int count() {
        return tasks.size();
    }

    /** Return whether the last run of any task is of a kind. */
    synchronized boolean anyRun(Predicate<RunId> kind) {
        return tasks.values().stream().anyMatch(task -> kind.test(task.runId()));
    }

    synchronized List<Task> all() {
        return List.copyOf(tasks.values());
    }
}
