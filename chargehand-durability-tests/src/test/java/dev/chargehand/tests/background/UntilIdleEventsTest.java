package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.IdleStream;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.background.IdleReason;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.background.Tasks;
import dev.chargehand.event.BackgroundTaskEvent;
import dev.chargehand.event.BackgroundTaskEvent.BackgroundTaskCompleted;
import dev.chargehand.event.BackgroundTaskEvent.BackgroundTaskStarted;
import dev.chargehand.event.BackgroundTaskEvent.BackgroundTaskSuspended;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Append;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The events of tasks in the stream of an until-idle call, whatever the turn does and whichever process executes the task. */
@Timeout(60)
class UntilIdleEventsTest {

    @TempDir
    Path folder;

    private RunId first;

    /** Opened by the reader when it has received the end of the task; the model of the turn is silent until then. */
    private final CountDownLatch received = new CountDownLatch(1);

    @Test
    void theEndOfATaskIsReceivedWhileTheModelOfTheTurnIsSilent() {
        try (TestRuntime test = TaskFixture.runtime(JdbcStore.sqlite(folder.resolve("idle.db")), script())
                .build()) {
            assertThat(typesOfTask(test))
                    .contains("background-task-started", "background-task-running", "background-task-completed")
                    .doesNotHaveDuplicates();
        }
    }

    /** The append of the end returns late: it is stored, and the turn that follows is over, before the task has emitted its end. */
    @ParameterizedTest
    @CsvSource({"false, STATES", "true, STATES", "false, ALL", "true, ALL"})
    void theEndOfATaskPrecedesThatOfTheCall(boolean forgets, Tasks shown) {
        CountDownLatch turnIsOver = new CountDownLatch(1);
        CountDownLatch looked = new CountDownLatch(3);
        CountDownLatch gate = new CountDownLatch(1);
        Store store = forgets ? InMemoryStore.create() : InMemoryStore.keepingEndedRuns();
        try (TestRuntime test = TaskFixture.runtime(late(store, turnIsOver, looked), TaskFixture.script(gate))
                        .build();
                IdleStream stream = test.agent("boss")
                        .streamUntilIdle("Research bees", TaskFixture.onThread().andThen(o -> o.events(shown)))) {
            List<String> types = new ArrayList<>();
            for (RunEvent event : stream) {
                types.add(event.type());
                if (event instanceof RunEvent.RunFinish) {
                    (gate.getCount() > 0 ? gate : turnIsOver).countDown();
                }
            }
            assertThat(types).contains("background-task-completed").endsWith("idle");
        } finally {
            LongStream.range(0, looked.getCount()).forEach(i -> looked.countDown());
        }
    }

