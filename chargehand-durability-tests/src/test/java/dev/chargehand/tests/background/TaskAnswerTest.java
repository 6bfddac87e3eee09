package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.background.TaskStatus;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Answers to background tasks while all places of tasks are taken. */
@Timeout(120)
class TaskAnswerTest {

    enum Kind {
        MEMORY,
        SQLITE
    }

    record Nothing() {}

    private static final Approver ANN = Approver.of("ann");

    @TempDir
    private Path folder;

    private final CountDownLatch open = new CountDownLatch(1);
    private final AtomicInteger blocked = new AtomicInteger();
    private final AtomicInteger published = new AtomicInteger();

    private Store store(Kind kind) {
        return switch (kind) {
            case MEMORY -> InMemoryStore.keepingEndedRuns();
            case SQLITE -> JdbcStore.sqlite(folder.resolve("tasks.db"));
        };
    }

    private TestRuntime runtime(Store store, Wakeups wakeups) {
        Tool publish = Tool.builder("publish", "Publishes.")
                .input(Nothing.class)
                .handler((input, context) -> "published " + published.incrementAndGet())
                .requiresApproval()
                .build();
        Agent researcher = TaskFixture.researcher(builder -> builder.tools(publish));
        Script script = ScriptedModel.script()
                .on("boss")
                .answers(TaskFixture::boss)
                .forever()
                .on("researcher")
                .answers(this::research)
                .forever();
        return TaskFixture.runtime(store, script)
                .agents(TaskFixture.supervisor(researcher, b -> b.agents("researcher")))
                .wakeups(wakeups)
                .background(b -> b.concurrency(1))
                .build();
    }

    /** Blocks its place, or publishes what it has found. */
    private ModelResponse research(ModelRequest request) {
        String last = request.messages().getLast().text();
        if (last.startsWith("block")) {
            blocked.incrementAndGet();
            try {
                open.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return TaskFixture.says("Found nothing");
        }
        return request.messages().getLast().toolResults().isEmpty()
                ? TaskFixture.calls("publish", "{}")
                : TaskFixture.says("Found bees");
    }

    private static RunId started(TestRuntime test, String topic) {
        RunResult run = test.agent("boss").generate("Research " + topic, TaskFixture.onThread());
        return TaskFixture.tasks(test, run.runId()).getFirst().id();
    }

    private static RunId waiting(TestRuntime test) {
        RunId asking = started(test, "bees");
        TaskFixture.until("the task waits", () -> statusOf(test, asking) == TaskStatus.SUSPENDED);
        return asking;
    }

    private void takeThePlace(TestRuntime test) {
        RunId ignored = started(test, "block");
        TaskFixture.until("the other task has the place", () -> blocked.get() == 1);
    }

    private static TaskStatus statusOf(TestRuntime test, RunId task) {
        return test.runtime().tasks(TaskFilter.attemptsOf(task)).getFirst().status();
    }

    private static PendingApproval question(TestRuntime test, RunId task) {
        return test.runtime().task(task).pendingApprovals().getFirst();
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerIsCarriedOutWhenAPlaceIsFreeAndItsCallerWaits(Kind kind) {
        try (TestRuntime test = runtime(store(kind), Wakeups.own())) {
            RunId asking = waiting(test);
            takeThePlace(test);
            RunHandle answered = test.runtime().approve(question(test, asking), ANN);
            CompletableFuture<RunResult> result = CompletableFuture.supplyAsync(answered::result);

            assertThat(answered.status()).as("no place is free").isEqualTo(RunStatus.SUSPENDED);
            assertThat(result).isNotDone();
            assertThat(published).hasValue(0);
            open.countDown();

            assertThat(result.join().text()).isEqualTo("Found bees");
            assertThat(published).hasValue(1);
            assertThat(statusOf(test, asking)).isEqualTo(TaskStatus.COMPLETED);
        }
    }

    /** The other task ends before anybody asks for the result, and this process wakes nothing of other ones. */
    @Test
    void aTaskOfADeadProcessIsResumedWithoutACallerThatWaits() {
        RunId asking;
        try (TestRuntime first = runtime(store(Kind.SQLITE), Wakeups.own())) {
            asking = waiting(first);
        }
        CountDownLatch finished = new CountDownLatch(1);
        try (TestRuntime test = runtime(store(Kind.SQLITE), Wakeups.own())) {
            takeThePlace(test);
            RunHandle answered = test.runtime()
                    .answer(
                            question(test, asking),
                            ApprovalAnswer.approve(ANN),
                            o -> o.onFinish(end -> finished.countDown()));
            assertThat(answered.status()).isEqualTo(RunStatus.SUSPENDED);
            open.countDown();

            TaskFixture.until("the task has ended", () -> statusOf(test, asking) == TaskStatus.COMPLETED);
            TaskFixture.until("the hook of the answer was called", () -> finished.getCount() == 0);
            assertThat(answered.result().text()).isEqualTo("Found bees");
            assertThat(published).hasValue(1);
        }
    }

    @Test
    void twoAnswersGetThePlaceOneAfterTheOther() {
        try (TestRuntime test = runtime(store(Kind.SQLITE), Wakeups.own())) {
            List<RunId> asking = List.of(waiting(test), waiting(test));
            takeThePlace(test);
            List<RunHandle> answered = asking.stream()
                    .map(task -> test.runtime().approve(question(test, task), ANN))
                    .toList();
            assertThat(answered).extracting(RunHandle::status).containsOnly(RunStatus.SUSPENDED);
            open.countDown();

            assertThat(answered).extracting(run -> run.result().text()).containsOnly("Found bees");
            assertThat(published).hasValue(2);
            RunId another = started(test, "block");
            TaskFixture.until("the place is free again", () -> statusOf(test, another) == TaskStatus.COMPLETED);
        }
    }

    /** What was cancelled while it waited for a place takes none. */
    @Test
    void aTaskThatIsCancelledWhileItWaitsLeavesThePlaceToTheNext() {
        try (TestRuntime test = runtime(store(Kind.SQLITE), Wakeups.own())) {
            RunId cancelled = waiting(test);
            RunId other = waiting(test);
            takeThePlace(test);
            RunHandle first = test.runtime().approve(question(test, cancelled), ANN);
            RunHandle second = test.runtime().approve(question(test, other), ANN);
            assertThat(first.cancel()).isTrue();
            open.countDown();

            assertThat(second.result().text()).isEqualTo("Found bees");
            assertThat(statusOf(test, cancelled)).isEqualTo(TaskStatus.CANCELLED);
            assertThat(published).hasValue(1);
        }
    }
}
