package dev.chargehand.jdbc;

import static dev.chargehand.jdbc.Runs.ANN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.memory.DueThread;
import dev.chargehand.store.memory.MemoryStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leases of memory work run by the clock of the store, of which a step ends none. */
class MemoryLeaseTest {

    private static final Duration LEASE = Duration.ofSeconds(10);

    private final AtomicReference<Instant> now = new AtomicReference<>(Runs.START);

    @TempDir
    Path folder;

    @AutoClose
    private JdbcStore one;

    @AutoClose
    private JdbcStore two;

    @BeforeEach
    void open() {
        Path file = folder.resolve("store.db");
        one = JdbcStore.sqlite(file, SqliteOptions.DEFAULT, now::get);
        two = JdbcStore.sqlite(file, SqliteOptions.DEFAULT, now::get);
        var ignored = one.appendToThread(
                new ThreadAppend("t", ANN, null, null, List.of(new ThreadEntry("m", "\"x\""))).memoryOf("boss"),
                Runs.START);
    }

    private static MemoryStore memory(JdbcStore store) {
        return store.memory().orElseThrow();
    }

    @Test
    void aThreadIsFreeForOtherProcessesWhenTheTimeOfItsWorkerIsOver() {
        assertThat(memory(one).take(ANN, "t", "one", LEASE)).isTrue();

        now.set(Runs.START.plusSeconds(9));
        assertThat(memory(two).due(0, 9)).isEmpty();
        assertThat(memory(two).take(ANN, "t", "two", LEASE)).isFalse();

        now.set(Runs.START.plusSeconds(10));
        assertThat(memory(two).due(0, 9)).extracting(DueThread::threadId).containsExactly("t");
        assertThat(memory(two).take(ANN, "t", "two", LEASE)).isTrue();
        assertThat(memory(one).take(ANN, "t", "one", LEASE)).isFalse();
    }

    @Test
    void aRenewalCountsFromNow() {
        assertThat(memory(one).take(ANN, "t", "one", LEASE)).isTrue();
        now.set(Runs.START.plusSeconds(8));
        assertThat(memory(one).take(ANN, "t", "one", LEASE)).isTrue();

        now.set(Runs.START.plusSeconds(16));
        assertThat(memory(two).take(ANN, "t", "two", LEASE)).isFalse();
    }

    @Test
    void aStepOfTheClockEndsNoLease() {
        assertThat(memory(one).take(ANN, "t", "one", LEASE)).isTrue();

        now.set(Runs.START.plus(Duration.ofHours(1)));

        assertThat(memory(two).due(0, 9)).isEmpty();
        assertThat(memory(two).take(ANN, "t", "two", LEASE)).isFalse();
    }

    @Test
    void aThreadIsDueWhenItsMomentHasCome() {
        assertThat(memory(one).take(ANN, "t", "one", LEASE)).isTrue();
        memory(one).giveBack(ANN, "t", "one", 1, Runs.START.plusSeconds(8));

        now.set(Runs.START.plusSeconds(7));
        assertThat(memory(two).due(0, 9)).isEmpty();
        now.set(Runs.START.plusSeconds(8));
        assertThat(memory(two).due(0, 9)).hasSize(1);
    }
}
