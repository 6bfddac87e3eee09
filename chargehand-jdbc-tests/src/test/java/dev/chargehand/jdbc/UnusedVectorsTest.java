package dev.chargehand.jdbc;

import static dev.chargehand.jdbc.Runs.ANN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.jdbc.internal.sql.memory.MemoryTables;
import dev.chargehand.jdbc.internal.sql.memory.VectorForm;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.deletion.Deletion;
import dev.chargehand.store.memory.IndexedRange;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.Passage;
import dev.chargehand.store.memory.PassageHits;
import dev.chargehand.store.memory.PassageQuery;
import dev.chargehand.store.memory.UnitVector;
import dev.chargehand.store.memory.VectorSpace;
import dev.chargehand.thread.ThreadRecord;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A space of vectors is in use as long as it is searched, and its vectors can be deleted while others use it. */
@Timeout(300)
class UnusedVectorsTest {

    private static final VectorSpace SPACE = new VectorSpace("model", 1, 1);
    private static final UnitVector VECTOR = UnitVector.of(new float[] {1}).orElseThrow();
    private static final Duration UNUSED = Duration.ofDays(30);
    private static final String USED_AT = "SELECT used_at FROM spaces";
    private static final int THREADS = 6;
    private static final int MESSAGES = 12;

    private final AtomicReference<Instant> now = new AtomicReference<>(Runs.START);

    @TempDir
    Path folder;

    private static MemoryStore memory(JdbcStore store) {
        return store.memory().orElseThrow();
    }

    private static void say(JdbcStore store, String thread, int messages) {
        List<ThreadEntry> entries = IntStream.range(0, messages)
                .mapToObj(i -> new ThreadEntry("m" + i, "\"x\""))
                .toList();
        assertThat(store.appendToThread(new ThreadAppend(thread, ANN, null, null, entries), Runs.START)
                        .length())
                .isEqualTo(messages);
    }

    private static boolean index(JdbcStore store, String thread, long messages) {
        List<Passage> passages = IntStream.range(0, (int) messages)
                .mapToObj(i -> new Passage(i, 0, VECTOR))
                .toList();
        return memory(store)
                .index(
                        ANN,
                        thread,
                        SPACE,
                        memory(store).indexed(ANN, thread, SPACE),
                        IndexedRange.of(0, messages),
                        passages);
    }

    private static List<PassageHits.Hit> search(JdbcStore store) {
        return memory(store)
                .nearest(new PassageQuery(ANN, SPACE, VECTOR, PassageQuery.Among.ALL, 50, 0))
                .hits();
    }

    private JdbcStore open() {
        return JdbcStore.sqlite(folder.resolve("store.db"), SqliteOptions.DEFAULT, now::get);
    }

    private int prune(JdbcStore store) {
        return store.delete(new Deletion.UnusedVectors(now.get().minus(UNUSED), 500));
    }

    /** Returns when the space was used, after what was on its way to the writer is done. */
    private static Instant usedAt(JdbcStore store) {
        return store.write(session -> session.sql(USED_AT).one(row -> row.time("used_at")));
    }

    private void pass(Duration time) {
        now.updateAndGet(before -> before.plus(time));
    }

    @Test
    void aSearchIsNotedOnceADay() {
        try (JdbcStore store = open()) {
            say(store, "t", 1);
            assertThat(index(store, "t", 1)).isTrue();

            pass(Duration.ofDays(1));
            assertThat(search(store)).hasSize(1);
            assertThat(usedAt(store)).isEqualTo(Runs.START);

            pass(Duration.ofMillis(1));
            Instant noted = now.get();
            for (int i = 0; i < 3; i++) {
                assertThat(search(store)).hasSize(1);
                assertThat(usedAt(store)).isEqualTo(noted);
                pass(Duration.ofHours(8));
            }
        }
    }

