package dev.chargehand.jdbc;

import static dev.chargehand.jdbc.Runs.ANN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.jdbc.internal.sql.memory.MemoryTables;
import dev.chargehand.jdbc.internal.sql.memory.VectorForm;
import dev.chargehand.jdbc.internal.sql.memory.VectorTable;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Append;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.deletion.Deletion;
import dev.chargehand.store.memory.IndexedRange;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.NewObservation;
import dev.chargehand.store.memory.NewReflection;
import dev.chargehand.store.memory.Observation;
import dev.chargehand.store.memory.ObservationLog;
import dev.chargehand.store.memory.Passage;
import dev.chargehand.store.memory.UnitVector;
import dev.chargehand.store.memory.VectorSpace;
import dev.chargehand.store.memory.WorkingMemoryEdit;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Two processes that remember something of the same owner. */
@Timeout(300)
class MemoryRaceTest {

    private static final int WRITERS = 6;
    private static final int EDITS = 50;
    private static final int MESSAGES = 400;

    private static final VectorSpace SPACE = new VectorSpace("model", 1, 1);
    private static final UnitVector VECTOR = UnitVector.of(new float[] {1}).orElseThrow();

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void noEditOfTwoProcessesIsLost(Dialect dialect) throws Exception {
        try (TestDatabase database = new TestDatabase(dialect, folder);
                JdbcStore one = database.open();
                JdbcStore two = database.open()) {
            List<CompletableFuture<Void>> running = Runs.onVirtualThreads(WRITERS, writer -> {
                MemoryStore memory = (writer % 2 == 0 ? one : two).memory().orElseThrow();
                for (int i = 0; i < EDITS; i++) {
                    edit(memory, "[" + writer + " " + i + "]");
                }
            });
            for (CompletableFuture<Void> each : running) {
                each.get(200, TimeUnit.SECONDS);
            }

            WorkingMemoryRevision newest =
                    one.memory().orElseThrow().workingMemory(ANN, null).orElseThrow();
            assertThat(newest.revision()).isEqualTo(WRITERS * EDITS);
            assertThat(List.of(newest.text().split("(?<=])")))
                    .hasSize(WRITERS * EDITS)
                    .doesNotHaveDuplicates();
            assertThat(database.number("SELECT count(*) FROM working_memory WHERE text IS NOT NULL"))
                    .isEqualTo(WorkingMemoryRevision.KEPT);
        }
    }

    /** Add a word, as often as it takes. */
    private static void edit(MemoryStore memory, String word) {
        WorkingMemoryEdit edit;
        do {
            Optional<WorkingMemoryRevision> newest = memory.workingMemory(ANN, null);
            edit = memory.edit(
                    ANN,
                    null,
                    newest.map(WorkingMemoryRevision::revision).orElse(0L),
                    word,
                    newest.map(WorkingMemoryRevision::text).orElse("") + word,
                    Runs.START);
        } while (edit instanceof WorkingMemoryEdit.Conflict);
        assertThat(edit).isInstanceOf(WorkingMemoryEdit.Stored.class);
    }

    /** The log is read while other transactions store and delete. */
    @ParameterizedTest
    @EnumSource
    void observationsOfTwoProcessesFollowEachOther(Dialect dialect) throws Exception {
        try (TestDatabase database = new TestDatabase(dialect, folder);
                JdbcStore one = database.open();
                JdbcStore two = database.open()) {
            List<ThreadEntry> entries = IntStream.range(0, MESSAGES)
                    .mapToObj(i -> new ThreadEntry("m" + i, "\"x\""))
                    .toList();
            assertThat(one.appendToThread(new ThreadAppend("t", ANN, null, null, entries), Runs.START)
                            .length())
                    .isEqualTo(MESSAGES);
            AtomicInteger deleted = new AtomicInteger();
            List<CompletableFuture<Void>> running = Runs.onVirtualThreads(WRITERS, writer -> {
                JdbcStore store = writer % 2 == 0 ? one : two;
                for (ObservationLog log = log(store); log.end() < MESSAGES; log = log(store)) {
                    observeOrReflect(store, log, deleted);
                }
            });
            for (CompletableFuture<Void> each : running) {
                each.get(200, TimeUnit.SECONDS);
            }

            assertThat(log(one)).isEqualTo(log(two));
            assertThat(log(one).end()).isEqualTo(MESSAGES);
            assertThat(database.number("SELECT count(*) FROM observations WHERE text IS NULL"))
                    .isPositive();
            assertThat(database.number("SELECT max(number) - count(*) FROM observations"))
                    .isZero();
        }
    }

