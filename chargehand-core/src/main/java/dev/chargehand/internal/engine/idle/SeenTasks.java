package dev.chargehand.internal.engine.idle;

import dev.chargehand.background.Task;
import dev.chargehand.run.RunId;
import dev.chargehand.run.Usage;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.RunSummary;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The tasks of an until-idle call as they were seen last; the store may have forgotten some. Thread-safe. */
final class SeenTasks {

    private final Map<RunId, Task> tasks = new LinkedHashMap<>();

    /** What each attempt has used, by its run. */
    private final Map<RunId, Attempt> attempts = new LinkedHashMap<>();

    private record Attempt(String agentId, Usage usage) {}

    synchronized void add(Task task) {
        tasks.put(task.id(), task);
        attempts.put(task.runId(), new Attempt(task.agentId(), task.usage()));
    }

    synchronized void addAll(IdleLook look) {
        for (RunRecord run : look.attempts()) {
            Usage usage = run.summary().map(RunSummary::usage).orElse(Usage.NONE);
            attempts.put(run.runId(), new Attempt(run.agentId(), usage));
        }
        look.tasks().stream().sorted(Comparator.comparing(Task::startedAt)).forEach(task -> tasks.put(task.id(), task));
    }

    /** Return what all attempts have used, by the agent or workflow that the task was given to. */
    synchronized Map<String, Usage> usageByAgent() {
        Map<String, Usage> usage = new LinkedHashMap<>();
        attempts.values().forEach(attempt -> usage.merge(attempt.agentId(), attempt.usage(), Usage::plus));
        return usage;
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
