package dev.chargehand.jdbc;

import static dev.chargehand.jdbc.Runs.ANN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.jdbc.internal.sql.memory.MemoryTables;
import dev.chargehand.jdbc.internal.sql.memory.VectorTable;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.memory.IndexedRange;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.Passage;
import dev.chargehand.store.memory.UnitVector;
import dev.chargehand.store.memory.VectorSpace;
import dev.chargehand.store.memory.WorkingMemoryEdit;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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

    @Test
    void aThreadCannotBeDeletedWhileSomethingIsStoredForIt() {
        MemoryTables memory = MemoryTables.of(Dialect.POSTGRESQL, Store.LOCAL);
        List<VectorTable.Quantized> passages = VectorTable.Quantized.of(SPACE, List.of(new Passage(0, 0, VECTOR)));

        assertKept("INSERT INTO memory_scopes", session -> assertThat(
                        memory.workingMemory().edit(session, ANN, "t", 0, "key", "text", Runs.START))
                .isEqualTo(new WorkingMemoryEdit.Stored(1)));
        assertKept("INSERT INTO spaces", session -> assertThat(memory.vectors()
                        .index(session, ANN, "t", SPACE, Optional.empty(), IndexedRange.of(0, 1), passages, Runs.START))
                .isTrue());
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
            for (String table : List.of("vectors", "memory_cursors", "working_memory")) {
                assertThat(database.number("SELECT count(*) FROM " + table)).isZero();
            }
            assertThat(database.number("SELECT count(*) FROM memory_scopes WHERE thread > 0"))
                    .isZero();
        }
    }
}