    @Test
    void aSpaceThatIsOnlySearchedKeepsItsVectors() {
        try (JdbcStore store = open()) {
            say(store, "t", 2);
            assertThat(index(store, "t", 2)).isTrue();
            for (int day = 0; day < 31; day++) {
                pass(Duration.ofHours(25));
                assertThat(search(store)).hasSize(2);
                assertThat(prune(store)).isZero();
            }

            pass(Duration.ofDays(31));
            assertThat(prune(store)).isEqualTo(3);
            assertThat(search(store)).isEmpty();
            assertThat(prune(store)).isZero();
        }
    }

    @Test
    void aClockThatIsSetBackDeletesNothingAndIsFollowed() {
        try (JdbcStore store = open()) {
            say(store, "t", 1);
            assertThat(index(store, "t", 1)).isTrue();

            pass(Duration.ofDays(-400));
            assertThat(prune(store)).isZero();
            assertThat(search(store)).hasSize(1);
            assertThat(usedAt(store)).isEqualTo(now.get());

            pass(Duration.ofDays(31));
            assertThat(prune(store)).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSearchIsNotedBeforeItsStoreIsClosed(Dialect dialect) {
        try (TestDatabase database = new TestDatabase(dialect, folder)) {
            try (JdbcStore store = database.open()) {
                say(store, "t", 1);
                assertThat(index(store, "t", 1)).isTrue();
                database.execute("UPDATE spaces SET used_at = 7");
                assertThat(search(store)).hasSize(1);
            }

            assertThat(database.number(USED_AT)).isGreaterThan(Runs.START.toEpochMilli());
        }
    }

    @Test
    void aSearchDoesNotWaitForOtherWriters() throws Exception {
        try (JdbcStore store = open()) {
            say(store, "t", 1);
            assertThat(index(store, "t", 1)).isTrue();
            pass(Duration.ofDays(2));
            try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("store.db"));
                    Statement statement = other.createStatement()) {
                statement.execute("BEGIN IMMEDIATE");
                assertThat(search(store)).hasSize(1);
                statement.execute("ROLLBACK");
            }
            assertThat(usedAt(store)).isEqualTo(now.get());
        }
    }

    /** Others store, search, copy and delete in between. */
    @ParameterizedTest
    @EnumSource
    void aMessageOfARangeHasItsVectorWhateverIsDeletedAtTheSameTime(Dialect dialect) throws Exception {
        try (TestDatabase database = new TestDatabase(dialect, folder);
                JdbcStore one = database.open();
                JdbcStore two = database.open()) {
            for (int i = 0; i < THREADS; i++) {
                say(one, "t" + i, MESSAGES);
            }
            List<CompletableFuture<Void>> running = Runs.onVirtualThreads(THREADS, worker -> {
                JdbcStore store = worker % 2 == 0 ? one : two;
                for (int i = 0; i < 25; i++) {
                    use(store, worker, i);
                }
            });
            for (CompletableFuture<Void> each : running) {
                each.get(200, TimeUnit.SECONDS);
            }

            assertThat(database.number("""
                            SELECT count(*) FROM memory_cursors c JOIN thread_messages m ON m.thread = c.thread
                            WHERE m.position >= c.low AND m.position < c.high AND NOT EXISTS
                                (SELECT 1 FROM vectors v WHERE v.thread = c.thread AND v.position = m.position)""")).isZero();
            while (one.delete(new Deletion.UnusedVectors(Instant.now().plus(UNUSED), 5)) > 0) {}
            assertThat(database.number("SELECT count(*) FROM vectors")).isZero();
            assertThat(database.number("SELECT count(*) FROM memory_cursors")).isZero();
        }
    }

