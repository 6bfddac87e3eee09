package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.RunOptions;
import dev.chargehand.RunStream;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.Approver;
import dev.chargehand.background.OnEnd;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.background.TaskStatus;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of a task of an ordinary run starts a turn on its thread, if the run or its agent says so. */
@Timeout(60)
class OnEndTest {

    private static final String ANSWER = "Seen: [Found bees]";

    @TempDir
    Path folder;

    private final CountDownLatch gate = new CountDownLatch(1);

    private Store disk() {
        return JdbcStore.sqlite(folder.resolve("end.db"));
    }

    private TestRuntime runtime(Store store) {
        return TaskFixture.runtime(store, TaskFixture.script(gate)).build();
    }

    private static Consumer<RunOptions.Builder> continuing() {
        return TaskFixture.onThread().andThen(o -> o.onEnd(OnEnd.CONTINUE));
    }

    private enum Call {
        GENERATE,
        STREAM,
        START,
        SUBMIT
    }

    private static RunId call(Call call, TestRuntime test, Consumer<RunOptions.Builder> options) {
        Agent boss = test.agent("boss");
        return switch (call) {
            case GENERATE -> boss.generate("Research bees", options).runId();
            case STREAM -> {
                try (RunStream stream = boss.stream("Research bees", options)) {
                    yield stream.result().runId();
                }
            }
            case START -> boss.start("Research bees", options).result().runId();
            case SUBMIT -> test.runtime().submit(boss, List.of(Message.user("Research bees")), options);
        };
    }

    /** Returns the texts of the supervisor's answers, when nothing is executed any more. */
    private static List<String> answers(TestRuntime test) {
        return answers(test, "t");
    }

    private static List<String> answers(TestRuntime test, String thread) {
        TaskFixture.until("nothing is executed", () -> test.runtime()
                .store()
                .list(RunFilter.ROOTS.statuses(RunStatus.PENDING, RunStatus.RUNNING))
                .isEmpty());
        return test.runtime().threads().lastMessages(TaskFixture.ANN, thread, 100).stream()
                .map(ThreadMessage::message)
                .filter(message ->
                        message.role() == Role.ASSISTANT && !message.text().isEmpty())
                .map(Message::text)
                .toList();
    }

