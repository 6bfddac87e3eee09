package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.IdleStream;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.background.IdleReason;
import dev.chargehand.event.BackgroundTaskEvent;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A task or a turn of an until-idle call that another process took over, while this one is held up in the middle of it. */
@Timeout(120)
class UntilIdleHeldUpTest {

    @TempDir
    Path folder;

    record Topic(String topic) {}

    @Test
    void theEndThatAnotherProcessHasStoredPrecedesIdle() {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        try (TestRuntime stopped = runtime(Wakeups.own(), held, free);
                TestRuntime other = runtime(Wakeups.off(), new CountDownLatch(1), new CountDownLatch(0));
                IdleStream call = stopped.agent("boss").streamUntilIdle("Research bees", TaskFixture.onThread())) {
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

    @Test
    void theAnswerOfATurnThatAnotherProcessHasExecutedIsRead() {
        CountDownLatch free = new CountDownLatch(1);
        try (TestRuntime other = runtime(Wakeups.off(), new CountDownLatch(1), new CountDownLatch(0));
                TestRuntime stopped = TaskFixture.runtime(new HeldClaim(file(), other, free), TaskFixture.script())
                        .build();
                IdleStream call = stopped.agent("boss").streamUntilIdle("Research bees", TaskFixture.onThread())) {
            IdleStream.IdleResult result = call.result();
            free.countDown();

            assertThat(result.turns()).extracting(RunResult::text).containsExactly("Seen: []", "Seen: [Found bees]");
        } finally {
            free.countDown();
        }
    }

    /** Is held up before it claims the second turn, which another process executes meanwhile. */
    private static final class HeldClaim extends ForwardingStore {
        private final TestRuntime other;
        private final CountDownLatch free;
        private final AtomicInteger claims = new AtomicInteger();

        private HeldClaim(Store store, TestRuntime other, CountDownLatch free) {
            super(store);
            this.other = other;
            this.free = free;
        }

        @Override
        public RunRecord claimToWake(
                RunId runId, long expectedEpoch, long expectedLength, String owner, Instant notBefore) {
            if (claims.incrementAndGet() == 2) {
                takeOver(other, runId);
                awaitDeafly(free);
            }
            return super.claimToWake(runId, expectedEpoch, expectedLength, owner, notBefore);
        }
    }

    private static void takeOver(TestRuntime other, RunId task) {
        Store store = other.runtime().store();
        store.heartbeat(store.find(task).orElseThrow().owner(), Duration.ZERO);
        assertThat(other.runtime().resume(task, o -> {}).result().status().isEnded())
                .isTrue();
    }

    private Store file() {
        return JdbcStore.sqlite(folder.resolve("lost.db"));
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
        return TaskFixture.runtime(file(), script)
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
