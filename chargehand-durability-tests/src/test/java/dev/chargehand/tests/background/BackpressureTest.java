package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Recovery;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.background.Backpressure;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.background.TaskStatus;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.step.ToolOutcome;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** More background tasks than may run at once. */
@Timeout(120)
class BackpressureTest {

    private static final int TASKS = 6;

    @TempDir
    private Path folder;

    private final CountDownLatch open = new CountDownLatch(1);
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    private Script script() {
        return script(open);
    }

    private Script script(CountDownLatch gate) {
        return ScriptedModel.script()
                .on("boss")
                .answers(BackpressureTest::boss)
                .forever()
                .on("researcher")
                .answers(request -> research(gate))
                .forever();
    }

    /** Delegates several times in one answer. */
    private static ModelResponse boss(ModelRequest request) {
        if (TaskFixture.hasDelegated(request)) {
            return TaskFixture.says("Started");
        }
        List<ModelResponse.RequestedCall> calls = new ArrayList<>();
        for (int i = 0; i < TASKS; i++) {
            calls.add(new ModelResponse.RequestedCall(
                    "c" + i, "agent-researcher", "{\"prompt\":\"topic " + i + "\",\"background\":true}"));
        }
        return new ModelResponse("", "", calls, FinishReason.TOOL_CALLS, new Usage(10, 5, 0, 0));
    }

    private ModelResponse research(CountDownLatch gate) {
        most.accumulateAndGet(running.incrementAndGet(), Math::max);
        TaskFixture.await(gate);
        running.decrementAndGet();
        return TaskFixture.says("Found it");
    }

    private TestRuntime runtime(Backpressure backpressure) {
        return TaskFixture.runtime(InMemoryStore.keepingEndedRuns(), script())
                .background(b -> b.concurrency(3).perAgent(2).backpressure(backpressure))
                .build();
    }

    @Test
    void tasksWaitUntilAPlaceIsFree() {
        try (TestRuntime test = runtime(Backpressure.QUEUE)) {
            RunResult run = test.agent("boss").generate("Go", TaskFixture.onThread());
            assertThat(run.text()).isEqualTo("Started");
            TaskFixture.until("two tasks run", () -> running.get() == 2);
            assertThat(test.runtime().tasks(TaskFilter.of(run.runId())))
                    .hasSize(TASKS)
                    .extracting(Task::status)
                    .containsOnly(TaskStatus.PENDING, TaskStatus.RUNNING);
            open.countDown();
            TaskFixture.until("all tasks have ended", () -> test.runtime().tasks(TaskFilter.of(run.runId())).stream()
                    .allMatch(task -> task.status() == TaskStatus.COMPLETED));
            assertThat(most.get()).isEqualTo(2);
        }
    }

    @Test
    void oneTaskMoreIsRejected() {
        try (TestRuntime test = runtime(Backpressure.REJECT)) {
            RunResult run = test.agent("boss").generate("Go", TaskFixture.onThread());
            assertThat(run.toolResults().stream().flatMap(result -> result.error().stream()))
                    .hasSize(TASKS - 2)
                    .allMatch(error -> error.startsWith("task-rejected: as many tasks are running as may"));
            assertThat(test.runtime().tasks(TaskFilter.of(run.runId()))).hasSize(2);
            open.countDown();
        }
    }

    @Test
    void tasksThatAreCancelledBeforeTheyRunLeaveTheirPlaces() {
        try (TestRuntime test = TaskFixture.runtime(InMemoryStore.keepingEndedRuns(), script())
                .wakeups(Wakeups.off())
                .background(b -> b.concurrency(3).perAgent(2).backpressure(Backpressure.REJECT))
                .build()) {
            for (int turn = 0; turn < 3; turn++) {
                RunResult run = test.agent("boss").generate("Go", TaskFixture.onThread());
                assertThat(test.runtime().tasks(TaskFilter.of(run.runId())))
                        .hasSize(2)
                        .extracting(Task::status)
                        .containsOnly(TaskStatus.PENDING);
                RunResult another = test.agent("boss").generate("Go", TaskFixture.onThread());
                assertThat(test.runtime().tasks(TaskFilter.of(another.runId())))
                        .as("the places are taken by tasks that wait")
                        .isEmpty();
                assertThat(test.runtime().cancelTasks(run.runId())).isEqualTo(2);
            }
        }
    }

    @Test
    void oneTaskMoreIsDoneInTheForeground() {
        open.countDown();
        try (TestRuntime test = runtime(Backpressure.FOREGROUND)) {
            RunResult run = test.agent("boss").generate("Go", TaskFixture.onThread());
            assertThat(run.toolResults()).allMatch(result -> result.error().isEmpty());
            assertThat(run.toolResults().stream()
                            .map(ToolOutcome::output)
                            .filter(output -> output.orElseThrow().text().contains("Found it")))
                    .hasSize(TASKS - 2);
            assertThat(test.runtime().tasks(TaskFilter.of(run.runId()))).hasSize(2);
        }
    }

    @Test
    void recoveryHasTasksExecutedAsPlacesAreFree() {
        Path file = folder.resolve("tasks.db");
        try (TestRuntime web = off(file)) {
            web.agent("boss").generate("Go", TaskFixture.onThread());
        }
        try (TestRuntime other = off(file)) {
            Recovery recovery = other.runtime().recover();
            assertThat(recovery.runIds()).hasSize(TASKS);
            TaskFixture.until("two tasks run", () -> running.get() == 2);
            assertThat(other.runtime().recover().runIds())
                    .as("the others get the next free places")
                    .isEmpty();
            open.countDown();
            assertThat(recovery.await())
                    .hasSize(TASKS)
                    .extracting(RunResult::status)
                    .containsOnly(RunStatus.COMPLETED);
            assertThat(most.get()).isEqualTo(2);
        }
    }

    @Test
    void recoveryDoesNotWaitForTasksThatAnotherProcessHasTakenMeanwhile() {
        Path file = folder.resolve("tasks.db");
        try (TestRuntime web = off(file)) {
            web.agent("boss").generate("Go", TaskFixture.onThread());
        }
        CountDownLatch taken = new CountDownLatch(1);
        try (TestRuntime first = off(file);
                TestRuntime second = off(file, taken)) {
            Recovery recovery = first.runtime().recover();
            TaskFixture.until("two tasks run", () -> running.get() == 2);
            Recovery others = second.runtime().recover();
            TaskFixture.until("two others run", () -> running.get() == 4);
            open.countDown();
            assertThat(recovery.await())
                    .hasSize(TASKS - 2)
                    .extracting(RunResult::status)
                    .containsOnly(RunStatus.COMPLETED);
            assertThat(running.get()).as("they are executed elsewhere").isEqualTo(2);
            taken.countDown();
            assertThat(others.await()).extracting(RunResult::status).containsOnly(RunStatus.COMPLETED);
        }
    }

    private TestRuntime off(Path file) {
        return off(file, open);
    }

    private TestRuntime off(Path file, CountDownLatch gate) {
        return TaskFixture.runtime(JdbcStore.sqlite(file), script(gate))
                .wakeups(Wakeups.off())
                .background(b -> b.concurrency(3).perAgent(2))
                .build();
    }
}