    private static List<RunRecord> turnsAfter(TestRuntime test, RunId first) {
        return test.runtime().store().list(RunFilter.ROOTS.untilIdle(first)).stream()
                .filter(run -> run.task().isEmpty() && !run.runId().equals(first))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(Call.class)
    void theResultOfATaskStartsATurn(Call call) {
        try (TestRuntime test = TaskFixture.runtime(disk(), TaskFixture.script(gate))
                .wakeups(call == Call.SUBMIT ? Wakeups.all() : Wakeups.own())
                .build()) {
            RunId first = call(call, test, continuing());
            TaskFixture.until("the first turn is over", () -> test.runtime()
                    .store()
                    .find(first)
                    .orElseThrow()
                    .status()
                    .isEnded());
            gate.countDown();

            assertThat(answers(test)).containsExactly("Seen: []", ANSWER);
            assertThat(turnsAfter(test, first)).extracting(RunRecord::status).containsExactly(RunStatus.COMPLETED);
            assertThat(test.runtime().tasks(TaskFilter.ALL)).allMatch(task -> task.readBy()
                    .orElseThrow()
                    .equals(turnsAfter(test, first).getFirst().runId()));
        }
    }

    /** A store in memory forgets what has ended, and the turn is executed first. */
    @Test
    void aStoreThatForgetsHasTheTurnExecuted() {
        try (TestRuntime test = runtime(InMemoryStore.create())) {
            RunId ignored = call(Call.GENERATE, test, continuing());
            gate.countDown();

            assertThat(answers(test)).containsExactly("Seen: []", ANSWER);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theAgentDecidesUnlessTheCallDoes(boolean waits) {
        Agent boss = TaskFixture.supervisor(
                TaskFixture.researcher(), b -> b.agents("researcher").onEnd(OnEnd.CONTINUE));
        try (TestRuntime test = TaskFixture.runtime(disk(), TaskFixture.script(gate))
                .agents(boss)
                .build()) {
            RunId first = call(
                    Call.GENERATE,
                    test,
                    waits ? TaskFixture.onThread().andThen(o -> o.onEnd(OnEnd.WAIT)) : TaskFixture.onThread());
            gate.countDown();

            assertThat(answers(test)).hasSize(waits ? 1 : 2);
            assertThat(turnsAfter(test, first)).hasSize(waits ? 0 : 1);
        }
    }

    @Test
    void aCallWithHooksThatTheTurnWouldLackIsRejected() {
        try (TestRuntime test = runtime(disk())) {
            Consumer<RunOptions.Builder> guarded = continuing().andThen(o -> o.requireToolApproval(request -> false));

            assertThatThrownBy(() -> test.agent("boss").generate("Research bees", guarded))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("requireToolApproval")
                    .hasMessageContaining("onEnd");
            assertThat(test.runtime().store().list(RunFilter.ROOTS)).isEmpty();
        }
    }

    /** The turn belongs to no process, since the one that started the run leaves its tasks to others too. */
    @Test
    void aProcessWithoutWakeupsLeavesTheTurnToAnother() {
        try (TestRuntime calling = TaskFixture.runtime(disk(), TaskFixture.script(gate))
                        .wakeups(Wakeups.off())
                        .build();
                TestRuntime working = TaskFixture.runtime(disk(), TaskFixture.script(gate))
                        .wakeups(Wakeups.all())
                        .build()) {
            RunId first = call(Call.GENERATE, calling, continuing());
            gate.countDown();

            assertThat(answers(working)).containsExactly("Seen: []", ANSWER);
            assertThat(turnsAfter(working, first))
                    .extracting(RunRecord::owner)
                    .doesNotContain(
                            calling.runtime().store().find(first).orElseThrow().owner());
        }
    }

    @Test
    void twoProcessesExecuteEachTurnOnce() {
        gate.countDown();
        List<String> threads = List.of("a", "b", "c", "d", "e", "f");
        try (TestRuntime one = TaskFixture.runtime(disk(), TaskFixture.script(gate))
                        .wakeups(Wakeups.all())
                        .build();
                TestRuntime other = TaskFixture.runtime(disk(), TaskFixture.script(gate))
                        .wakeups(Wakeups.all())
                        .build()) {
            for (String thread : threads) {
                for (int i = 0; i < 2; i++) {
                    RunId ignored = other.runtime()
                            .submit(
                                    other.agent("boss"),
                                    List.of(Message.user("Research bees")),
                                    continuing().andThen(o -> o.thread(thread)));
                }
            }
            threads.forEach(thread -> assertThat(answers(one, thread).stream()
                            .mapToInt(text -> text.split("Found bees", -1).length - 1)
                            .max())
                    .hasValue(2));
            List<Task> tasks = one.runtime().tasks(TaskFilter.ALL);
            assertThat(tasks).hasSize(12).allMatch(task -> task.readBy().isPresent());
        }
    }

    @Test
    void aTurnFollowsATaskThatWaitedForAnApprovalInAnotherProcess() {
        gate.countDown();
        try (TestRuntime calling = withTool(disk());
                TestRuntime other = withTool(disk())) {
            RunId first = call(Call.GENERATE, calling, continuing());
            TaskFixture.until(
                    "the task waits",
                    () -> TaskFixture.tasks(calling, first).getFirst().status() == TaskStatus.SUSPENDED);
            assertThat(turnsAfter(calling, first)).isEmpty();
            RunId task = TaskFixture.tasks(calling, first).getFirst().runId();
            other.runtime()
                    .approve(other.runtime().task(task).pendingApprovals().getFirst(), Approver.of("ann"));

            awaitRead(calling, first);
            assertThat(answers(calling)).hasSize(2).last().asString().contains("Found it");
            assertThat(turnsAfter(calling, first)).hasSize(1);
        }
    }

    private static void awaitRead(TestRuntime test, RunId first) {
        TaskFixture.until(
                "the result is read",
                () -> TaskFixture.tasks(test, first).getFirst().readBy().isPresent());
    }

    private static TestRuntime withTool(Store store) {
        Tool publish = Tool.builder("publish", "Publishes.")
                .input(Nothing.class)
                .handler((input, context) -> "published")
                .requiresApproval()
                .build();
        UnaryOperator<AgentBuilder> tools = builder -> builder.tools(publish);
        Script script = ScriptedModel.script()
                .on("boss")
                .answers(TaskFixture::boss)
                .forever()
                .on("researcher")
                .answers(request -> request.messages().getLast().toolResults().isEmpty()
                        ? TaskFixture.calls("publish", "{}")
                        : TaskFixture.says("Found it"))
                .forever();
        return TaskFixture.runtime(store, script)
                .agents(TaskFixture.supervisor(TaskFixture.researcher(tools), b -> b.agents("researcher")))
                .build();
    }

    record Nothing() {}

    /** A cancel ends a task that waits in the store, in whichever process it is asked for. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTurnFollowsATaskThatIsCancelledWhileItWaits(boolean elsewhere) {
        try (TestRuntime calling = withTool(disk());
                TestRuntime other = withTool(disk())) {
            RunId first = call(Call.GENERATE, calling, continuing());
            TaskFixture.until(
                    "the task waits",
                    () -> TaskFixture.tasks(calling, first).getFirst().status() == TaskStatus.SUSPENDED);
            RunId task = TaskFixture.tasks(calling, first).getFirst().runId();
            assertThat((elsewhere ? other : calling).runtime().cancel(task)).isTrue();

            awaitRead(calling, first);
            assertThat(answers(calling)).hasSize(2).last().asString().contains("cancelled");
            assertThat(turnsAfter(calling, first)).hasSize(1);
        }
    }

    @Test
    void aTurnFollowsATaskThatFails() {
        Script script = ScriptedModel.script()
                .on("boss")
                .answers(TaskFixture::boss)
                .forever()
                .on("researcher")
                .failsWith(new IllegalStateException("broken"))
                .forever();
        try (TestRuntime test = TaskFixture.runtime(disk(), script).build()) {
            RunId first = call(Call.GENERATE, test, continuing());

            awaitRead(test, first);
            assertThat(answers(test)).last().asString().contains("failed");
        }
    }

    /** What a cancelled conversation has started is for the next turn of the user. */
    @Test
    void noTurnFollowsARunThatWasCancelled() {
        CountDownLatch never = new CountDownLatch(1);
        Script script = ScriptedModel.script()
                .on("boss")
                .answers(request -> {
                    if (TaskFixture.hasDelegated(request)) {
                        TaskFixture.await(never);
                    }
                    return TaskFixture.boss(request);
                })
                .forever()
                .on("researcher")
                .answers(request -> {
                    TaskFixture.await(gate);
                    return TaskFixture.says("Found bees");
                })
                .forever();
        try (TestRuntime test = TaskFixture.runtime(disk(), script).build()) {
            RunId first =
                    test.agent("boss").start("Research bees", continuing()).runId();
            TaskFixture.until(
                    "the task is started", () -> !TaskFixture.tasks(test, first).isEmpty());
            assertThat(test.runtime().cancel(first)).isTrue();
            TaskFixture.until(
                    "it is cancelled",
                    () -> test.runtime().store().find(first).orElseThrow().status() == RunStatus.ABORTED);
            gate.countDown();

            assertThat(answers(test)).isEmpty();
            assertThat(TaskFixture.tasks(test, first).getFirst().status()).isEqualTo(TaskStatus.COMPLETED);
            assertThat(turnsAfter(test, first)).isEmpty();
        }
    }
}