    private static void use(JdbcStore store, int worker, int round) {
        String thread = "t" + (worker + round) % THREADS;
        switch ((worker + round) % 3) {
            case 0 -> {
                int ignored =
                        store.delete(new Deletion.UnusedVectors(Instant.now().plus(UNUSED), 1 + round % 7));
            }
            case 1 -> {
                boolean ignored = index(store, thread, 1 + round % MESSAGES);
                assertThat(search(store)).isNotNull();
            }
            default -> {
                String copy = "copy " + worker + " " + round;
                assertThat(store.copyThread(
                                thread,
                                MESSAGES - 1,
                                ThreadRecord.builder(copy, ANN, Runs.START).build()))
                        .isTrue();
                if (round % 2 == 0) {
                    assertThat(store.deleteThread(copy, ANN)).isTrue();
                }
            }
        }
    }

    @Test
    void aRangeThatIsBeingDeletedIsNotContinued() throws Exception {
        try (Postgres database = Postgres.store();
                JdbcStore one = database.open();
                JdbcStore two = database.open()) {
            say(one, "t", 2);
            assertThat(index(one, "t", 2)).isTrue();
            Optional<IndexedRange> before = memory(two).indexed(ANN, "t", SPACE);

            boolean stored = duringDeletion(database, one, "DELETE FROM vectors", () -> memory(two)
                    .index(ANN, "t", SPACE, before, IndexedRange.of(0, 2), List.of()));

            assertThat(stored).as("the range is another one").isFalse();
            assertThat(index(two, "t", 2)).isTrue();
            assertThat(search(one)).hasSize(2);
        }
    }

    @Test
    void whatIsStoredWhileASpaceIsFoundToBeEmptyIsDeletedWhenItIsUnused() throws Exception {
        try (Postgres database = Postgres.store();
                JdbcStore one = database.open();
                JdbcStore two = database.open()) {
            say(one, "t", 1);
            say(one, "u", 1);
            assertThat(index(one, "t", 1)).isTrue();

            assertThat(duringDeletion(database, one, "UPDATE spaces", () -> index(two, "u", 1)))
                    .isTrue();

            assertThat(one.delete(new Deletion.UnusedVectors(Instant.now().plus(UNUSED), 9)))
                    .isEqualTo(2);
        }
    }

    @Test
    void aCopyHasNoVectorsThatAreBeingDeleted() throws Exception {
        try (Postgres database = Postgres.store();
                JdbcStore one = database.open();
                JdbcStore two = database.open()) {
            say(one, "t", 1);
            assertThat(index(one, "t", 1)).isTrue();
            ThreadRecord copy = ThreadRecord.builder("copy", ANN, Runs.START).build();

            assertThat(duringDeletion(database, one, "UPDATE spaces", () -> two.copyThread("t", 1, copy)))
                    .isTrue();

            assertThat(database.number("SELECT count(*) FROM vectors")).isZero();
            assertThat(two.findThread("copy")).isPresent();
        }
    }

    /** Does something in another transaction when a statement of the deletion of all vectors is executed; returns what that came to. */
    private static <T> T duringDeletion(Postgres database, JdbcStore store, String statement, Supplier<T> other)
            throws Exception {
        MemoryTables tables = MemoryTables.of(Dialect.POSTGRESQL, Store.LOCAL, VectorForm.BYTES);
        List<CompletableFuture<T>> others = new ArrayList<>();
        int deleted = store.write(session -> {
            session.watch(sql -> {
                if (others.isEmpty() && sql.startsWith(statement)) {
                    others.add(CompletableFuture.supplyAsync(other));
                    untilItWaitsOrIsDone(database, others.getFirst());
                }
            });
            try {
                return tables.vectors().deleteUnused(session, Instant.now().plus(UNUSED), 9);
            } finally {
                session.watch(sql -> {});
            }
        });
        assertThat(deleted).isPositive();
        return others.getFirst().get(60, TimeUnit.SECONDS);
    }

    private static void untilItWaitsOrIsDone(Postgres database, CompletableFuture<?> other) {
        while (!other.isDone() && database.number("SELECT count(*) FROM pg_locks WHERE NOT granted") == 0) {
            Thread.onSpinWait();
        }
    }
}
