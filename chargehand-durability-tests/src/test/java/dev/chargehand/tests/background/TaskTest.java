package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.background.TaskStatus;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.TaskUnknownException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.fixture.PostgresServer;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.spi.IdSource;
import dev.chargehand.store.Append;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Delegations in the background: they start, outlive the run that started them, and give their results to the next turn. */
@Timeout(120)
class TaskTest {

    enum Kind {
        MEMORY,
        SQLITE,
        POSTGRES
    }

    @TempDir
    Path folder;

    private Store store(Kind kind) {
        return switch (kind) {
            case MEMORY -> InMemoryStore.create();
            case SQLITE -> JdbcStore.sqlite(folder.resolve("tasks.db"));
            case POSTGRES -> JdbcStore.postgres(PostgresServer.newStore(), PostgresServer.USER, "");
        };
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void theNextTurnReadsTheResult(Kind kind) {
        CountDownLatch gate = new CountDownLatch(1);
        try (TestRuntime test =
                TaskFixture.runtime(store(kind), TaskFixture.script(gate)).build()) {
            RunResult first = test.agent("boss").generate("Research bees", TaskFixture.onThread());
            gate.countDown();
            Task task = TaskFixture.tasks(test, first.runId()).getFirst();
            TaskFixture.until("the task has ended", () -> status(test, task) == TaskStatus.COMPLETED);

            assertThat(first.text()).isEqualTo("Seen: []");
            assertThat(first.toolResults().toString()).contains(task.id().value(), "started");
            assertThat(test.runtime().task(task.id()).result().text()).isEqualTo("Found bees");

            RunResult second = test.agent("boss").generate("And?", TaskFixture.onThread());
            RunResult third = test.agent("boss").generate("And again?", TaskFixture.onThread());

            assertThat(second.text()).isEqualTo("Seen: [Found bees]");
            assertThat(third.text()).isEqualTo("Seen: [Found bees]"); // it is part of the history
            if (kind != Kind.MEMORY) {
                assertThat(test.runtime()
                                .tasks(TaskFilter.ofThread("t"))
                                .getFirst()
                                .readBy())
                        .contains(second.runId());
            }
            assertThat(resultMessages(test)).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void noSecondRunCanReadAResult(Kind kind) {
        CountDownLatch gate = new CountDownLatch(1);
        try (TestRuntime test =
                TaskFixture.runtime(store(kind), TaskFixture.script(gate)).build()) {
            RunResult first = test.agent("boss").generate("Research bees", TaskFixture.onThread());
            gate.countDown();
            RunId task = TaskFixture.tasks(test, first.runId()).getFirst().id();
            RunResult ignored = test.runtime().task(task).result();
            RunResult reader = test.agent("boss").generate("And?", TaskFixture.onThread());

            RunRecord other = test.store().find(first.runId()).orElseThrow();
            Append again = Append.to(
                            other.runId(), other.epoch(), other.length(), List.of(), other.status(), other.updatedAt())
                    .results(List.of(task));
            assertThatThrownBy(() -> test.store().append(again))
                    .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.kind())
                            .isEqualTo(StoreException.Kind.ALREADY_READ));
            assertThat(TaskFixture.tasks(test, first.runId()).getFirst().readBy())
                    .contains(reader.runId());
        }
    }

    @Test
    void aTaskIsExecutedAfterARestartOfItsProcess() {
        RunId task;
        try (TestRuntime web = TaskFixture.runtime(store(Kind.SQLITE), TaskFixture.script())
                .wakeups(Wakeups.off())
                .build()) {
            RunResult run = web.agent("boss").generate("Research bees", TaskFixture.onThread());
            task = TaskFixture.tasks(web, run.runId()).getFirst().id();
            assertThat(web.runtime().task(task).status()).isEqualTo(RunStatus.PENDING);
        }
        try (TestRuntime worker = TaskFixture.runtime(store(Kind.SQLITE), TaskFixture.script())
                .wakeups(Wakeups.all())
                .build()) {
            assertThat(worker.runtime().task(task).result().text()).isEqualTo("Found bees");
            assertThat(resultMessages(worker)).hasSize(1);
        }
    }

    @Test
    void recoverExecutesTheTasksOfADeadProcess() {
        RunId task;
        try (TestRuntime web = TaskFixture.runtime(store(Kind.SQLITE), TaskFixture.script())
                .wakeups(Wakeups.off())
                .build()) {
            RunResult run = web.agent("boss").generate("Research bees", TaskFixture.onThread());
            task = TaskFixture.tasks(web, run.runId()).getFirst().id();
        }
        try (TestRuntime other = TaskFixture.runtime(store(Kind.SQLITE), TaskFixture.script())
                .wakeups(Wakeups.off())
                .build()) {
            assertThat(other.runtime().recover().runIds()).contains(task);
            assertThat(other.runtime().task(task).result().text()).isEqualTo("Found bees");
        }
    }

    @Test
    void aCancelledTaskSaysSoInTheThread() {
        try (TestRuntime test = TaskFixture.runtime(store(Kind.SQLITE), TaskFixture.script())
                .wakeups(Wakeups.off())
                .build()) {
            RunResult run = test.agent("boss").generate("Research bees", TaskFixture.onThread());
            RunId task = TaskFixture.tasks(test, run.runId()).getFirst().id();

            assertThat(test.runtime().cancelTasks(run.runId())).isEqualTo(1);

            assertThat(TaskFixture.tasks(test, run.runId()))
                    .extracting(Task::status)
                    .containsExactly(TaskStatus.CANCELLED);
            assertThat(resultMessages(test))
                    .extracting(Message::text)
                    .containsExactly("Background task " + task + " of 'researcher' was cancelled.");
        }
    }

    @Test
    void aWorkflowIsATaskToo() {
        Step<String, String> find = Step.of("find", String.class, String.class, (topic, context) -> "Found " + topic);
        Workflow<String, String> research = Workflow.from("research", String.class)
                .description("Researches.")
                .then(find)
                .build(String.class);
        Agent boss = TaskFixture.bossOf(research);
        Script script = ScriptedModel.script()
                .on("boss")
                .answers(request -> TaskFixture.hasDelegated(request)
                                || !TaskFixture.results(request).isEmpty()
                        ? TaskFixture.says("Seen: " + TaskFixture.results(request))
                        : TaskFixture.calls("workflow-research", "{\"input\":\"boats\",\"background\":true}"))
                .forever();
        try (TestRuntime test = TestRuntime.builder(script)
                .store(InMemoryStore.keepingEndedRuns())
                .agents(boss)
                .wakeups(Wakeups.own())
                .ids(IdSource.secure())
                .build()) {
            RunResult first = test.agent("boss").generate("Research", TaskFixture.onThread());
            Task task = TaskFixture.tasks(test, first.runId()).getFirst();
            assertThat(test.runtime().task(task.id()).result().status()).isEqualTo(RunStatus.COMPLETED);
            RunResult next = test.agent("boss").generate("And?", TaskFixture.onThread());
            assertThat(next.text()).isEqualTo("Seen: [Found boats]");
        }
    }

    @Test
    void cancellingARunLeavesItsTasks() {
        try (TestRuntime test = TaskFixture.runtime(store(Kind.SQLITE), TaskFixture.script())
                .wakeups(Wakeups.off())
                .build()) {
            RunResult run = test.agent("boss").generate("Research bees", TaskFixture.onThread());
            assertThat(test.runtime().cancel(run.runId())).isFalse(); // it has ended
            assertThat(TaskFixture.tasks(test, run.runId()).getFirst().status()).isEqualTo(TaskStatus.PENDING);
        }
    }

    @Test
    void aResultIsReadHoweverManyMessagesFollowIt() {
        CountDownLatch gate = new CountDownLatch(1);
        try (TestRuntime test = TaskFixture.runtime(store(Kind.SQLITE), TaskFixture.script(gate))
                .build()) {
            RunResult run = test.agent("boss").generate("Research bees", TaskFixture.onThread());
            gate.countDown();
            RunId task = TaskFixture.tasks(test, run.runId()).getFirst().id();
            assertThat(test.runtime().task(task).result().text()).isEqualTo("Found bees");
            List<Message> more = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                more.add(Message.assistant("chat " + i).withId("m" + i));
            }
            assertThat(test.runtime()
                            .threads()
                            .append(TaskFixture.ANN, "t", more)
                            .length())
                    .isGreaterThan(30);

            assertThat(test.agent("boss")
                            .generate("And?", TaskFixture.onThread())
                            .text())
                    .isEqualTo("Seen: [Found bees]");
            assertThat(test.agent("boss")
                            .generate("Again?", TaskFixture.onThread())
                            .text())
                    .isEqualTo("Seen: []"); // it is older than the messages that are remembered
        }
    }

