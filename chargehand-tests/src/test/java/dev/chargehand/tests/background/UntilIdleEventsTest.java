package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.IdleStream;
import dev.chargehand.Wakeups;
import dev.chargehand.background.IdleReason;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.event.BackgroundTaskEvent;
import dev.chargehand.event.BackgroundTaskEvent.BackgroundTaskCompleted;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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
                .answers(this::boss)
                .forever()
                .on("researcher")
                .answers(request ->
                        TaskFixture.says("Found " + request.messages().getLast().text()))
                .forever();
    }

    /** It starts a task, is silent until the end of that was received, delegates in the foreground, and reads the result. */
    private ModelResponse boss(ModelRequest request) {
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
        return TaskFixture.calls("agent-researcher", "{\"prompt\":\"more\",\"background\":false}");
    }
}
