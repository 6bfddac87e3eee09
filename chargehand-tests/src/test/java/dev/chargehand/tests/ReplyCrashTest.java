package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Delivery.Delivered;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.ForwardingStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A message that answers a run is neither lost nor counted twice, wherever its process dies. */
class ReplyCrashTest extends ReplyFixture {

    private static final Map<String, String> BERLIN = Map.of("city", "Berlin");

    private static final Consumer<RunOptions.Builder> KEYED = on("t").andThen(o -> o.idempotencyKey("message-2"));

    /** A store whose process is gone before, or right after, a delivery. */
    private final class Gone extends ForwardingStore {

        private final int nth;
        private final boolean after;
        private final AtomicInteger deliveries = new AtomicInteger();

        private Gone(int nth, boolean after) {
            super(store);
            this.nth = nth;
            this.after = after;
        }

        @Override
        public Delivered deliver(Delivery delivery) {
            int number = deliveries.incrementAndGet();
            if (number < nth || number == nth && after) {
                Delivered done = store.deliver(delivery);
                if (number < nth) {
                    return done;
                }
            }
            throw new IllegalStateException("gone");
        }

        @Override
        public void close() {
            // as when its process dies
        }
    }

    private void dies(int nth, boolean after) {
        try (AgentRuntime runtime =
                building(lead(weather())).store(new Gone(nth, after)).build()) {
            reads(BERLIN);
            assertThatThrownBy(() -> runtime.agent("lead").generate("Berlin", KEYED))
                    .isNotNull();
        }
    }

    private void assertAnsweredOnce(AgentRuntime runtime, RunResult asks, RunResult result) {
        assertThat(result.runId()).isEqualTo(asks.runId());
        assertThat(result.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(cities).containsExactly("Berlin");
        assertThat(thread(runtime, "t")).containsExactly("Weather?", "Berlin");
        assertThat(store.list(RunFilter.ROOTS)).hasSize(1);
    }

    private RunResult waitingInAnotherProcess() {
        try (AgentRuntime runtime = building(lead(weather())).build()) {
            return waiting(runtime, "t");
        }
    }

    private void repeatedAfter(int nth, boolean after) {
        RunResult asks = waitingInAnotherProcess();
        dies(nth, after);
        reads(BERLIN);
        try (AgentRuntime runtime = building(lead(weather())).build()) {
            assertAnsweredOnce(runtime, asks, runtime.agent("lead").generate("Berlin", KEYED));
        }
    }

    @Test
    void aRepeatedCallAnswersIfTheProcessDiedBeforeTheMessageWasDelivered() {
        repeatedAfter(1, false);
    }

    @Test
    void aRepeatedCallAnswersIfTheProcessDiedBetweenTheMessageAndTheData() {
        repeatedAfter(1, true);
    }

    @Test
    void aRepeatedCallAnswersIfTheProcessDiedBeforeTheDataWasDelivered() {
        repeatedAfter(2, false);
    }

    @Test
    void aRepeatedCallFindsTheRunIfTheProcessDiedAfterTheDataWasDelivered() {
        repeatedAfter(2, true);
    }

    @Test
    void aRepeatedCallFindsTheRunThatWasRecoveredMeanwhile() {
        RunResult asks = waitingInAnotherProcess();
        dies(2, true);
        try (AgentRuntime runtime = building(lead(weather())).build()) {
            assertThat(runtime.recover().runIds()).hasSize(1);
            RunResult first = runtime.handle(asks.runId()).result();
            assertThat(first.text()).isEqualTo("[{\"sunny\":\"Berlin\"}] Berlin");
            assertAnsweredOnce(runtime, asks, runtime.agent("lead").generate("Berlin", KEYED));
            assertThat(asked).hasSize(1);
        }
    }

    @Test
    void aMessageWithoutItsDataIsReadWhenTheRunIsAnsweredOtherwise() {
        RunResult asks = waitingInAnotherProcess();
        dies(1, true);
        try (AgentRuntime runtime = building(lead(weather())).anyoneMayApprove().build()) {
            RunHandle waits = runtime.handle(asks.runId());
            assertThat(waits.status()).isEqualTo(RunStatus.SUSPENDED);
            RunResult result = runtime.giveData(waits.pendingApprovals().getFirst(), BERLIN)
                    .result();
            assertAnsweredOnce(runtime, asks, result);
            assertThat(result.text()).isEqualTo("[{\"sunny\":\"Berlin\"}] Berlin");
        }
    }

    @Test
    void ofTwoMessagesAtTheSameTimeOneIsTheAnswerAndBothAreRead() throws Exception {
        try (AgentRuntime runtime = building(lead(weather())).build()) {
            RunResult asks = waiting(runtime, "t");
            CountDownLatch bothRead = new CountDownLatch(2);
            whileReading = () -> {
                bothRead.countDown();
                try {
                    bothRead.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            };
            reads(BERLIN);
            reads(Map.of("city", "Bonn"));
            FutureTask<RunResult> first =
                    new FutureTask<>(() -> runtime.agent("lead").generate("Berlin", on("t")));
            FutureTask<RunResult> second =
                    new FutureTask<>(() -> runtime.agent("lead").generate("Bonn", on("t")));
            List<Thread> threads =
                    List.of(Thread.ofVirtual().start(first), Thread.ofVirtual().start(second));
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(cities).hasSize(1);
            assertThat(List.of(first.get().runId(), second.get().runId())).contains(asks.runId());
            assertThat(thread(runtime, "t")).containsExactlyInAnyOrder("Weather?", "Berlin", "Bonn");
        }
    }
}
