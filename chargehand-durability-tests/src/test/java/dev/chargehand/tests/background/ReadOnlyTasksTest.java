package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.IdleStream.IdleResult;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.background.IdleReason;
import dev.chargehand.background.OnEnd;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.memory.MemoryOptions;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A run that leaves its thread as it is has no background tasks, whose results would change the thread, and takes no results. */
@Timeout(60)
class ReadOnlyTasksTest {

    private static final Consumer<RunOptions.Builder> PEEK =
            TaskFixture.onThread().andThen(o -> o.memory(MemoryOptions::readOnly));

    @TempDir
    Path folder;

    private TestRuntime runtime(Script script) {
        return TaskFixture.runtime(JdbcStore.sqlite(folder.resolve("peek.db")), script)
                .build();
    }

    @Test
    void itDelegatesInTheForeground() {
        try (TestRuntime test = runtime(TaskFixture.script())) {
            RunResult result = test.agent("boss").generate("Research bees", PEEK.andThen(o -> o.onEnd(OnEnd.CONTINUE)));

            assertThat(result.toolResults()).singleElement().satisfies(call -> assertThat(call.toString())
                    .contains("Found bees"));
            assertThat(test.runtime().tasks(TaskFilter.ALL)).isEmpty();
            assertThat(test.runtime().threads().find(TaskFixture.ANN, "t")).isEmpty();
        }
    }

    @Test
    void anUntilIdleCallIsDone() {
        try (TestRuntime test = runtime(TaskFixture.script())) {
            IdleResult result = test.agent("boss").generateUntilIdle("Research bees", PEEK);

            assertThat(result.reason()).isEqualTo(IdleReason.DONE);
            assertThat(result.tasks()).isEmpty();
        }
    }

    /** The result waits for the next turn that is part of the conversation. */
    @Test
    void itTakesNoResult() {
        CountDownLatch gate = new CountDownLatch(1);
        try (TestRuntime test = runtime(TaskFixture.script(gate))) {
            RunResult first = test.agent("boss").generate("Research bees", TaskFixture.onThread());
            gate.countDown();
            TaskFixture.until("the task has ended", () -> TaskFixture.tasks(test, first.runId())
                    .getFirst()
                    .status()
                    .isEnded());

            assertThat(test.agent("boss").generate("Hello", PEEK).text()).isEqualTo("Seen: [Found bees]");
            assertThat(TaskFixture.tasks(test, first.runId()).getFirst().readBy())
                    .isEmpty();
            RunResult next = test.agent("boss").generate("Hello", TaskFixture.onThread());
            assertThat(TaskFixture.tasks(test, first.runId()).getFirst().readBy())
                    .contains(next.runId());
        }
    }
}