    /** A store whose append of the end of a task returns when the reader has looked three times after the last turn. */
    private static Store late(Store store, CountDownLatch turnIsOver, CountDownLatch looked) {
        return (Store) Proxy.newProxyInstance(
                UntilIdleEventsTest.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("list") && turnIsOver.getCount() == 0) {
                        looked.countDown();
                    }
                    Object result = method.invoke(store, arguments);
                    if (method.getName().equals("append") && endsATask(arguments[0])) {
                        looked.await();
                    }
                    return result == store ? proxy : result;
                });
    }

    private static boolean endsATask(Object appends) {
        return appends instanceof List<?> all
                && all.stream()
                        .anyMatch(each -> each instanceof Append append
                                && append.taskEnd().isPresent());
    }

    @Test
    void theEventsOfATaskAreReceivedThatAnotherProcessExecutes() {
        Path file = folder.resolve("idle.db");
        try (TestRuntime calling = TaskFixture.runtime(JdbcStore.sqlite(file), script())
                        .wakeups(Wakeups.off())
                        .build();
                TestRuntime other = TaskFixture.runtime(JdbcStore.sqlite(file), TaskFixture.script())
                        .wakeups(Wakeups.all())
                        .build()) {
            assertThat(typesOfTask(calling))
                    .contains("background-task-started", "background-task-running", "background-task-completed")
                    .doesNotHaveDuplicates();
            assertThat(other.runtime().store().list(RunFilter.ROOTS.tasks(TaskFilter.ALL)))
                    .extracting(RunRecord::owner)
                    .as("the process that has the call did not execute the task")
                    .doesNotContain(
                            calling.runtime().store().find(first).orElseThrow().owner());
        }
    }

    /** The first events come from this process and later ones from the store, which has the first ones too. */
    @Test
    void theEventsOfATaskAreReceivedOnceThatMovesToAnotherProcess() {
        Path file = folder.resolve("idle.db");
        try (TestRuntime calling = withApproval(file);
                TestRuntime other = withApproval(file);
                IdleStream stream = calling.agent("boss").streamUntilIdle("Research bees", TaskFixture.onThread())) {
            List<RunEvent> ofTask = new ArrayList<>();
            for (RunEvent event : stream) {
                if (event instanceof BackgroundTaskEvent && !(event instanceof BackgroundTaskStarted)) {
                    ofTask.add(event);
                }
                if (event instanceof BackgroundTaskSuspended) {
                    PendingApproval waiting = other.runtime()
                            .task(event.runId())
                            .pendingApprovals()
                            .getFirst();
                    other.runtime().approve(waiting, Approver.of("ann"));
                }
                if (event instanceof BackgroundTaskCompleted) {
                    received.countDown();
                }
            }
            assertThat(stream.result().reason()).isEqualTo(IdleReason.DONE);
            assertThat(ofTask)
                    .extracting(RunEvent::type)
                    .containsExactly(
                            "background-task-running",
                            "background-task-suspended",
                            "background-task-resumed",
                            "background-task-progress",
                            "background-task-completed");
        }
    }

    private TestRuntime withApproval(Path file) {
        Tool publish = Tool.builder("publish", "Publishes.")
                .input(Nothing.class)
                .handler((input, context) -> "published")
                .requiresApproval()
                .build();
        Agent researcher = TaskFixture.researcher(builder -> builder.tools(publish));
        Agent writer = Agent.builder("writer")
                .description("Writes.")
                .model("scripted/writer")
                .build();
        Agent boss = Agent.builder("boss")
                .model("scripted/boss")
                .agents(researcher, writer)
                .background(b -> b.agents("researcher"))
                .build();
        Script script = ScriptedModel.script()
                .on("boss")
                .answers(request -> boss(request, "agent-writer"))
                .forever()
                .on("researcher")
                .answers(request -> request.messages().getLast().toolResults().isEmpty()
                        ? TaskFixture.calls("publish", "{}")
                        : TaskFixture.says("Found it"))
                .forever()
                .on("writer")
                .answers(request -> TaskFixture.says("Written"))
                .forever();
        return TaskFixture.runtime(JdbcStore.sqlite(file), script).agents(boss).build();
    }

    record Nothing() {}

    /** Reads a call to its end, and returns the types of the events of its task. */
    private List<String> typesOfTask(TestRuntime test) {
        List<String> types = new ArrayList<>();
        try (IdleStream stream = test.agent("boss").streamUntilIdle("Research bees", TaskFixture.onThread())) {
            first = stream.runId();
            for (RunEvent event : stream) {
                if (event instanceof BackgroundTaskEvent) {
                    types.add(event.type());
                }
                if (event instanceof BackgroundTaskCompleted) {
                    received.countDown();
                }
            }
            assertThat(stream.result().reason()).isEqualTo(IdleReason.DONE);
            assertThat(stream.result().text()).isEqualTo("Seen: [Found bees]");
            assertThat(stream.result().tasks()).extracting(Task::agentId).containsExactly("researcher");
        }
        return types;
    }

    private Script script() {
        return ScriptedModel.script()
                .on("boss")
                .answers(request -> boss(request, "agent-researcher"))
                .forever()
                .on("researcher")
                .answers(request ->
                        TaskFixture.says("Found " + request.messages().getLast().text()))
                .forever();
    }

    /** It starts a task, is silent until the end of that was received, delegates in the foreground, and reads the result. */
    private ModelResponse boss(ModelRequest request, String next) {
        long results = request.messages().stream()
                .filter(message -> !message.toolResults().isEmpty())
                .count();
        if (results != 1) {
            return TaskFixture.boss(request);
        }
        try {
            received.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return TaskFixture.calls(next, "{\"prompt\":\"more\"}");
    }
}
