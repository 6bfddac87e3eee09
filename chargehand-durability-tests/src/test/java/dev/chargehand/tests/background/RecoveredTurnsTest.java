package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunHandle;
import dev.chargehand.Wakeups;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.thread.ThreadMessage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several runs of a process that is gone wait for one thread: one recovery has all of them executed, in their order. */
@Timeout(120)
class RecoveredTurnsTest {

    @TempDir
    Path folder;

    private TestRuntime runtime(Wakeups wakeups) {
        return runtime(wakeups, new CountDownLatch(0), new CountDownLatch(1));
    }

    private TestRuntime runtime(Wakeups wakeups, CountDownLatch answers, CountDownLatch asked) {
        Script script = ScriptedModel.script()
                .on("boss")
                .answers(request -> {
                    asked.countDown();
                    await(answers);
                    return TaskFixture.says(
                            "Re: " + request.messages().getLast().text());
                })
                .forever();
        return TaskFixture.runtime(JdbcStore.sqlite(folder.resolve("turns.db")), script)
                .wakeups(wakeups)
                .build();
    }

    @Test
    void allAreExecuted() {
        try (TestRuntime gone = runtime(Wakeups.off())) {
            for (String text : List.of("first", "second", "third")) {
                RunId ignored =
                        gone.runtime().submit(gone.agent("boss"), List.of(Message.user(text)), TaskFixture.onThread());
            }
        }
        try (TestRuntime other = runtime(Wakeups.own())) {
            other.runtime().recover();
            assertAnswers(other, "Re: first", "Re: second", "Re: third");
        }
    }

    @Test
    void theOneThatWasBeingExecutedIsTheFirst() {
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        try (TestRuntime stopped = runtime(Wakeups.off(), never, asked);
                TestRuntime other = runtime(Wakeups.own())) {
            RunHandle executed = stopped.agent("boss").start("first", TaskFixture.onThread());
            await(asked);
            RunId ignored = stopped.runtime()
                    .submit(stopped.agent("boss"), List.of(Message.user("second")), TaskFixture.onThread());
            Store store = stopped.runtime().store();
            store.heartbeat(store.find(executed.runId()).orElseThrow().owner(), Duration.ZERO);

            assertThat(other.runtime().recover().runIds()).contains(executed.runId());
            assertAnswers(other, "Re: first", "Re: second");
            never.countDown();
        }
    }

    private static void assertAnswers(TestRuntime test, String... answers) {
        TaskFixture.until(
                "all have been executed",
                () -> test.runtime()
                                .runs(RunFilter.ROOTS.thread("t").statuses(RunStatus.COMPLETED))
                                .size()
                        == answers.length);
        assertThat(test.runtime().threads().lastMessages(TaskFixture.ANN, "t", 10).stream()
                        .map(ThreadMessage::message)
                        .filter(message -> message.role() == Role.ASSISTANT)
                        .map(Message::text))
                .containsExactly(answers);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
