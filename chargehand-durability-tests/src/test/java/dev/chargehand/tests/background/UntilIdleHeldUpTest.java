package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.IdleStream;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.background.IdleReason;
import dev.chargehand.background.Tasks;
import dev.chargehand.event.BackgroundTaskEvent;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunFilter;
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
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
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

    /** The reader has received all that the process which is held up had to say when another takes the task over. */
    @Test
    void allEventsOfATaskPrecedeIdleThatAnotherProcessTakesOver() {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch free = new CountDownLatch(1);
        AtomicReference<@Nullable RunId> lost = new AtomicReference<>();
        try (TestRuntime other = runtime(Wakeups.off(), new CountDownLatch(1), new CountDownLatch(0));
                TestRuntime stopped =
                        runtime(new TakenOverAtALook(file(), other, held, lost), Wakeups.own(), held, free);
                IdleStream call = stopped.agent("boss")
                        .streamUntilIdle("Research bees", TaskFixture.onThread().andThen(o -> o.events(Tasks.ALL)))) {
            List<RunEvent> events = new ArrayList<>();
            RunId task = null;
            boolean isAnswered = false;
            for (RunEvent event : call) {
                events.add(event);
                isAnswered |= event instanceof RunEvent.RunFinish;
                task = WholeTasksFixture.isOfTheTool(event, call) ? event.runId() : task;
                lost.set(isAnswered ? task : null);
            }
            free.countDown();

            assertThat(call.result().reason()).isEqualTo(IdleReason.DONE);
            assertThat(WatchFixture.ids(WholeTasksFixture.of(Objects.requireNonNull(task), events)))
                    .isEqualTo(WatchFixture.ids(other.runtime().history(task)));
        } finally {
            free.countDown();
        }
    }

    /** Another process takes a task over right before the call looks at its tasks. */
    private static final class TakenOverAtALook extends ForwardingStore {
        private final TestRuntime other;
        private final CountDownLatch held;
        private final AtomicReference<@Nullable RunId> lost;
        private final AtomicBoolean taken = new AtomicBoolean();

        private TakenOverAtALook(
                Store store, TestRuntime other, CountDownLatch held, AtomicReference<@Nullable RunId> lost) {
            super(store);
            this.other = other;
            this.held = held;
            this.lost = lost;
        }

        @Override
        public List<RunRecord> list(RunFilter filter) {
            RunId task = lost.get();
            if (task != null && filter.untilIdle().isPresent() && taken.compareAndSet(false, true)) {
                TaskFixture.await(held);
                takeOver(other, task);
            }
            return super.list(filter);
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
        return runtime(file(), wakeups, held, free);
    }

    private static TestRuntime runtime(Store store, Wakeups wakeups, CountDownLatch held, CountDownLatch free) {
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
        return TaskFixture.runtime(store, script)
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
