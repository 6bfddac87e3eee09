package dev.chargehand.tests.background;

import static dev.chargehand.tests.background.TaskFixture.ANN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.background.Disposition;
import dev.chargehand.background.OnEnd;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.memory.Forgotten;
import dev.chargehand.run.RunId;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.thread.Threads;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
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
        return TaskFixture.runtime(store(onDisk), TaskFixture.script(gate)).build();
    }

    private Store store(boolean onDisk) {
        return onDisk ? JdbcStore.sqlite(folder.resolve("tasks.db")) : InMemoryStore.keepingEndedRuns();
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

    /** The task has ended, and one that it has started has not. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aThreadIsDeletedWithTheTasksOfItsTasks(boolean onDisk) {
        Agent digger = Agent.builder("digger")
                .description("Digs.")
                .model("scripted/digger")
                .build();
        Agent researcher = TaskFixture.researcher(
                builder -> builder.agents(digger).background(b -> b.agent("digger", Disposition.ALWAYS)));
        Script script = ScriptedModel.script()
                .on("boss")
                .answers(TaskFixture::boss)
                .forever()
                .on("researcher")
                .calls("agent-digger", "{\"prompt\":\"bees\"}")
                .then()
                .says("Found it")
                .on("digger")
                .answers(request -> {
                    TaskFixture.await(gate);
                    return TaskFixture.says("Dug");
                })
                .forever();
        Agent boss = TaskFixture.supervisor(researcher, b -> b.agents("researcher"));
        try (TestRuntime test =
                TaskFixture.runtime(store(onDisk), script).agents(boss).build()) {
            RunId task = new RunId(start(test, OnEnd.WAIT));
            assertThat(test.runtime().task(task).result().text()).isEqualTo("Found it");
            String digging = TaskFixture.tasks(test, task).getFirst().runId().value();

            assertBusy(digging, () -> test.runtime().threads().delete(ANN, "t", d -> d.withRuns()));
            assertThat(test.runtime().threads().delete(ANN, "t", d -> d.cancelRuns()
                            .withRuns()))
                    .isTrue();

            assertThat(test.runtime().store().list(RunFilter.ALL)).isEmpty();
            assertThat(test.runtime().memory().forget("ann")).isEqualTo(new Forgotten(0, 0, 0));
        }
    }

    /** The task ends after the runs of the thread were read, and before the tasks are. */
    @Test
    void aTurnThatATaskStartsMeanwhileIsCancelledToo() {
        AtomicBoolean deleting = new AtomicBoolean();
        CountDownLatch never = new CountDownLatch(1);
        Script script = ScriptedModel.script()
                .on("boss")
                .answers(request -> {
                    if (!TaskFixture.results(request).isEmpty()) {
                        TaskFixture.await(never);
                    }
                    return TaskFixture.boss(request);
                })
                .forever()
                .on("researcher")
                .answers(request -> {
                    TaskFixture.await(gate);
                    return TaskFixture.says("Found it");
                })
                .forever();
        Store slow = new ForwardingStore(store(true)) {
            @Override
            public List<RunRecord> list(RunFilter filter) {
                List<RunRecord> found = super.list(filter);
                if (deleting.get() && filter.tasks().isEmpty() && gate.getCount() > 0) {
                    gate.countDown();
                    TaskFixture.until(
                            "the turn is stored",
                            () -> super.list(RunFilter.ROOTS).size() == 3);
                }
                return found;
            }
        };
        try (TestRuntime test = TaskFixture.runtime(slow, script).build()) {
            String ignored = start(test, OnEnd.CONTINUE);
            deleting.set(true);

            assertThat(test.runtime().threads().delete(ANN, "t", d -> d.cancelRuns()
                            .withRuns()))
                    .isTrue();
        }
    }
}
