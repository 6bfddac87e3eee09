package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.Until;
import dev.chargehand.Until.Advanced;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.Approver;
import dev.chargehand.background.TaskStatus;
import dev.chargehand.error.StoreException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.DelegationMemory;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers that resume, advance or wake background tasks while all places of tasks are taken, without wake-ups. */
@Timeout(120)
class TaskPlaceTest {

    private static final Approver ANN = Approver.of("ann");

    @TempDir
    private Path folder;

    private final PublishingTasks tasks = new PublishingTasks();
    private final ManualClock clock = new ManualClock();

    private Store store() {
        return JdbcStore.sqlite(folder.resolve("tasks.db"));
    }

    private TestRuntime runtime() {
        return tasks.runtime(store(), Wakeups.off());
    }

    /** Has a task executed that blocks; it takes a place as any task that is resumed. */
    private RunHandle blocking(TestRuntime test, String topic, String thread) {
        int before = tasks.blocked.get();
        RunHandle run = test.runtime().resume(PublishingTasks.started(test, topic, thread), o -> {});
        TaskFixture.until("the task blocks", () -> tasks.blocked.get() == before + 1);
        return run;
    }

    private static RunId suspended(TestRuntime test) {
        RunHandle asking = test.runtime().resume(PublishingTasks.started(test, "bees"), o -> {});
        assertThat(asking.result().status()).isEqualTo(RunStatus.SUSPENDED);
        return asking.runId();
    }

    private void untilItHasEnded(TestRuntime test, RunId task) {
        TaskFixture.until("the task has ended", () -> {
            clock.advance(Duration.ofSeconds(1));
            return PublishingTasks.statusOf(test, task) == TaskStatus.COMPLETED;
        });
    }

    @Test
    void aTaskIsResumedWhenAPlaceIsFreeWithTheOptionsOfItsCaller() throws Exception {
        try (TestRuntime test = runtime()) {
            RunId quick = PublishingTasks.started(test, "wasps");
            RunHandle block = blocking(test, "block", "t");
            CountDownLatch finished = new CountDownLatch(1);

            RunHandle resumed = test.runtime().resume(quick, o -> o.onFinish(end -> finished.countDown()));
            CompletableFuture<RunResult> result = CompletableFuture.supplyAsync(resumed::result);

            assertThat(resumed.status()).isEqualTo(RunStatus.PENDING);
            assertThat(block.status()).isEqualTo(RunStatus.RUNNING);
            tasks.open.countDown();
            assertThat(result.join().text()).isEqualTo("Found bees");
            finished.await();
        }
    }

