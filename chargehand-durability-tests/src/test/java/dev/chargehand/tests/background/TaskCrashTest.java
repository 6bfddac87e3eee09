package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Wakeups;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.background.TaskStatus;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.run.RunId;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.TestRuntime;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A process that is gone between any two facts of a run and of its background task. Another process continues both: there is one
 * task, one result in the thread, and one run that reads it.
 */
@Timeout(120)
class TaskCrashTest {

    /** More appends than a run and its task make. */
    private static final int MANY = 200;

    @Test
    void aRunAndItsTaskEndAsUndisturbed() {
        FaultyStore counted = FaultyStore.over(InMemoryStore.keepingEndedRuns());
        try (TestRuntime test =
                TaskFixture.runtime(counted, TaskFixture.script()).build()) {
            work(test);
        }
        int appends = counted.count(FaultyStore.Operation.APPEND);
        assertThat(appends).isGreaterThan(6);
        for (int append = 2; append <= appends; append++) {
            int gone = append;
            assertThat(interruptedBefore(append))
                    .as(() -> "gone before append " + gone)
                    .isEqualTo("task COMPLETED, 1 message, Seen: [Found bees]");
        }
    }

    /** The run, its task, and a turn that reads the result. */
    private static void work(TestRuntime test) {
        RunId run = test.agent("boss")
                .generate("Research bees", TaskFixture.onThread())
                .runId();
        finish(test, run);
    }

    private static String finish(TestRuntime test, RunId run) {
        Task task = TaskFixture.tasks(test, run).getFirst();
        TaskFixture.until(
                "the task has ended",
                () -> test.runtime().task(task.id()).status().isEnded());
        String read =
                test.agent("boss").generate("And?", TaskFixture.onThread()).text();
        List<Task> tasks = test.runtime().tasks(TaskFilter.ALL);
        long messages = test.runtime().threads().lastMessages(TaskFixture.ANN, "t", 100).stream()
                .filter(message -> message.message().id().startsWith("task-"))
                .count();
        assertThat(tasks).hasSize(1).first().extracting(Task::status).isEqualTo(TaskStatus.COMPLETED);
        assertThat(tasks.getFirst().readBy()).isPresent();
        return "task " + tasks.getFirst().status() + ", " + messages + " message, " + read;
    }

    private static String interruptedBefore(int append) {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        FaultyStore dying = FaultyStore.over(store);
        IntStream.range(append, append + MANY).forEach(nth -> dying.failOn(FaultyStore.Operation.APPEND, nth));
        try (TestRuntime test = TaskFixture.runtime(dying, TaskFixture.script()).build()) {
            RunId run = test.agent("boss")
                    .generate("Research bees", TaskFixture.onThread())
                    .runId();
            TaskFixture.until(
                    "the store is gone",
                    () -> dying.count(FaultyStore.Operation.APPEND) >= append || ended(store, run));
        } catch (ChargehandException e) {
            assertThat(e.code()).startsWith("store");
        }
        try (TestRuntime test = TaskFixture.runtime(store, TaskFixture.script())
                .wakeups(Wakeups.all())
                .build()) {
            RunId run = first(store);
            TaskFixture.until(
                    "the run has ended",
                    () -> store.find(run).orElseThrow().status().isEnded());
            return finish(test, run);
        }
    }

    private static boolean ended(Store store, RunId run) {
        return store.list(RunFilter.ROOTS.tasks(TaskFilter.of(run))).stream()
                .allMatch(task -> task.status().isEnded());
    }

    private static RunId first(Store store) {
        return store.list(RunFilter.ROOTS).stream()
                .filter(run -> run.task().isEmpty())
                .map(RunRecord::runId)
                .reduce((one, other) -> other)
                .orElseThrow();
    }
}
