package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.background.TaskStatus;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.TestRuntime;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
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

    private static final Approver ANN = Approver.of("ann");

    @TempDir
    private Path folder;

    private final PublishingTasks tasks = new PublishingTasks();

    private Store store(Kind kind) {
        return switch (kind) {
            case MEMORY -> InMemoryStore.keepingEndedRuns();
            case SQLITE -> JdbcStore.sqlite(folder.resolve("tasks.db"));
        };
    }

    @ParameterizedTest
    @EnumSource
    void anAnswerIsCarriedOutWhenAPlaceIsFreeAndItsCallerWaits(Kind kind) {
        try (TestRuntime test = tasks.runtime(store(kind), Wakeups.own())) {
            RunId asking = PublishingTasks.waiting(test);
            tasks.takeThePlace(test);
            RunHandle answered = test.runtime().approve(PublishingTasks.question(test, asking), ANN);
            CompletableFuture<RunResult> result = CompletableFuture.supplyAsync(answered::result);

            assertThat(answered.status()).as("no place is free").isEqualTo(RunStatus.SUSPENDED);
            assertThat(result).isNotDone();
            assertThat(tasks.published).hasValue(0);
            tasks.open.countDown();

            assertThat(result.join().text()).isEqualTo("Found bees");
            assertThat(tasks.published).hasValue(1);
            assertThat(PublishingTasks.statusOf(test, asking)).isEqualTo(TaskStatus.COMPLETED);
        }
    }

    /** The other task ends before anybody asks for the result, and this process wakes nothing of other ones. */
    @Test
    void aTaskOfADeadProcessIsResumedWithoutACallerThatWaits() {
        RunId asking;
        try (TestRuntime first = tasks.runtime(store(Kind.SQLITE), Wakeups.own())) {
            asking = PublishingTasks.waiting(first);
        }
        CountDownLatch finished = new CountDownLatch(1);
        try (TestRuntime test = tasks.runtime(store(Kind.SQLITE), Wakeups.own())) {
            tasks.takeThePlace(test);
            RunHandle answered = test.runtime()
                    .answer(
                            PublishingTasks.question(test, asking),
                            ApprovalAnswer.approve(ANN),
                            o -> o.onFinish(end -> finished.countDown()));
            assertThat(answered.status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(test.runtime().recover().runIds())
                    .as("it keeps the options of the answer")
                    .isEmpty();
            tasks.open.countDown();

            TaskFixture.until(
                    "the task has ended", () -> PublishingTasks.statusOf(test, asking) == TaskStatus.COMPLETED);
            TaskFixture.until("the hook of the answer was called", () -> finished.getCount() == 0);
            assertThat(answered.result().text()).isEqualTo("Found bees");
            assertThat(tasks.published).hasValue(1);
        }
    }

    @Test
    void twoAnswersGetThePlaceOneAfterTheOther() {
        try (TestRuntime test = tasks.runtime(store(Kind.SQLITE), Wakeups.own())) {
            List<RunId> asking = List.of(PublishingTasks.waiting(test), PublishingTasks.waiting(test));
            tasks.takeThePlace(test);
            List<RunHandle> answered = asking.stream()
                    .map(task -> test.runtime().approve(PublishingTasks.question(test, task), ANN))
                    .toList();
            assertThat(answered).extracting(RunHandle::status).containsOnly(RunStatus.SUSPENDED);
            tasks.open.countDown();

            assertThat(answered).extracting(run -> run.result().text()).containsOnly("Found bees");
            assertThat(tasks.published).hasValue(2);
            RunId another = PublishingTasks.started(test, "block");
            TaskFixture.until(
                    "the place is free again", () -> PublishingTasks.statusOf(test, another) == TaskStatus.COMPLETED);
        }
    }

    /** What was cancelled while it waited for a place takes none. */
    @Test
    void aTaskThatIsCancelledWhileItWaitsLeavesThePlaceToTheNext() {
        try (TestRuntime test = tasks.runtime(store(Kind.SQLITE), Wakeups.own())) {
            RunId cancelled = PublishingTasks.waiting(test);
            RunId other = PublishingTasks.waiting(test);
            tasks.takeThePlace(test);
            RunHandle first = test.runtime().approve(PublishingTasks.question(test, cancelled), ANN);
            RunHandle second = test.runtime().approve(PublishingTasks.question(test, other), ANN);
            assertThat(first.cancel()).isTrue();
            tasks.open.countDown();

            assertThat(second.result().text()).isEqualTo("Found bees");
            assertThat(PublishingTasks.statusOf(test, cancelled)).isEqualTo(TaskStatus.CANCELLED);
            assertThat(tasks.published).hasValue(1);
        }
    }
}
