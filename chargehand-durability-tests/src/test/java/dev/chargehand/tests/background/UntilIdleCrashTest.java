package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.RunHandle;
import dev.chargehand.RunOptions;
import dev.chargehand.Wakeups;
import dev.chargehand.background.OnEnd;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.background.TaskStatus;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.thread.ThreadMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A process that is gone between any two facts of the turns of an until-idle call, or of a run whose task starts a turn, and of its task. Another process continues the
 * conversation: there is one task, one result in the thread, and one answer to it.
 */
@Timeout(300)
class UntilIdleCrashTest {

    /** More appends than the call makes. */
    private static final int MANY = 200;

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"false, false", "true, false", "false, true", "true, true"})
    void anotherProcessContinuesTheConversation(boolean onDisk, boolean untilIdle) throws InterruptedException {
        int appends = appendsOfAWholeCall();
        assertThat(appends).isGreaterThan(8);
        for (int append = 2;
                append <= appends;
                append += onDisk ? 3 : 1) { // a file behaves as memory does, and is slower
            int gone = append;
            assertThat(interruptedBefore(append, onDisk, untilIdle))
                    .as(() -> "gone before append " + gone)
                    .isEqualTo("task COMPLETED, 1 message, 1 answer: Seen: [Found bees]");
        }
    }

    private static int appendsOfAWholeCall() {
        FaultyStore counted = FaultyStore.over(InMemoryStore.keepingEndedRuns());
        CountDownLatch gate = new CountDownLatch(1);
        try (TestRuntime test =
                TaskFixture.runtime(counted, TaskFixture.script(gate)).build()) {
            assertThat(test.agent("boss")
                            .generateUntilIdle("Research bees", opening(gate))
                            .text())
                    .isEqualTo("Seen: [Found bees]");
        }
        return counted.count(FaultyStore.Operation.APPEND);
    }

    /** Opens the gate of the task when a turn has ended. */
    private static Consumer<RunOptions.Builder> opening(CountDownLatch gate) {
        return TaskFixture.onThread().andThen(o -> o.onFinish(end -> gate.countDown()));
    }

    private String interruptedBefore(int append, boolean onDisk, boolean untilIdle) throws InterruptedException {
        Path file = folder.resolve("gone-" + append + ".db");
        Store store = onDisk ? JdbcStore.sqlite(file) : InMemoryStore.keepingEndedRuns();
        FaultyStore dying = FaultyStore.over(store);
        IntStream.range(append, append + MANY).forEach(nth -> dying.failOn(FaultyStore.Operation.APPEND, nth));
        CountDownLatch gate = new CountDownLatch(1);
        try (TestRuntime test =
                TaskFixture.runtime(dying, TaskFixture.script(gate)).build()) {
            Thread closing = Thread.ofVirtual().start(() -> {
                TaskFixture.until("the store is gone", () -> dying.count(FaultyStore.Operation.APPEND) >= append);
                test.close();
            });
            if (untilIdle) {
                assertThatThrownBy(() -> test.agent("boss").generateUntilIdle("Research bees", opening(gate)))
                        .isInstanceOf(ChargehandException.class);
            } else {
                RunHandle ignored =
                        test.agent("boss").start("Research bees", opening(gate).andThen(o -> o.onEnd(OnEnd.CONTINUE)));
            }
            closing.join();
        } finally {
            gate.countDown();
        }
        Store after = onDisk ? JdbcStore.sqlite(file) : store;
        try (TestRuntime test = TaskFixture.runtime(after, TaskFixture.script())
                .wakeups(Wakeups.all())
                .build()) {
            return finish(test);
        } finally {
            assertThat(Files.exists(file)).isEqualTo(onDisk);
        }
    }

    private static String finish(TestRuntime test) {
        TaskFixture.until(
                "the conversation is idle",
                () -> test.runtime()
                                .store()
                                .list(RunFilter.ROOTS.statuses(RunStatus.PENDING, RunStatus.RUNNING))
                                .isEmpty()
                        && !test.runtime().tasks(TaskFilter.ALL).isEmpty());
        List<Task> tasks = test.runtime().tasks(TaskFilter.ALL);
        assertThat(tasks).hasSize(1).first().extracting(Task::status).isEqualTo(TaskStatus.COMPLETED);
        assertThat(tasks.getFirst().readBy()).isPresent();
        List<Message> messages = test.runtime().threads().lastMessages(TaskFixture.ANN, "t", 100).stream()
                .map(ThreadMessage::message)
                .toList();
        long results = messages.stream()
                .filter(message -> message.id().startsWith("task-"))
                .count();
        long answers = messages.stream()
                .filter(message ->
                        message.role() == Role.ASSISTANT && message.text().contains("Found"))
                .count();
        return "task " + tasks.getFirst().status() + ", " + results + " message, " + answers + " answer: "
                + messages.getLast().text();
    }
}
