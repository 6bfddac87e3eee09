package dev.chargehand.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.StoreException;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.deletion.Deletion;
import dev.chargehand.thread.ThreadOwner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log of a file is emptied for good, or the caller learns that it could not be. */
class EmptiedLogTest {

    private static final ThreadOwner ANN = ThreadOwner.of("ann");
    private static final int MEGABYTE = 1 << 20;

    @TempDir
    Path folder;

    private static void say(JdbcStore store, String id) {
        say(store, id, "quokka");
    }

    private static void say(JdbcStore store, String id, String text) {
        List<ThreadEntry> entries = List.of(new ThreadEntry(id, "\"" + text + "\""));
        assertThat(store.appendToThread(new ThreadAppend("t", ANN, null, null, entries), Instant.EPOCH)
                        .length())
                .isPositive();
    }

    @Test
    void anotherReaderKeepsTheLogAndTheCallerLearnsOfIt() throws Exception {
        Path file = folder.resolve("store.db");
        SqliteOptions options = SqliteOptions.DEFAULT.callLimit(Duration.ofSeconds(2));
        try (JdbcStore store = JdbcStore.sqlite(file, options)) {
            say(store, "m0");
            try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
                    Statement statement = other.createStatement()) {
                assertThat(statement.execute("BEGIN")).isFalse();
                try (ResultSet seen = statement.executeQuery("SELECT count(*) FROM thread_messages")) {
                    assertThat(seen.next()).isTrue();
                    say(store, "m1");
                    assertThat(store.deleteThread("t", ANN)).isTrue();

                    assertThatThrownBy(() -> store.delete(new Deletion.Remains()))
                            .isInstanceOfSatisfying(StoreException.class, failure -> assertThat(failure.kind())
                                    .isEqualTo(StoreException.Kind.FAILED))
                            .hasMessageContainingAll("store.db-wal", "another process reads the store", "Try again");
                    assertThat(Files.size(folder.resolve("store.db-wal"))).isPositive();
                }
            }
            assertThat(store.list(RunFilter.ALL)).isEmpty(); // it answers

            assertThat(store.delete(new Deletion.Remains())).isZero();

            assertThat(Files.size(folder.resolve("store.db-wal"))).isZero();
        }
    }

    @Test
    void aLogThatAReaderHasLetGrowBecomesSmallAgain() throws Exception {
        Path file = folder.resolve("store.db");
        Path log = folder.resolve("store.db-wal");
        String text = "x".repeat(2 * MEGABYTE);
        try (JdbcStore store = JdbcStore.sqlite(file)) {
            say(store, "m0");
            try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
                    Statement statement = other.createStatement()) {
                assertThat(statement.execute("BEGIN")).isFalse();
                try (ResultSet seen = statement.executeQuery("SELECT count(*) FROM thread_messages")) {
                    assertThat(seen.next()).isTrue();
                    for (int message = 1; message <= 10; message++) {
                        say(store, "m" + message, message + text); // the same text would be stored once
                    }
                    assertThat(Files.size(log)).isGreaterThan(20L * MEGABYTE);
                }
            }

            say(store, "back in the file"); // the whole log, now that no one reads it
            say(store, "from its start");

            assertThat(Files.size(log)).isLessThanOrEqualTo(16L * MEGABYTE);
        }
    }
}