    @Test
    void theEventsOfATaskAreThoseOfItsOwnRun() {
        try (TestRuntime test =
                TaskFixture.runtime(store(Kind.SQLITE), TaskFixture.script()).build()) {
            RunResult run = test.agent("boss").generate("Research bees", TaskFixture.onThread());
            RunId task = TaskFixture.tasks(test, run.runId()).getFirst().id();
            RunResult ignored = test.runtime().task(task).result();

            assertThat(test.runtime().history(run.runId()))
                    .extracting(RunEvent::type)
                    .containsSubsequence("tool-call", "tool-result", "background-task-started", "run-finish")
                    .doesNotContain("delegation-start");
            assertThat(test.runtime().history(task))
                    .extracting(RunEvent::type)
                    .containsSubsequence(
                            "run-start", "background-task-running", "background-task-completed", "run-finish");
            assertThat(test.runtime().history(task))
                    .allMatch(event -> event.path().toString().equals("boss/researcher"));
        }
    }

    @Test
    void aRunWithoutAThreadIsRejected() {
        try (TestRuntime test =
                TaskFixture.runtime(store(Kind.MEMORY), TaskFixture.script()).build()) {
            assertThatThrownBy(() -> test.agent("boss").generate("Research bees"))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("has no thread that could receive the results");
        }
    }

    @Test
    void anUnknownCalleeIsRejected() {
        assertThatThrownBy(() -> TaskFixture.supervisor(TaskFixture.researcher(), b -> b.agents("resercher")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("Agent 'boss': background names sub-agent 'resercher', which it does not have. It has:"
                        + " researcher.");
    }

    @Test
    void anUnknownTaskIsReported() {
        try (TestRuntime test =
                TaskFixture.runtime(store(Kind.SQLITE), TaskFixture.script()).build()) {
            assertThatThrownBy(() -> test.runtime().task(RunId.of("run_none")))
                    .isInstanceOf(TaskUnknownException.class)
                    .hasMessageStartingWith("There is no background task run_none in the store.");
        }
    }

    private static TaskStatus status(TestRuntime test, Task task) {
        return test.runtime().tasks(TaskFilter.attemptsOf(task.id())).getFirst().status();
    }

    private static List<Message> resultMessages(TestRuntime test) {
        return test.runtime().threads().lastMessages(TaskFixture.ANN, "t", 100).stream()
                .map(ThreadMessage::message)
                .filter(message -> message.id().startsWith("task-"))
                .toList();
    }
}