    @Test
    void aTaskThatHasAPlaceIsWorkedOn() {
        try (TestRuntime test = runtime()) {
            RunId task = blocking(test, "block", "t").runId();

            assertThatThrownBy(() -> test.runtime().resume(task, o -> {}))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.FENCED));
            assertThatThrownBy(() -> test.runtime().advance(task, Until.never()))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.FENCED));
            tasks.open.countDown();
        }
    }

    @Test
    void aTaskIsNotAdvancedUntilAPlaceIsFree() {
        try (TestRuntime test = runtime()) {
            RunId quick = PublishingTasks.started(test, "wasps");
            RunHandle block = blocking(test, "block", "t");

            assertThat(test.runtime().advance(quick, Until.never())).isEqualTo(new Advanced.Queued());
            assertThat(PublishingTasks.statusOf(test, quick)).isEqualTo(TaskStatus.PENDING);

            tasks.open.countDown();
            assertThat(block.result().text()).isEqualTo("Found nothing");
            TaskFixture.until(
                    "the place is free",
                    () -> test.runtime().advance(quick, Until.never()).equals(new Advanced.Ended(RunStatus.COMPLETED)));
        }
    }

    @Test
    void aTaskThatIsAdvancedHasAPlaceUntilTheCallReturns() {
        try (TestRuntime test = runtime()) {
            RunId block = PublishingTasks.started(test, "block");
            RunId asking = PublishingTasks.started(test, "bees");
            RunId quick = PublishingTasks.started(test, "wasps");
            CompletableFuture<Advanced> advanced =
                    CompletableFuture.supplyAsync(() -> test.runtime().advance(block, Until.never()));
            TaskFixture.until("the task blocks", () -> tasks.blocked.get() == 1);

            assertThat(test.runtime().advance(asking, Until.never())).isEqualTo(new Advanced.Queued());
            tasks.open.countDown();
            assertThat(advanced.join()).isEqualTo(new Advanced.Ended(RunStatus.COMPLETED));
            assertThat(test.runtime().advance(asking, Until.never())).isInstanceOf(Advanced.Suspended.class);
            assertThat(test.runtime().advance(quick, Until.never())).isEqualTo(new Advanced.Ended(RunStatus.COMPLETED));
        }
    }

    /** A store that fails when a run is to be resumed. */
    private static final class DownStore extends ForwardingStore {
        private final String operation;
        private final AtomicInteger failures = new AtomicInteger();
        private volatile @Nullable RunId run;

        DownStore(Store store, String operation) {
            super(store);
            this.operation = operation;
        }

        private void call(String called, RunId runId) {
            if (called.equals(operation) && runId.equals(run)) {
                failures.incrementAndGet();
                throw new StoreException(StoreException.Kind.FAILED, "The store is down.", null);
            }
        }

        @Override
        public Optional<RunRecord> find(RunId runId) {
            call("find", runId);
            return super.find(runId);
        }

        @Override
        public RunRecord claim(RunId runId, long expectedEpoch, long expectedLength, String owner) {
            call("claim", runId);
            return super.claim(runId, expectedEpoch, expectedLength, owner);
        }

        @Override
        public List<FactEntry> read(RunId runId, long from) {
            call("read", runId);
            return super.read(runId, from);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"find", "claim", "read"})
    void aTaskWhoseResumptionTheStoreFailsIsResumedWhenItAnswersAgain(String operation) {
        DownStore store = new DownStore(store(), operation);
        try (TestRuntime test = tasks.runtime(store, Wakeups.off(), 1, builder -> builder)
                .time(clock)
                .build()) {
            RunId asking = suspended(test);
            blocking(test, "block", "t");
            RunHandle answered = test.runtime().approve(PublishingTasks.question(test, asking), ANN);
            assertThat(answered.status()).as("no place is free").isEqualTo(RunStatus.SUSPENDED);

            store.run = asking;
            tasks.open.countDown();
            clock.awaitAlarm(Duration.ofSeconds(1));
            assertThat(store.failures).as("tries so far").hasPositiveValue();
            TaskFixture.until("it is tried again", () -> {
                clock.advance(Duration.ofSeconds(1));
                return clock.pending().stream()
                        .anyMatch(delay -> delay.compareTo(Duration.ofSeconds(3)) >= 0
                                && delay.compareTo(Duration.ofSeconds(4)) <= 0);
            });
            assertThat(tasks.published).hasValue(0);
            store.run = null;
            untilItHasEnded(test, asking);
            assertThat(tasks.published).hasValue(1);
        }
    }

    /** Makes a runtime whose tasks of one conversation work on one thread. */
    private TestRuntime remembering() {
        return tasks.runtime(store(), Wakeups.off(), 2, b -> b.delegationMemory(DelegationMemory.PER_PARENT_THREAD))
                .time(clock)
                .build();
    }

    /** Both tasks work on the thread on which their agent remembers the conversation. */
    @Test
    void aTaskWhoseThreadIsBusyWhenAPlaceIsFreeIsResumedLater() {
        try (TestRuntime test = remembering()) {
            RunId asking = suspended(test);
            blocking(test, "block", "other");
            blocking(test, "hold", "t");
            RunHandle answered = test.runtime().approve(PublishingTasks.question(test, asking), ANN);
            tasks.open.countDown();

            clock.awaitAlarm(Duration.ofSeconds(1));
            assertThat(answered.status()).isEqualTo(RunStatus.SUSPENDED);
            tasks.held.countDown();
            untilItHasEnded(test, asking);
            assertThat(tasks.published).hasValue(1);
        }
    }

    /** The place is free when the answer arrives, and the thread is not. */
    @Test
    void aTaskWhoseThreadIsBusyWhenItIsAnsweredIsResumedLater() {
        try (TestRuntime test = remembering()) {
            RunId asking = suspended(test);
            blocking(test, "hold", "t");
            RunHandle answered = test.runtime().approve(PublishingTasks.question(test, asking), ANN);

            clock.awaitAlarm(Duration.ofSeconds(1));
            assertThat(answered.status()).isEqualTo(RunStatus.SUSPENDED);
            tasks.held.countDown();
            untilItHasEnded(test, asking);
            assertThat(tasks.published).hasValue(1);
        }
    }

    @Test
    void aWorkflowThatIsWokenContinuesWhenAPlaceIsFree() {
        Step<String, String> find = Step.of("find", String.class, String.class, (topic, context) -> {
            if (topic.equals("block")) {
                tasks.block(tasks.open);
            }
            return "Found " + topic;
        });
        Workflow<String, String> research = Workflow.from("research", String.class)
                .description("Researches.")
                .sleep("nap", Duration.ofDays(1))
                .then(find)
                .build(String.class);
        Agent boss = TaskFixture.bossOf(research);
        Script script = ScriptedModel.script()
                .on("boss")
                .answers(request -> TaskFixture.hasDelegated(request)
                        ? TaskFixture.says("Started")
                        : TaskFixture.calls(
                                "workflow-research",
                                "{\"input\":\""
                                        + request.messages().getLast().text().substring("Research ".length())
                                        + "\",\"background\":true}"))
                .forever();
        try (TestRuntime test = TaskFixture.runtime(store(), script)
                .agents(boss)
                .wakeups(Wakeups.off())
                .time(clock)
                .background(b -> b.concurrency(1))
                .build()) {
            RunId block = PublishingTasks.started(test, "block");
            RunId bees = PublishingTasks.started(test, "bees");
            assertThat(test.runtime().advance(block, Until.never())).isInstanceOf(Advanced.Suspended.class);
            assertThat(test.runtime().advance(bees, Until.never())).isInstanceOf(Advanced.Suspended.class);
            test.runtime().wake(block, "nap");
            TaskFixture.until("the task blocks", () -> tasks.blocked.get() == 1);

            test.runtime().wake(bees, "nap");
            assertThat(PublishingTasks.statusOf(test, bees)).isEqualTo(TaskStatus.SUSPENDED);
            tasks.open.countDown();
            TaskFixture.until("both have ended", () -> Stream.of(block, bees)
                    .allMatch(task -> PublishingTasks.statusOf(test, task) == TaskStatus.COMPLETED));
        }
    }
}
