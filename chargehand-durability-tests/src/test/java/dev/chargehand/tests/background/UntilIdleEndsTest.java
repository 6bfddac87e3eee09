package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.IdleStream;
import dev.chargehand.IdleStream.IdleResult;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunOptions;
import dev.chargehand.RunReleasedException;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.background.IdleReason;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.background.TaskStatus;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.BackgroundTaskEvent;
import dev.chargehand.event.Idle;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Role;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What ends an until-idle call, or leaves a part of it: limits, a cancel, a close, a failure. */
@Timeout(120)
class UntilIdleEndsTest {

    private static final Consumer<RunOptions.Builder> ON_THREAD = TaskFixture.onThread();

    @TempDir
    Path folder;

    private TestRuntime runtime(Script script) {
        return TaskFixture.runtime(JdbcStore.sqlite(folder.resolve("idle.db")), script)
                .build();
    }

    @Test
    void theNumberOfTurnsIsBounded() {
        AtomicInteger topic = new AtomicInteger();
        Semaphore turnsOver = new Semaphore(0);
        Script script = ScriptedModel.script()
                .on("boss")
                .answers(request -> request.messages().getLast().role() == Role.TOOL
                        ? TaskFixture.says("Turn " + topic.get())
                        : TaskFixture.calls(
                                "agent-researcher",
                                "{\"prompt\":\"topic " + topic.incrementAndGet() + "\",\"background\":true}"))
                .forever()
                .on("researcher")
                .answers(request -> {
                    turnsOver.acquireUninterruptibly();
                    return TaskFixture.says("Found more");
                })
                .forever();
        try (TestRuntime test = runtime(script)) {
            IdleResult result = test.agent("boss")
                    .generateUntilIdle("Go", ON_THREAD.andThen(o -> o.limit(Limit.CONTINUATIONS, 3)
                            .onFinish(end -> turnsOver.release())));

            assertThat(result.reason()).isEqualTo(IdleReason.LIMIT);
            assertThat(result.turns())
                    .extracting(RunResult::text)
                    .containsExactly("Turn 1", "Turn 2", "Turn 3", "Turn 4");
            assertThat(test.runtime()
                            .store()
                            .list(RunFilter.ROOTS.untilIdle(
                                    result.turns().getFirst().runId())))
                    .filteredOn(run -> run.task().isEmpty())
                    .allMatch(run -> run.status().isEnded())
                    .hasSize(5);
        }
    }

    @Test
    void theBudgetHoldsForAllTurns() {
        CountDownLatch gate = new CountDownLatch(1);
        try (TestRuntime test = runtime(TaskFixture.script(gate))) {
            // turn one uses 30 tokens, the task 15; what is left is used by the grant of the task while it runs
            IdleResult result = test.agent("boss")
                    .generateUntilIdle("Research bees", ON_THREAD.andThen(o -> o.budget(budget -> budget.tokens(40))
                            .onFinish(end -> gate.countDown())));

            assertThat(result.reason()).isEqualTo(IdleReason.LIMIT);
            assertThat(result.turns()).as("the second one called no model").hasSize(1);
            assertThat(test.runtime().store().list(RunFilter.ROOTS.thread("t").statuses(RunStatus.INCOMPLETE)))
                    .hasSize(1)
                    .allMatch(run ->
                            String.valueOf(run.summary().orElseThrow().stop()).contains("budget"));
        }
    }

    /** Turn one makes two calls, and the task one. */
    @ParameterizedTest
    @CsvSource({"3, LIMIT", "4, DONE"})
    void theCallsOfABudgetHoldForAllTurns(int calls, IdleReason reason) {
        CountDownLatch gate = new CountDownLatch(1);
        try (TestRuntime test = runtime(TaskFixture.script(gate))) {
            IdleResult result = test.agent("boss")
                    .generateUntilIdle("Research bees", ON_THREAD.andThen(o -> o.budget(budget -> budget.calls(calls))
                            .onFinish(end -> gate.countDown())));

            assertThat(result.reason()).isEqualTo(reason);
            assertThat(test.script().requests()).hasSize(calls);
        }
    }

