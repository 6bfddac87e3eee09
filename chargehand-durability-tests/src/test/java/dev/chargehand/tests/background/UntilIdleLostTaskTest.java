package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.IdleStream;
import dev.chargehand.Wakeups;
import dev.chargehand.background.IdleReason;
import dev.chargehand.event.BackgroundTaskEvent;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A task of an until-idle call that another process took over, while this one is held up in a tool of it. */
@Timeout(120)
class UntilIdleLostTaskTest {

    @TempDir
    Path folder;

    record Topic(String topic) {}

    @Test
    void theEndThatAnotherProcessHasStoredPrecedesIdle() {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        try (TestRuntime stopped = runtime(Wakeups.own(), held, free);
                TestRuntime other = runtime(Wakeups.off(), new CountDownLatch(1), new CountDownLatch(0));
                IdleStream call =
                        stopped.agent("boss").streamUntilIdle("Research bees", TaskFixture.onThread())) {
            List<RunEvent> events = new ArrayList<>();
            for (RunEvent event : call) {
                events.add(event);
                if (event instanceof BackgroundTaskEvent.BackgroundTaskRunning) {
                    TaskFixture.await(held);
                    takeOver(other, event.runId());
                }
            }
            free.countDown();

            assertThat(call.result().reason()).isEqualTo(IdleReason.DONE);
            assertThat(call.result().text()).isEqualTo("Seen: [Found bees]");
            assertThat(events)
                    .filteredOn(BackgroundTaskEvent.BackgroundTaskCompleted.class::isInstance)
                    .hasSize(1);
        } finally {
            free.countDown();
        }
    }

    private static void takeOver(TestRuntime other, RunId task) {
        Store store = other.runtime().store();
        store.heartbeat(store.find(task).orElseThrow().owner(), Duration.ZERO);
        assertThat(other.runtime().resume(task, o -> {}).result().status().isEnded())
                .isTrue();
    }

    private TestRuntime runtime(Wakeups wakeups, CountDownLatch held, CountDownLatch free) {
        Tool look = Tool.builder("look", "Looks it up.")
                .input(Topic.class)
                .repeatable()
                .handler((topic, context) -> {
                    held.countDown();
                    awaitDeafly(free);
                    return "seen";
                })
                .build();
        Agent researcher = TaskFixture.researcher(builder -> builder.tools(look));
        Script script = ScriptedModel.script()
                .on("boss")
                .answers(TaskFixture::boss)
                .forever()
                .on("researcher")
                .answers(request -> TaskFixture.hasDelegated(request)
                        ? TaskFixture.says("Found bees")
                        : TaskFixture.calls("look", "{\"topic\":\"bees\"}"))
                .forever();
        return TaskFixture.runtime(JdbcStore.sqlite(folder.resolve("lost.db")), script)
                .agents(TaskFixture.supervisor(researcher, b -> b.agents("researcher")))
                .wakeups(wakeups)
                .build();
    }

    /** Wait without an end by an interrupt, as code that is stuck does. */
    private static void awaitDeafly(CountDownLatch gate) {
        boolean isOpen = false;
        while (!isOpen) {
            try {
                gate.await();
                isOpen = true;
            } catch (InterruptedException e) {
                isOpen = gate.getCount() == 0;
            }
        }
    }
}
