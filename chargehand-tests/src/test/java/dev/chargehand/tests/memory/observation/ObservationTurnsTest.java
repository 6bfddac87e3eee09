package dev.chargehand.tests.memory.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.message.Message;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.thread.ThreadRecord;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Threads whose history takes many batches share the work with others. */
class ObservationTurnsTest extends ObservationFixture {

    @Test
    void aVeryLongHistoryIsObservedInTurns() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        tell(store, 30, 7_000);
        try (AgentRuntime runtime = runtime(store)) {
            observe = request -> {
                if (asked.size() == 1) {
                    throw new IllegalStateException("Not before the run.");
                }
                return "- observed " + numbers(request.messages().getLast());
            };
            sayAll(runtime, 31, 31);
            assertThat(asked.size()).isGreaterThan(25);
            sayAll(runtime, 32, 32);
            assertSeesEverything(32);
            assertThat(due(store)).isZero();
        }
    }

    /** A thread that is due, with messages that were not observed. */
    private static void makeDue(AgentRuntime runtime, Store store, String thread, int messages) {
        List<Message> said = IntStream.range(0, messages)
                .mapToObj(i -> Message.user(thread + " " + "word ".repeat(7_000)))
                .toList();
        long length = runtime.threads().append(ANN, thread, said).length();
        assertThat(length).isEqualTo(messages);
        ThreadRecord ignored = store.appendToThread(
                new ThreadAppend(thread, ANN, null, null, List.of()).memoryOf("lead"), Instant.now());
    }

    @Test
    void otherThreadsHaveTheirTurnBetweenTheBatchesOfLongOnes() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = with(store, settings -> settings.wakeups(Wakeups.off()))) {
            for (int number = 1; number <= 4; number++) { // as many as are worked on at once
                makeDue(runtime, store, "long" + number, 25);
            }
            makeDue(runtime, store, "short", 1);
            runtime.recover();
            assertThat(runtime.memory().settled(LONG)).isTrue();

            List<String> order = asked.stream()
                    .map(request -> request.messages().getLast().text())
                    .map(text -> text.contains("short") ? "short" : "long")
                    .toList();
            assertThat(order).hasSize(4 * 25 + 1);
            assertThat(order.indexOf("short")).isLessThan(60);
            assertThat(due(store)).isZero();
        }
    }

    @Test
    void aProcessThatHasLostTheWorkStops() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        Store taken =
                withMemory(store, (call, method) -> method.equals("take") && asked.size() >= 3 ? false : call.call());
        try (AgentRuntime runtime = with(taken, settings -> settings.wakeups(Wakeups.off()))) {
            makeDue(runtime, store, "t", 8);
            runtime.recover();
            assertThat(runtime.memory().settled(LONG)).isTrue();
            assertThat(asked).hasSize(3);
            assertThat(log(store).observations()).hasSize(3);
        }
        try (AgentRuntime other = with(store, settings -> settings.wakeups(Wakeups.off()))) {
            other.recover();
            assertThat(other.memory().settled(LONG)).isTrue();
            assertThat(asked).hasSize(8);
            assertThat(contiguous(store)).isTrue();
        }
    }
}
