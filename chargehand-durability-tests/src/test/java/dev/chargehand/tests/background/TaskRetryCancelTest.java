package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskEndContext;
import dev.chargehand.background.TaskStatus;
import dev.chargehand.error.ModelException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A task that is cancelled after its first attempt has failed: before the second one starts, or while that is executed. */
@Timeout(120)
class TaskRetryCancelTest {

    @TempDir
    Path folder;

    private Store sqlite() {
        return JdbcStore.sqlite(folder.resolve("tasks.db"));
    }

    @Test
    void theIdOfATaskCancelsItsNextAttempt() {
        endsTheTask(sqlite(), (test, first) -> test.runtime().cancel(first.runId()));
    }

    @Test
    void theIdOfATaskCancelsItsNextAttemptInAStoreThatForgetsRuns() {
        endsTheTask(InMemoryStore.create(), (test, first) -> test.runtime().cancel(first.runId()));
    }

    @Test
    void theHandleOfAnAttemptCancelsTheNextOne() {
        endsTheTask(sqlite(), (test, first) -> first.cancel());
    }

    private static void endsTheTask(Store store, BiPredicate<TestRuntime, RunHandle> cancel) {
        CountDownLatch opened = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        Queue<TaskEndContext> ends = new ConcurrentLinkedQueue<>();
        Queue<Boolean> asked = new ConcurrentLinkedQueue<>();
        Agent researcher = TaskFixture.researcher(builder -> builder.defaultOptions(o -> o.retries(0)));
        Agent boss = TaskFixture.supervisor(
                researcher, b -> b.agents("researcher").retries(1).onTaskEnd(ends::add));
        Script script = ScriptedModel.script()
                .on("boss")
                .answers(TaskFixture::boss)
                .forever()
                .on("researcher")
                .answers(request -> {
                    asked.add(true);
                    TaskFixture.await(asked.size() == 1 ? opened : never);
                    throw new ModelException(ModelException.Kind.OVERLOADED, "Busy.", null);
                })
                .forever();
        try (TestRuntime test = TaskFixture.runtime(store, script).agents(boss).build()) {
            RunResult run = test.agent("boss").generate("Research bees", TaskFixture.onThread());
            RunId id = TaskFixture.tasks(test, run.runId()).getFirst().id();
            RunHandle first = test.runtime().task(id);
            assertThat(first.runId()).isEqualTo(id);
            opened.countDown();
            TaskFixture.until(
                    "the first attempt has failed", () -> last(test, run).attempt() == 2);

            assertThat(cancel.test(test, first)).isTrue();

            TaskFixture.until("the end was observed", () -> !ends.isEmpty());
            assertThat(ends).hasSize(1).allSatisfy(end -> {
                assertThat(end.taskId()).isEqualTo(id);
                assertThat(end.attempt()).isEqualTo(2);
                assertThat(end.stopReason()).isEqualTo(new StopReason.Cancelled("caller"));
            });
            assertThat(last(test, run).status()).isEqualTo(TaskStatus.CANCELLED);
            assertThat(cancel.test(test, first)).isFalse();
        }
    }

    private static Task last(TestRuntime test, RunResult run) {
        return TaskFixture.tasks(test, run.runId()).getFirst();
    }
}