    /** Each turn takes 40 s by the clock, of the 60 s that both have together. */
    @Test
    void theWallTimeOfABudgetHoldsForAllTurns() {
        CountDownLatch gate = new CountDownLatch(1);
        ManualClock clock = new ManualClock();
        CountDownLatch untilTheBudgetEndsTheCall = new CountDownLatch(1);
        Script script = ScriptedModel.script()
                .on("boss")
                .answers(request -> {
                    if (request.messages().getLast().role() != Role.TOOL) {
                        clock.advance(Duration.ofSeconds(40));
                    }
                    if (!TaskFixture.results(request).isEmpty()) {
                        await(untilTheBudgetEndsTheCall);
                    }
                    return TaskFixture.boss(request);
                })
                .forever()
                .on("researcher")
                .answers(request -> {
                    await(gate);
                    return TaskFixture.says("Found bees");
                })
                .forever();
        try (TestRuntime test = TaskFixture.runtime(JdbcStore.sqlite(folder.resolve("idle.db")), script)
                .time(clock)
                .build()) {
            IdleResult result = test.agent("boss").generateUntilIdle("Research bees", ON_THREAD.andThen(o -> o.budget(
                            budget -> budget.wallTime(Duration.ofSeconds(60)))
                    .onFinish(end -> gate.countDown())));

            assertThat(result.reason()).isEqualTo(IdleReason.LIMIT);
            assertThat(result.turns()).as("the second one has no answer").hasSize(1);
            assertThat(test.runtime().store().list(RunFilter.ROOTS.thread("t").statuses(RunStatus.INCOMPLETE)))
                    .hasSize(1)
                    .allMatch(run ->
                            String.valueOf(run.summary().orElseThrow().stop()).contains("wallTime"));
        }
    }

    @Test
    void closingLeavesTheTasksAndTheConversationGoesOn() {
        CountDownLatch gate = new CountDownLatch(1);
        List<String> answers = Collections.synchronizedList(new ArrayList<>());
        try (TestRuntime test = runtime(TaskFixture.script(gate))) {
            try (IdleStream stream = test.agent("boss")
                    .streamUntilIdle(
                            "Research bees", ON_THREAD.andThen(o -> o.onFinish(end -> answers.add(end.text()))))) {
                for (RunEvent event : stream) {
                    if (event instanceof RunEvent.RunFinish) {
                        break;
                    }
                }
            }
            gate.countDown();
            TaskFixture.until(
                    "the second turn has ended",
                    () ->
                            test
                                            .runtime()
                                            .store()
                                            .list(RunFilter.ROOTS.thread("t").statuses(RunStatus.COMPLETED))
                                            .stream()
                                            .filter(run -> run.task().isEmpty())
                                            .count()
                                    == 2);
            assertThat(test.runtime()
                            .threads()
                            .lastMessages(TaskFixture.ANN, "t", 10)
                            .getLast()
                            .message()
                            .text())
                    .isEqualTo("Seen: [Found bees]");
        }
        assertThat(answers).as("hooks of the call are those of its stream").doesNotContain("Seen: [Found bees]");
    }

    @Test
    void aClosedRuntimeEndsTheStreamWithoutAReason() {
        CountDownLatch gate = new CountDownLatch(1);
        TestRuntime test = runtime(TaskFixture.script(gate));
        IdleStream stream = test.agent("boss").streamUntilIdle("Research bees", ON_THREAD);
        RunEvent last = null;
        for (RunEvent event : stream) {
            last = event;
            if (event instanceof RunEvent.RunFinish && event.runId().equals(stream.runId())) {
                Thread.ofVirtual().start(test::close);
            }
        }
        gate.countDown();
        assertThat(last).isNotInstanceOf(Idle.class);
        assertThatThrownBy(stream::result).isInstanceOf(RunReleasedException.class);
        test.close(); // waits until it is closed
        try (TestRuntime other = runtime(TaskFixture.script())) {
            other.runtime().recover();
            TaskFixture.until("another process has continued the conversation", () -> other.runtime()
                    .store()
                    .list(RunFilter.ROOTS.statuses(RunStatus.PENDING, RunStatus.RUNNING))
                    .isEmpty());
            assertThat(other.runtime()
                            .threads()
                            .lastMessages(TaskFixture.ANN, "t", 10)
                            .getLast()
                            .message()
                            .text())
                    .isEqualTo("Seen: [Found bees]");
        }
    }

