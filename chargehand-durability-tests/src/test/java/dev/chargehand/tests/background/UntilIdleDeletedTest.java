package dev.chargehand.tests.background;

import static dev.chargehand.tests.background.TaskFixture.ANN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.IdleStream;
import dev.chargehand.IdleStream.IdleResult;
import dev.chargehand.RunResult;
import dev.chargehand.background.IdleReason;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.background.TaskStatus;
import dev.chargehand.event.BackgroundTaskEvent;
import dev.chargehand.event.Idle;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.TestRuntime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An until-idle call whose turns were deleted while a task was executed is not done: no turn reads the result. */
@Timeout(60)
class UntilIdleDeletedTest {

    @TempDir
    Path folder;

    private final CountDownLatch gate = new CountDownLatch(1);

    private enum Kept {
        ON_DISK,
        IN_MEMORY,
        FORGOTTEN
    }

    private Store store(Kept kept) {
        return switch (kept) {
            case ON_DISK -> JdbcStore.sqlite(folder.resolve("idle.db"));
            case IN_MEMORY -> InMemoryStore.keepingEndedRuns();
            case FORGOTTEN -> InMemoryStore.create();
        };
    }

    /** Returns the result of a call with which something is done after its first turn, while its task is executed. */
    private IdleResult call(TestRuntime test, BiConsumer<TestRuntime, IdleStream> change) {
        boolean finished = false;
        boolean running = false;
        List<RunEvent> events = new ArrayList<>();
        try (IdleStream call = test.agent("boss").streamUntilIdle("Research bees", TaskFixture.onThread())) {
            for (RunEvent event : call) {
                events.add(event);
                boolean wasReached = finished && running;
                finished |= event instanceof RunEvent.RunFinish && event.runId().equals(call.runId());
                running |= event instanceof BackgroundTaskEvent.BackgroundTaskRunning;
                if (finished && running && !wasReached) {
                    change.accept(test, call);
                    gate.countDown();
                }
            }
            assertThat(events.getLast()).isInstanceOfSatisfying(Idle.class, idle -> assertThat(idle.reason())
                    .isEqualTo(call.result().reason()));
            return call.result();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ON_DISK", "IN_MEMORY"})
    void aCallWhoseFirstTurnIsDeletedIsCancelled(Kept kept) {
        try (TestRuntime test =
                TaskFixture.runtime(store(kept), TaskFixture.script(gate)).build()) {
            IdleResult result = call(test, (runtime, call) -> assertThat(
                            runtime.runtime().handle(call.runId()).delete())
                    .isTrue());

            assertThat(result.reason()).isEqualTo(IdleReason.CANCELLED);
            assertThat(result.turns()).extracting(RunResult::text).containsExactly("Seen: []");
            assertThat(result.tasks()).extracting(Task::status).containsExactly(TaskStatus.COMPLETED);
            assertThat(test.runtime().tasks(TaskFilter.ALL))
                    .allMatch(task -> task.readBy().isEmpty());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"ON_DISK", "IN_MEMORY"})
    void aCallWhoseThreadIsDeletedIsCancelled(Kept kept) {
        try (TestRuntime test =
                TaskFixture.runtime(store(kept), TaskFixture.script(gate)).build()) {
            IdleResult result = call(test, (runtime, call) -> {
                assertThat(runtime.runtime().handle(call.runId()).delete())
                        .isTrue(); // so that no turn follows the cancel
                assertThat(runtime.runtime().threads().delete(ANN, "t", d -> d.cancelRuns()
                                .withRuns()))
                        .isTrue();
            });

            assertThat(result.reason()).isEqualTo(IdleReason.CANCELLED);
            assertThat(test.runtime().store().list(RunFilter.ALL)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCallOfWhichNothingIsDeletedIsDone(Kept kept) {
        try (TestRuntime test =
                TaskFixture.runtime(store(kept), TaskFixture.script(gate)).build()) {
            IdleResult result = call(test, (runtime, call) -> {});

            assertThat(result.reason()).isEqualTo(IdleReason.DONE);
            assertThat(result.text()).isEqualTo("Seen: [Found bees]");
        }
    }
}
