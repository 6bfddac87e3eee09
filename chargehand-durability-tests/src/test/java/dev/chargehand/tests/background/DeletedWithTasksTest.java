package dev.chargehand.tests.background;

import static dev.chargehand.tests.background.TaskFixture.ANN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.RunResult;
import dev.chargehand.background.OnEnd;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.memory.Forgotten;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.thread.Threads;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A background task counts as a run of the thread that receives its result, also when that is deleted. */
@Timeout(60)
class DeletedWithTasksTest {

    @TempDir
    Path folder;

    private final CountDownLatch gate = new CountDownLatch(1);

    private TestRuntime runtime(boolean onDisk) {
        Store store = onDisk ? JdbcStore.sqlite(folder.resolve("tasks.db")) : InMemoryStore.keepingEndedRuns();
        return TaskFixture.runtime(store, TaskFixture.script(gate)).build();
    }

    /** Returns the run of a task that has started. */
    private static String start(TestRuntime test, OnEnd onEnd) {
        RunResult first = test.agent("boss")
                .generate("Research bees", TaskFixture.onThread().andThen(o -> o.onEnd(onEnd)));
        return TaskFixture.tasks(test, first.runId()).getFirst().runId().value();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anOpenTaskKeepsItsThread(boolean onDisk) {
        try (TestRuntime test = runtime(onDisk)) {
            String task = start(test, OnEnd.WAIT);
            Threads threads = test.runtime().threads();
            String message =
                    threads.lastMessages(ANN, "t", 9).getFirst().message().id();

            assertBusy(task, () -> threads.delete(ANN, "t"));
            assertBusy(task, () -> threads.delete(ANN, "t", d -> d.withRuns()));
            assertBusy(task, () -> threads.deleteMessages(ANN, "t", List.of(message)));
            gate.countDown();
            TaskFixture.until("the task is over", () -> test.runtime().tasks(TaskFilter.ALL).stream()
                    .map(Task::status)
                    .allMatch(status -> status.isEnded()));

            assertThat(threads.delete(ANN, "t")).isTrue();
            assertThat(test.runtime().tasks(TaskFilter.ALL)).hasSize(1);
        }
    }

    private static void assertBusy(String task, ThrowingCallable deletion) {
        assertThatThrownBy(deletion).isInstanceOfSatisfying(ThreadBusyException.class, busy -> {
            assertThat(busy.code()).isEqualTo("resource-busy");
            assertThat(busy.threadId()).isEqualTo("t");
            assertThat(busy.runId()).isEqualTo(task);
        });
    }

    @ParameterizedTest
    @CsvSource({"false, WAIT", "false, CONTINUE", "true, WAIT", "true, CONTINUE"})
    void aThreadIsDeletedWithItsTasks(boolean onDisk, OnEnd onEnd) {
        try (TestRuntime test = runtime(onDisk)) {
            String ignored = start(test, onEnd);

            assertThat(test.runtime().threads().delete(ANN, "t", d -> d.cancelRuns()
                            .withRuns()))
                    .isTrue();

            assertThat(test.runtime().tasks(TaskFilter.ALL)).isEmpty();
            assertThat(test.runtime().store().list(RunFilter.ALL)).isEmpty();
            assertThat(test.runtime().memory().forget("ann")).isEqualTo(new Forgotten(0, 0, 0));
        }
    }
}
