package dev.chargehand.tests.background;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.IdleStream;
import dev.chargehand.IdleStream.IdleResult;
import dev.chargehand.Wakeups;
import dev.chargehand.background.IdleReason;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.error.StoreException;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.DueRuns;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.TestRuntime;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A task whose start is being stored while its until-idle call is cancelled does not start. */
@Timeout(60)
class UntilIdleLateTaskTest {

    private final InMemoryStore store = InMemoryStore.keepingEndedRuns();
    private final CountDownLatch starting = new CountDownLatch(1);
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final CompletableFuture<StoreException.Kind> rejected = new CompletableFuture<>();

    /** Stores the start of a task when the call has been cancelled. */
    private class SlowStarts extends ForwardingStore {

        SlowStarts() {
            super(store);
        }

        @Override
        public Appended append(List<Append> appends) {
            if (appends.stream().noneMatch(SlowStarts::startsTask)) {
                return super.append(appends);
            }
            starting.countDown();
            awaitEvenInterrupted();
            try {
                return super.append(appends);
            } catch (StoreException e) {
                rejected.complete(e.kind());
                throw e;
            }
        }

        private static boolean startsTask(Append append) {
            return append.newRun().filter(run -> run.task().isPresent()).isPresent();
        }

        private void awaitEvenInterrupted() {
            boolean interrupted = false;
            while (cancelled.getCount() > 0) {
                try {
                    cancelled.await();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void aTaskThatWouldStartAfterTheCancelDoesNot() throws Exception {
        try (TestRuntime test = runtime();
                IdleStream turns = test.agent("boss").streamUntilIdle("Research bees", TaskFixture.onThread())) {
            CompletableFuture<IdleResult> result = async(turns::result);
            starting.await();

            turns.cancel();
            cancelled.countDown();

            assertThat(result.get().reason()).isEqualTo(IdleReason.CANCELLED);
            assertThat(rejected.get()).isIn(StoreException.Kind.FENCED, StoreException.Kind.DELIVERED);
            assertThat(test.runtime().tasks(TaskFilter.ALL)).isEmpty();
        } finally {
            gate.countDown();
        }
    }

    @Test
    void itDoesNotStartInAnyProcessIfAnotherOneCancelsTheTurn() throws Exception {
        try (TestRuntime test = runtime();
                AgentRuntime another =
                        AgentRuntime.builder().store(store).providers().build();
                TestRuntime third = TaskFixture.runtime(store, TaskFixture.script(gate))
                        .wakeups(Wakeups.all())
                        .build();
                IdleStream turns = test.agent("boss").streamUntilIdle("Research bees", TaskFixture.onThread())) {
            CompletableFuture<IdleResult> result = async(turns::result);
            starting.await();

            assertThat(another.cancel(turns.runId())).isTrue();
            assertThat(another.cancelTasks(turns.runId())).isZero();
            cancelled.countDown();

            assertThat(result.get().reason()).isEqualTo(IdleReason.CANCELLED);
            assertThat(rejected.get()).isEqualTo(StoreException.Kind.FENCED);
            assertThat(third.runtime().tasks(TaskFilter.ALL)).isEmpty();
        } finally {
            gate.countDown();
        }
    }

    @Test
    void aProcessThatHasNotReadTheCancelOfItsTurnReadsItAtTheStart() throws Exception {
        Store deaf = new SlowStarts() {
            @Override
            public DueRuns due(DueRuns.Query query) {
                return new DueRuns(List.of(), Map.of(), List.of(), List.of());
            }
        };
        try (TestRuntime test =
                        TaskFixture.runtime(deaf, TaskFixture.script(gate)).build();
                AgentRuntime another = AgentRuntime.builder()
                        .store(store)
                        .providers()
                        .timeSource(new ManualClock())
                        .build();
                IdleStream turns = test.agent("boss").streamUntilIdle("Research bees", TaskFixture.onThread())) {
            CompletableFuture<IdleResult> result = async(turns::result);
            starting.await();
            CompletableFuture<Boolean> cancel = async(() -> another.cancel(turns.runId()));
            TaskFixture.until("the cancel is stored", () -> !store.undrained(turns.runId())
                    .isEmpty());

            cancelled.countDown();

            assertThat(rejected.get()).isEqualTo(StoreException.Kind.DELIVERED);
            assertThat(result.get().reason()).isEqualTo(IdleReason.CANCELLED);
            assertThat(cancel.get()).isTrue();
            assertThat(store.find(turns.runId()).orElseThrow().epoch())
                    .as("its process has ended it itself")
                    .isEqualTo(1);
        } finally {
            gate.countDown();
        }
    }

    private TestRuntime runtime() {
        return TaskFixture.runtime(new SlowStarts(), TaskFixture.script(gate)).build();
    }

    private static <T> CompletableFuture<T> async(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, each -> Thread.ofVirtual().start(each));
    }
}
