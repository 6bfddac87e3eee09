package dev.chargehand.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.store.memory.DueThread;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.thread.ThreadOwner;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Leases of memory work in memory, by a clock that the test sets. */
class MemoryLeaseTest {

    private static final ThreadOwner ANN = ThreadOwner.of("ann");
    private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

    private final AtomicReference<Instant> now = new AtomicReference<>(START);
    private final Store store = InMemoryStore.by(now::get);
    private final MemoryStore memory = store.memory().orElseThrow();

    @BeforeEach
    void makeThread() {
        var ignored = store.appendToThread(
                new ThreadAppend("t", ANN, null, null, List.of(new ThreadEntry("m", "\"x\""))).memoryOf("boss"), START);
    }

    @Test
    void aThreadIsFreeWhenTheTimeOfItsWorkerIsOver() {
        assertThat(memory.take(ANN, "t", "one", Duration.ofMinutes(2))).isTrue();

        now.set(START.plusSeconds(119));
        assertThat(memory.due(0, 9)).isEmpty();
        assertThat(memory.take(ANN, "t", "two", Duration.ofMinutes(2))).isFalse();

        now.set(START.plusSeconds(120));
        assertThat(memory.due(0, 9)).extracting(DueThread::threadId).containsExactly("t");
        assertThat(memory.take(ANN, "t", "two", Duration.ofMinutes(2))).isTrue();
    }

    @Test
    void aThreadIsDueWhenItsMomentHasCome() {
        assertThat(memory.take(ANN, "t", "one", Duration.ofMinutes(2))).isTrue();
        memory.giveBack(ANN, "t", "one", 1, START.plusSeconds(60));

        now.set(START.plusSeconds(59));
        assertThat(memory.due(0, 9)).isEmpty();
        now.set(START.plusSeconds(60));
        assertThat(memory.due(0, 9)).hasSize(1);
    }
}