    /** Read the log, of which each row is about the messages that follow those of the row before. */
    private static ObservationLog log(JdbcStore store) {
        ObservationLog log = store.memory().orElseThrow().observations(ANN, "t");
        long end = 0;
        for (Observation row : log.observations()) {
            assertThat(row.from()).as(log.toString()).isEqualTo(end);
            end = row.to();
        }
        return log;
    }

    private static void observeOrReflect(JdbcStore store, ObservationLog log, AtomicInteger deleted) {
        MemoryStore memory = store.memory().orElseThrow();
        int size = log.observations().size();
        if (size > 2) {
            NewReflection reflection = new NewReflection(log.newest(), "shorter", 1, Runs.START);
            boolean ignored = memory.reflect(ANN, "t", reflection).isPresent();
        }
        if (size > 1 && log.end() > 10L * deleted.get() && deleted.get() < 8) {
            String message = "m" + (log.end() - 1 - deleted.getAndIncrement() % 3);
            int ignored = store.delete(new Deletion.MessagesOfThread("t", ANN, Set.of(message), Set.of()));
        }
        List<String> ids = store.readThreadFrom("t", ANN, log.end(), 2).stream()
                .filter(entry -> entry.position() < log.end() + 2)
                .map(ThreadEntry::messageId)
                .toList();
        long to = Math.min(log.end() + 2, MESSAGES);
        boolean ignored = memory.observe(ANN, "t", new NewObservation(log.end(), to, ids, "text", 1, Runs.START))
                .isPresent();
    }

    @Test
    void aThreadCannotBeDeletedWhileSomethingIsStoredForIt() {
        MemoryTables memory = MemoryTables.of(Dialect.POSTGRESQL, Store.LOCAL, VectorForm.BYTES);
        List<VectorTable.Stored> passages = memory.vectors().stored(SPACE, List.of(new Passage(0, 0, VECTOR)));

        assertKept("INSERT INTO memory_scopes", session -> assertThat(
                        memory.workingMemory().edit(session, ANN, "t", 0, "key", "text", Runs.START))
                .isEqualTo(new WorkingMemoryEdit.Stored(1)));
        assertKept("INSERT INTO spaces", session -> assertThat(memory.vectors()
                        .index(session, ANN, "t", SPACE, Optional.empty(), IndexedRange.of(0, 1), passages, Runs.START))
                .isTrue());
        NewObservation observation = new NewObservation(0, 1, List.of("m"), "text", 1, Runs.START);
        assertKept("INSERT INTO observations", session -> assertThat(
                        memory.observations().observe(session, ANN, "t", observation))
                .hasValue(1));
    }

    @Test
    void aRunCannotBeDeletedWhileItEdits() {
        MemoryTables memory = MemoryTables.of(Dialect.POSTGRESQL, Store.LOCAL, VectorForm.BYTES);
        Postgres database = Postgres.store();
        try (JdbcStore store = database.open()) {
            RunId run = new RunId("r");
            store.append(Append.start(
                    RunRecord.builder(run, "boss", "process-1", Runs.START).build(),
                    List.of(FactEntry.of("Answered", 1, "\"x\""))));
            long free = store.write(session -> {
                memory.workingMemory().keepRun(session, run);
                return database.number("SELECT count(*) FROM (SELECT 1 FROM runs FOR UPDATE SKIP LOCKED) free");
            });

            assertThat(free).isZero();
        }
    }

    /** Another transaction could not delete the thread when a statement is executed. */
    private static void assertKept(String statement, Consumer<Session> work) {
        Postgres database = Postgres.store();
        try (JdbcStore store = database.open()) {
            var thread = store.appendToThread(
                    new ThreadAppend("t", ANN, null, null, List.of(new ThreadEntry("m", "\"x\""))), Runs.START);
            List<Long> free = new ArrayList<>();
            store.write(session -> {
                session.watch(sql -> {
                    if (sql.startsWith(statement)) {
                        free.add(database.number(
                                "SELECT count(*) FROM (SELECT 1 FROM threads FOR UPDATE SKIP LOCKED) free"));
                    }
                });
                work.accept(session);
                session.watch(sql -> {});
                return null;
            });

            assertThat(free).containsExactly(0L);
            assertThat(store.deleteThread(thread.threadId(), ANN)).isTrue();
            for (String table : List.of("vectors", "memory_cursors", "working_memory", "observations")) {
                assertThat(database.number("SELECT count(*) FROM " + table)).isZero();
            }
            assertThat(database.number("SELECT count(*) FROM memory_scopes WHERE thread > 0"))
                    .isZero();
        }
    }
}
