package dev.chargehand.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.RunRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many pages of a SQLite file an append changes, each of which is written to its log. */
class WrittenPagesTest {

    /** A page of 4,096 bytes with its header in the log. */
    private static final long PAGE_IN_LOG = 4_096 + 24;

    @TempDir
    Path folder;

    private long pagesOf(JdbcStore store, Append append) {
        long before = log();
        var ignored = store.append(List.of(append));
        return (log() - before) / PAGE_IN_LOG;
    }

    private long log() {
        try {
            return Files.size(folder.resolve("store.db-wal"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static RunRecord run(JdbcStore store) {
        return store.find(Runs.start("r", "").runId()).orElseThrow();
    }

    @Test
    void anAppendThatLeavesItsRunRunningWritesNoIndexOfRuns() {
        try (JdbcStore store = JdbcStore.sqlite(folder.resolve("store.db"))) {
            assertThat(pagesOf(store, Runs.start("r", "a"))).isGreaterThan(5);

            assertThat(pagesOf(store, Runs.more("r", 1, "b")))
                    .as("the row of the run, the fact and its key")
                    .isEqualTo(3);
        }
    }

    @Test
    void anAppendChangesHowItsRunStandsHoweverItStood() {
        Instant expiry = Runs.START.plusSeconds(60);
        try (JdbcStore store = JdbcStore.sqlite(folder.resolve("store.db"))) {
            var ignored = store.append(List.of(Runs.start("r", "a")));

            ignored = store.append(
                    List.of(Runs.more("r", 1, "b").status(RunStatus.SUSPENDED).expiresAt(expiry)));
            assertThat(run(store).status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(run(store).expiresAt()).contains(expiry);

            ignored = store.append(List.of(Runs.more("r", 2, "c")));
            assertThat(run(store).status()).isEqualTo(RunStatus.RUNNING);
            assertThat(run(store).expiresAt()).isEmpty();

            ignored = store.append(List.of(Runs.more("r", 3, "d").expiresAt(expiry)));
            assertThat(run(store).expiresAt()).contains(expiry);
            ignored = store.append(List.of(Runs.more("r", 4, "e")));
            assertThat(run(store).expiresAt()).isEmpty();

            ignored = store.append(List.of(Runs.more("r", 5, "f").status(RunStatus.COMPLETED)));
            assertThat(run(store).status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(run(store).length()).isEqualTo(6);
        }
    }
}
