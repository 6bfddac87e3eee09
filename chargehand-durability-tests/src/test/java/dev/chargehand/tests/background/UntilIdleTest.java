package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.IdleStream;
import dev.chargehand.IdleStream.IdleResult;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.background.IdleReason;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.background.TaskStatus;
import dev.chargehand.event.BackgroundTaskEvent;
import dev.chargehand.event.Idle;
import dev.chargehand.event.RunEvent;
import dev.chargehand.fixture.PostgresServer;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls that go on, turn after turn, until no background task is left. */
@Timeout(120)
class UntilIdleTest {

    enum Kind {
        FORGETFUL_MEMORY,
        MEMORY,
        SQLITE,
        POSTGRES
    }

    private static final Consumer<RunOptions.Builder> ON_THREAD = TaskFixture.onThread();

    @TempDir
    Path folder;

    private Store store(Kind kind) {
        return switch (kind) {
            case FORGETFUL_MEMORY -> InMemoryStore.create();
            case MEMORY -> InMemoryStore.keepingEndedRuns();
            case SQLITE -> JdbcStore.sqlite(folder.resolve("idle.db"));
            case POSTGRES -> JdbcStore.postgres(PostgresServer.newStore(), PostgresServer.USER, "");
        };
    }

    private static TestRuntime runtime(Store store, Script script) {
        return TaskFixture.runtime(store, script).build();
    }

    /** An agent that starts no tasks needs no thread, and a thread needs no resource. */
    @ParameterizedTest
    @EnumSource
    void aCallWithoutTasksNeedsNoThread(Kind kind) {
        Script script = ScriptedModel.script().on("clerk").says("Hello").forever();
        Agent clerk = Agent.builder("clerk").model("scripted/clerk").build();
        try (TestRuntime test =
                TaskFixture.runtime(store(kind), script).agents(clerk).build()) {
            IdleResult result = test.agent("clerk").generateUntilIdle("Hi", o -> {});

            assertThat(result.reason()).isEqualTo(IdleReason.DONE);
            assertThat(result.text()).isEqualTo("Hello");
            assertThat(test.agent("clerk")
                            .generateUntilIdle("Hi", o -> o.thread("t"))
                            .reason())
                    .isEqualTo(IdleReason.DONE);
        }
    }