    @Test
    void aTurnThatAnotherProcessHasTakenIsRead() {
        CountDownLatch never = new CountDownLatch(1);
        Path file = folder.resolve("idle.db");
        try (TestRuntime stopped = TaskFixture.runtime(JdbcStore.sqlite(file), TaskFixture.script(never))
                        .wakeups(Wakeups.own().concurrency(1)) // its one place stays with the task that it has lost
                        .build();
                TestRuntime other = TaskFixture.runtime(JdbcStore.sqlite(file), TaskFixture.script())
                        .wakeups(Wakeups.all())
                        .build();
                IdleStream stream = stopped.agent("boss").streamUntilIdle("Research bees", ON_THREAD)) {
            List<String> ends = new ArrayList<>();
            for (RunEvent event : stream) {
                if (event instanceof RunEvent.RunFinish finish && finish.path().isRoot()) {
                    ends.add(finish.text());
                }
                if (event instanceof BackgroundTaskEvent.BackgroundTaskRunning) {
                    Store store = stopped.runtime().store();
                    store.heartbeat(store.find(event.runId()).orElseThrow().owner(), Duration.ZERO);
                }
            }
            assertThat(stream.result().reason()).isEqualTo(IdleReason.DONE);
            assertThat(stream.result().text()).isEqualTo("Seen: [Found bees]");
            assertThat(ends).endsWith("Seen: [Found bees]");
            assertThat(other.runtime().tasks(TaskFilter.ALL))
                    .extracting(Task::status)
                    .containsOnly(TaskStatus.COMPLETED);
            never.countDown();
        }
    }

    @Test
    void cancellingEndsTurnsAndTasks() {
        CountDownLatch gate = new CountDownLatch(1);
        try (TestRuntime test = runtime(TaskFixture.script(gate));
                IdleStream stream = test.agent("boss").streamUntilIdle("Research bees", ON_THREAD)) {
            for (RunEvent event : stream) {
                if (event instanceof RunEvent.RunFinish && event.runId().equals(stream.runId())) {
                    stream.cancel();
                }
            }
            IdleResult result = stream.result();

            assertThat(result.reason()).isEqualTo(IdleReason.CANCELLED);
            TaskFixture.until("the task has ended", () -> test.runtime().tasks(TaskFilter.ALL).stream()
                    .allMatch(task -> task.status() == TaskStatus.CANCELLED));
            // The turn that follows the end of the task may be executed before its cancel comes.
            assertThat(result.turns()).hasSizeBetween(1, 2);
            assertThat(result.turns().getFirst().text()).isEqualTo("Seen: []");
        }
    }

    @Test
    void aFailedTurnEndsTheCall() {
        CountDownLatch gate = new CountDownLatch(1);
        Script script = ScriptedModel.script()
                .on("boss")
                .answers(TaskFixture::boss)
                .on("boss")
                .failsWith(new IllegalStateException("broken"))
                .on("researcher")
                .answers(request -> {
                    await(gate);
                    return TaskFixture.says("Found bees");
                })
                .forever();
        try (TestRuntime test = runtime(script)) {
            assertThatThrownBy(() -> test.agent("boss").generateUntilIdle("Research bees", ON_THREAD))
                    .isInstanceOf(RunFailedException.class);
            gate.countDown();
            TaskFixture.until("the task has ended", () -> test.runtime().tasks(TaskFilter.ALL).stream()
                    .allMatch(task -> task.status() == TaskStatus.COMPLETED));
            assertThat(test.runtime().store().list(RunFilter.ROOTS.statuses(RunStatus.PENDING, RunStatus.RUNNING)))
                    .as("no turn follows one that failed")
                    .isEmpty();
        }
    }

    @Test
    void aCallInWhichNothingHappensIsLeft() {
        CountDownLatch gate = new CountDownLatch(1);
        try (TestRuntime test = runtime(TaskFixture.script(gate))) {
            IdleResult result = test.agent("boss")
                    .generateUntilIdle(
                            "Research bees",
                            ON_THREAD.andThen(o -> o.timeLimit(TimeLimit.QUIET, Duration.ofMillis(50))));

            assertThat(result.reason()).isEqualTo(IdleReason.QUIET);
            assertThat(result.tasks()).extracting(Task::status).containsExactly(TaskStatus.RUNNING);
            gate.countDown();
        }
    }

    @Test
    void aKeyIsRejected() {
        try (TestRuntime test = runtime(TaskFixture.script())) {
            assertThatThrownBy(() -> test.agent("boss")
                            .generateUntilIdle("Hello", ON_THREAD.andThen(o -> o.idempotencyKey("k"))))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("idempotencyKey");
            assertThat(test.runtime().store().list(RunFilter.ALL)).isEmpty();
        }
    }

    private static void await(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