    @ParameterizedTest
    @EnumSource
    void theResultOfATaskStartsATurn(Kind kind) {
        try (TestRuntime test = runtime(store(kind), TaskFixture.script())) {
            IdleResult result = test.agent("boss").generateUntilIdle("Research bees", ON_THREAD);

            assertThat(result.reason()).isEqualTo(IdleReason.DONE);
            assertThat(result.text()).isEqualTo("Seen: [Found bees]");
            assertThat(result.tasks()).extracting(Task::status).containsExactly(TaskStatus.COMPLETED);
            int steps = result.turns().stream()
                    .mapToInt(turn -> turn.steps().size())
                    .sum();
            assertThat(result.totalUsage()).isEqualTo(new Usage(10L * (steps + 1), 5L * (steps + 1), 0, 0));
            assertThat(result.usageByAgent())
                    .containsEntry("researcher", new Usage(10, 5, 0, 0))
                    .containsKey("boss");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTurnIsNotPrunedWhileATaskOfItsCallIsExecuted(Kind kind) {
        CountDownLatch gate = new CountDownLatch(1);
        try (TestRuntime test = runtime(store(kind), TaskFixture.script(gate));
                IdleStream stream = test.agent("boss").streamUntilIdle("Research bees", ON_THREAD)) {
            for (RunEvent event : stream) {
                if (event instanceof RunEvent.RunFinish && event.runId().equals(stream.runId())) {
                    assertThat(test.runtime().operator().prune(Duration.ZERO)).isZero();
                    gate.countDown();
                }
            }

            assertThat(stream.result().text()).isEqualTo("Seen: [Found bees]");
        } finally {
            gate.countDown();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTaskThatEndsAfterTheTurnStartsAnotherOne(Kind kind) {
        CountDownLatch gate = new CountDownLatch(1);
        try (TestRuntime test = runtime(store(kind), TaskFixture.script(gate));
                IdleStream stream = test.agent("boss").streamUntilIdle("Research bees", ON_THREAD)) {
            List<RunEvent> events = new ArrayList<>();
            for (RunEvent event : stream) {
                events.add(event);
                if (event instanceof RunEvent.RunFinish && event.runId().equals(stream.runId())) {
                    gate.countDown();
                }
            }
            IdleResult result = stream.result();

            assertThat(result.turns()).extracting(RunResult::text).containsExactly("Seen: []", "Seen: [Found bees]");
            assertThat(result.turns()).extracting(RunResult::status).containsOnly(RunStatus.COMPLETED);
            assertThat(events.getLast()).isInstanceOfSatisfying(Idle.class, idle -> {
                assertThat(idle.reason()).isEqualTo(IdleReason.DONE);
                assertThat(idle.turns()).isEqualTo(2);
                assertThat(idle.tasks()).isEqualTo(1);
                assertThat(idle.toJson().toString()).contains("\"type\":\"idle\"", "\"reason\":\"done\"");
            });
            assertThat(events.stream()
                            .filter(event -> event instanceof RunEvent.RunStart || event instanceof RunEvent.RunFinish)
                            .map(event -> event.type() + " " + turnOf(event, result)))
                    .containsExactly("run-start 0", "run-finish 0", "run-start 1", "run-finish 1");
            assertThat(events)
                    .filteredOn(BackgroundTaskEvent.class::isInstance)
                    .extracting(RunEvent::type)
                    .contains("background-task-started", "background-task-running", "background-task-completed");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTaskThatEndsWhileTheTurnAnswersStartsAnotherOne(Kind kind) {
        CountDownLatch answering = new CountDownLatch(1);
        CompletableFuture<TestRuntime> started = new CompletableFuture<>();
        Script script = ScriptedModel.script()
                .on("boss")
                .answers(request -> {
                    if (TaskFixture.hasDelegated(request)) {
                        answering.countDown();
                        TaskFixture.until(
                                "the task has ended", () -> started.join().runtime().tasks(TaskFilter.ALL).stream()
                                        .allMatch(task -> task.status() == TaskStatus.COMPLETED));
                    }
                    return TaskFixture.boss(request);
                })
                .forever()
                .on("researcher")
                .answers(request -> {
                    await(answering);
                    return TaskFixture.says("Found bees");
                });
        try (TestRuntime test = runtime(store(kind), script)) {
            started.complete(test);
            IdleResult result = test.agent("boss").generateUntilIdle("Research bees", ON_THREAD);

            assertThat(result.turns()).extracting(RunResult::text).containsExactly("Seen: []", "Seen: [Found bees]");
        }
    }

    private static int turnOf(RunEvent event, IdleResult result) {
        return result.turns().stream().map(RunResult::runId).toList().indexOf(event.runId());
    }

    @ParameterizedTest
    @EnumSource
    void tasksThatEndedTogetherAreAnsweredTogether(Kind kind) {
        CountDownLatch gate = new CountDownLatch(1);
        Script script = ScriptedModel.script()
                .on("boss")
                .answers(request -> TaskFixture.hasDelegated(request)
                        ? TaskFixture.says("Seen: " + TaskFixture.results(request))
                        : threeTasks())
                .forever()
                .on("researcher")
                .answers(request -> {
                    await(gate);
                    return TaskFixture.says(
                            "Found " + request.messages().getLast().text());
                })
                .forever();
        try (TestRuntime test = runtime(store(kind), script);
                IdleStream stream = test.agent("boss").streamUntilIdle("Go", ON_THREAD)) {
            for (RunEvent event : stream) {
                if (event instanceof RunEvent.RunFinish && event.runId().equals(stream.runId())) {
                    gate.countDown();
                }
            }
            IdleResult result = stream.result();

            assertThat(result.text()).contains("Found a", "Found b", "Found c");
            assertThat(result.tasks()).hasSize(3);
            assertThat(result.turns()).hasSizeBetween(2, 4);
            assertThat(result.turns().stream()
                            .flatMap(turn -> turn.text().lines())
                            .filter(text -> text.contains("Found"))
                            .distinct())
                    .as("each turn has read something more")
                    .hasSize(result.turns().size() - 1);
        }
    }

    private static ModelResponse threeTasks() {
        List<ModelResponse.RequestedCall> calls = new ArrayList<>();
        for (String topic : List.of("a", "b", "c")) {
            calls.add(new ModelResponse.RequestedCall(
                    "c_" + topic, "agent-researcher", "{\"prompt\":\"" + topic + "\",\"background\":true}"));
        }
        return new ModelResponse("", "", calls, FinishReason.TOOL_CALLS, new Usage(10, 5, 0, 0));
    }

    private static void await(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void hooksOfTheCallHoldForEachTurn() {
        AtomicInteger finished = new AtomicInteger();
        CountDownLatch gate = new CountDownLatch(1);
        try (TestRuntime test = runtime(store(Kind.SQLITE), TaskFixture.script(gate))) {
            IdleResult result = test.agent("boss")
                    .generateUntilIdle(
                            "Research bees",
                            ON_THREAD.andThen(o -> o.onFinish(end -> {
                                finished.incrementAndGet();
                                gate.countDown();
                            })));

            assertThat(result.turns()).hasSize(2);
            assertThat(finished).hasValue(2);
        }
    }

    @Test
    void aTurnWithNothingToReadCallsNoModel() {
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch user = new CountDownLatch(1);
        CountDownLatch started = new CountDownLatch(1);
        AtomicInteger calls = new AtomicInteger();
        Script script = ScriptedModel.script()
                .on("boss")
                .answers(request -> {
                    calls.incrementAndGet();
                    if (isSpokenTo(request, "And?")) {
                        started.countDown();
                        await(user);
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
        try (TestRuntime test = runtime(store(Kind.SQLITE), script);
                IdleStream stream = test.agent("boss").streamUntilIdle("Research bees", ON_THREAD)) {
            RunStream second = null;
            for (RunEvent event : stream) {
                if (event instanceof RunEvent.RunFinish && event.runId().equals(stream.runId())) {
                    // a turn of the user has the thread while the task ends, and then reads its result
                    second = test.agent("boss").stream("And?", ON_THREAD);
                    await(started);
                    gate.countDown();
                    TaskFixture.until("the task has ended", () -> test.runtime().tasks(TaskFilter.ALL).stream()
                            .allMatch(task -> task.status().isEnded()));
                    assertThat(test.runtime().store().list(RunFilter.ROOTS.statuses(RunStatus.PENDING)))
                            .as("a turn waits for the thread")
                            .hasSize(1);
                    RunResult third = answered(second, user);
                    assertThat(third.text()).isEqualTo("Seen: []");
                }
            }
            IdleResult result = stream.result();

            assertThat(result.reason()).isEqualTo(IdleReason.DONE);
            assertThat(result.text()).isEqualTo("Seen: [Found bees]");
            assertThat(calls).hasValue(4);
        }
    }

    private static RunResult answered(RunStream stream, CountDownLatch user) {
        user.countDown();
        return stream.result();
    }

    private static boolean isSpokenTo(ModelRequest request, String words) {
        return request.messages().stream().anyMatch(message -> message.text().equals(words));
    }

    @Test
    void withoutTasksItIsOneRun() {
        try (TestRuntime test = runtime(store(Kind.FORGETFUL_MEMORY), TaskFixture.script())) {
            IdleResult result = test.agent("boss").generateUntilIdle("Hello", ON_THREAD);

            assertThat(result.reason()).isEqualTo(IdleReason.DONE);
            assertThat(result.turns()).hasSize(1);
            assertThat(result.tasks()).isEmpty();
            assertThat(result.usageByAgent()).isEqualTo(Map.of("boss", new Usage(10, 5, 0, 0)));
        }
    }
}
