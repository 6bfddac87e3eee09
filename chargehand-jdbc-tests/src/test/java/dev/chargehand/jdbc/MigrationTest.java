package dev.chargehand.jdbc;

import static dev.chargehand.jdbc.Runs.ANN;
import static dev.chargehand.jdbc.Runs.START;
import static dev.chargehand.jdbc.Runs.more;
import static dev.chargehand.jdbc.Runs.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.chargehand.error.StoreException;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.jdbc.internal.sql.Migrations;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.DueRuns;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.WaitingCall.WaitingFilter;
import dev.chargehand.store.memory.IndexedRange;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.NewObservation;
import dev.chargehand.store.memory.Passage;
import dev.chargehand.store.memory.PassageHits;
import dev.chargehand.store.memory.PassageQuery;
import dev.chargehand.store.memory.UnitVector;
import dev.chargehand.store.memory.VectorSpace;
import dev.chargehand.thread.ThreadRecord;
import dev.chargehand.thread.TitleSource;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.flywaydb.core.api.output.MigrateResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

/** A store that the first version made is brought to this one, with all that is in it. */
@Timeout(120)
class MigrationTest {

    /** Longer than what stays in its row today. */
    private static final String LARGE = "\"" + "x".repeat(50_000) + "\"";

    /** A run in its second epoch with two facts, a nested one, a thread of two messages, and an owner. */
    static final List<String> CONTENT = List.of(
            """
            INSERT INTO runs (run_id, root_run_id, parent_run_id, parent_call_id, agent_id, path, thread_id, resource_id,
                status, owner, epoch, length, started_at, updated_at)
            VALUES ('r', 'r', NULL, NULL, 'boss', 'boss', 't', 'ann', 'SUSPENDED', 'process-1', 2, 2, %1$d, %1$d),
                ('c', 'r', 'r', 'call', 'writer', 'boss/writer', NULL, NULL, 'COMPLETED', 'process-1', 1, 1, %1$d, %1$d)\
            """.formatted(START.toEpochMilli()),
            """
            INSERT INTO facts (run, seq, type, version, text)
            SELECT id, 0, 'Started', 1, '"first"' FROM runs UNION ALL
            SELECT id, 1, 'Answered', 1, '%s' FROM runs WHERE run_id = 'r'\
            """.formatted(LARGE),
            """
            INSERT INTO threads (thread_id, resource_id, agent_path, parent_run_id, parent_call_id, length, created_at)
            VALUES ('t', 'ann', NULL, NULL, NULL, 2, %d)\
            """.formatted(START.toEpochMilli()),
            """
            INSERT INTO thread_messages (thread, position, message_id, text)
            SELECT id, 0, 'm0', '"hello"' FROM threads UNION ALL SELECT id, 1, 'm1', '%s' FROM threads\
            """.formatted(LARGE),
            "INSERT INTO owners (owner, alive_until) VALUES ('process-0', 1)");

    /** How many messages {@link #CONTENT} has. */
    private static final int MESSAGES = 2;

    private static final String LIVING = "INSERT INTO owners (owner, alive_until) VALUES ('process-1', 9999999999999)";

    @TempDir
    Path folder;

    @Test
    void aFileOfTheFirstVersionIsMigratedWithItsData() throws Exception {
        Path file = folder.resolve("store.db");
        migrateToTheFirst(Dialect.SQLITE, new SqliteFile(file, SqliteOptions.DEFAULT).writers());
        try (OtherProcess old = new OtherProcess(file)) {
            for (String sql : CONTENT) {
                old.execute(sql);
            }
            old.execute(LIVING);
            assertInUse(() -> JdbcStore.sqlite(file));
            old.execute("DELETE FROM owners WHERE owner = 'process-1'");
        }

        try (JdbcStore store = JdbcStore.sqlite(file)) {
            assertKept(store);
        }
        try (JdbcStore store = JdbcStore.sqlite(file)) {
            assertThat(texts(store, "r")).hasSize(3);
        }
    }

    @Test
    void aSchemaOfTheFirstVersionIsMigratedWithItsData() {
        try (Postgres database = Postgres.database("")) {
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setUrl(database.url());
            source.setUser(Postgres.USER);
            migrateToTheFirst(Dialect.POSTGRESQL, source, "chargehand");
            CONTENT.forEach(database::execute);
            database.execute(LIVING);
            assertInUse(database::open);
            database.execute("DELETE FROM chargehand.owners WHERE owner = 'process-1'");

            try (JdbcStore store = database.open()) {
                assertKept(store);
            }
            try (JdbcStore store = database.open()) {
                assertThat(texts(store, "r")).hasSize(3);
            }
        }
    }

    /** Earlier versions gave no titles of their own. */
    @Test
    void titlesOfEarlierVersionsAreOfTheApplication() throws SQLException {
        Path file = folder.resolve("store.db");
        DataSource writers = new SqliteFile(file, SqliteOptions.DEFAULT).writers();
        assertThat(Migrations.migrate(Dialect.SQLITE, writers, settings -> settings.target("14")).targetSchemaVersion)
                .isEqualTo("14");
        try (OtherProcess old = new OtherProcess(file)) {
            old.execute("INSERT INTO threads (tenant_id, thread_id, length, title, created_at, updated_at)"
                    + " VALUES ('local', 'named', 0, 'Mine', 1, 1), ('local', 'bare', 0, NULL, 1, 1)");
        }
        assertTitles(() -> JdbcStore.sqlite(file));
        try (Postgres database = Postgres.database("")) {
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setUrl(database.url());
            source.setUser(Postgres.USER);
            assertThat(Migrations.migrate(Dialect.POSTGRESQL, source, settings -> settings.schemas("chargehand")
                                    .target("14"))
                            .targetSchemaVersion)
                    .isEqualTo("14");
            database.execute("INSERT INTO threads (tenant_id, thread_id, length, title, created_at, updated_at)"
                    + " VALUES ('local', 'named', 0, 'Mine', 1, 1), ('local', 'bare', 0, NULL, 1, 1)");
            assertTitles(database::open);
        }
    }

    /** Calls that waited before their table had tenants belong to those of their runs. */
    @Test
    void waitingCallsBelongToTheTenantsOfTheirRuns() throws SQLException {
        Path file = folder.resolve("store.db");
        DataSource writers = new SqliteFile(file, SqliteOptions.DEFAULT).writers();
        assertThat(Migrations.migrate(Dialect.SQLITE, writers, settings -> settings.target("22")).targetSchemaVersion)
                .isEqualTo("22");
        try (OtherProcess old = new OtherProcess(file)) {
            for (String sql : CALLS) {
                old.execute(sql);
            }
        }
        assertExpired(() -> JdbcStore.sqlite(file));
        try (Postgres database = Postgres.database("")) {
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setUrl(database.url());
            source.setUser(Postgres.USER);
            assertThat(Migrations.migrate(Dialect.POSTGRESQL, source, settings -> settings.schemas("chargehand")
                                    .target("22"))
                            .targetSchemaVersion)
                    .isEqualTo("22");
            CALLS.forEach(database::execute);
            assertExpired(database::open);
        }
    }

    /** Runs of two tenants with a call each that waits, and one that was answered. */
    private static final List<String> CALLS = List.of("""
            INSERT INTO runs (run_id, root_run_id, tenant_id, agent_id, path, status, owner, epoch, length, started_at, updated_at)
            VALUES ('r', 'r', 'local', 'boss', 'boss', 'SUSPENDED', 'process-1', 1, 1, 1, 1),
                ('a', 'a', 'acme', 'boss', 'boss', 'SUSPENDED', 'process-1', 1, 1, 1, 1),
                ('b', 'b', 'acme', 'boss', 'boss', 'SUSPENDED', 'process-1', 1, 1, 1, 1)""", """
            INSERT INTO waiting (run, call_id, wait, kind, tool, expires_at, answered)
            SELECT id, 'call', 1, 'APPROVAL', 'tool', id, CASE run_id WHEN 'b' THEN 1 ELSE 0 END FROM runs""");

    private static void assertExpired(Supplier<JdbcStore> open) {
        try (JdbcStore store = open.get()) {
            for (int limit : List.of(1, 2, 9)) { // by the index of all, and by that of tenants
                DueRuns.Query query = new DueRuns.Query("other", DueRuns.Scope.ALL, START, DueRuns.Turns.FIRST, limit);
                assertThat(store.due(query).expired())
                        .extracting(call -> call.tenantId() + " " + call.call().runId())
                        .containsExactlyElementsOf(List.of("local r", "acme a").subList(0, Math.min(2, limit)));
            }
        }
    }

    /** Calls that waited before their rows had a description get one with all that is derived from their runs. */
    @Test
    void runsWithCallsThatHaveNoDescriptionAreOutdated() throws SQLException {
        Path file = folder.resolve("store.db");
        DataSource writers = new SqliteFile(file, SqliteOptions.DEFAULT).writers();
        assertThat(Migrations.migrate(Dialect.SQLITE, writers, settings -> settings.target("23")).targetSchemaVersion)
                .isEqualTo("23");
        try (OtherProcess old = new OtherProcess(file)) {
            for (String sql : UNDESCRIBED) {
                old.execute(sql);
            }
        }
        assertOutdated(() -> JdbcStore.sqlite(file));
        try (Postgres database = Postgres.database("")) {
            PGSimpleDataSource source = new PGSimpleDataSource();
            source.setUrl(database.url());
            source.setUser(Postgres.USER);
            assertThat(Migrations.migrate(Dialect.POSTGRESQL, source, settings -> settings.schemas("chargehand")
                                    .target("23"))
                            .targetSchemaVersion)
                    .isEqualTo("23");
            UNDESCRIBED.forEach(database::execute);
            assertOutdated(database::open);
        }
    }

    /** A run of a resource and one below it, each with a call that waits; others with a timer, with a call that was answered, and without. */
    private static final List<String> UNDESCRIBED = List.of("""
            INSERT INTO runs (run_id, root_run_id, resource_id, agent_id, path, status, owner, epoch, length, started_at, updated_at, indexed)
            VALUES ('r', 'r', 'ann', 'boss', 'boss', 'SUSPENDED', 'process-1', 1, 1, 1, 1, 2),
                ('below', 'r', NULL, 'clerk', 'boss/clerk', 'SUSPENDED', 'process-1', 1, 1, 1, 1, 2),
                ('timer', 'timer', 'ann', 'boss', 'boss', 'SUSPENDED', 'process-1', 1, 1, 1, 1, 2),
                ('answered', 'answered', 'ann', 'boss', 'boss', 'SUSPENDED', 'process-1', 1, 1, 1, 1, 2),
                ('without', 'without', 'ann', 'boss', 'boss', 'RUNNING', 'process-1', 1, 1, 1, 1, 2)""", """
            INSERT INTO waiting (run, call_id, wait, kind, tool, expires_at, answered)
            SELECT id, 'call', 1, CASE run_id WHEN 'timer' THEN 'TIMER' ELSE 'DATA' END, 'tool', id,
                CASE run_id WHEN 'answered' THEN 1 ELSE 0 END
            FROM runs WHERE run_id <> 'without'""");

    private static void assertOutdated(Supplier<JdbcStore> open) {
        try (JdbcStore store = open.get()) {
            assertThat(store.list(RunFilter.ALL.outdated(true)))
                    .extracting(run -> run.runId().value())
                    .containsExactlyInAnyOrder("r", "below");
            assertThat(store.waiting(WaitingFilter.ALL.resource("ann")))
                    .extracting(each -> each.call().runId() + " " + each.call().since())
                    .containsExactly("below " + Instant.EPOCH, "r " + Instant.EPOCH);
        }
    }

    private static void assertTitles(Supplier<JdbcStore> open) {
        try (JdbcStore store = open.get()) {
            assertThat(store.findThread("named").orElseThrow().titleSource()).contains(TitleSource.USER);
            assertThat(store.findThread("named").orElseThrow().title()).contains("Mine");
            assertThat(store.findThread("bare").orElseThrow().titleSource()).isEmpty();
        }
    }

    /** Nothing is changed while a process of the earlier version uses the store. */
    private static void assertInUse(ThrowingCallable open) {
        assertThatThrownBy(open)
                .isInstanceOf(StoreException.class)
                .hasMessageContainingAll("processes of that version use it: process-1.", "30 seconds");
    }

    private static void migrateToTheFirst(Dialect dialect, DataSource source, String... schema) {
        MigrateResult result = Migrations.migrate(
                dialect, source, settings -> settings.schemas(schema).target("1"));
        assertThat(result.targetSchemaVersion).isEqualTo("1");
    }

    static void assertKept(JdbcStore store) {
        RunId run = new RunId("r");
        RunRecord root = RunRecord.builder(run, "boss", "process-1", START)
                .threadId("t")
                .resourceId("ann")
                .status(RunStatus.SUSPENDED)
                .epoch(2)
                .length(2)
                .build();
        assertThat(store.find(run)).contains(root);
        assertThat(store.list(RunFilter.ROOTS.tree(run)))
                .extracting(r -> r.runId().value())
                .containsExactly("r", "c");
        assertThat(texts(store, "r")).containsExactly("\"first\"", LARGE);
        assertThat(texts(store, "c")).containsExactly("\"first\"");
        assertThat(store.findThread("t"))
                .contains(ThreadRecord.builder("t", ANN, START).length(2).build());
        assertThat(store.readThread("t", ANN, Long.MAX_VALUE, 9))
                .containsExactly(new ThreadEntry("m0", "\"hello\"", 0, null), new ThreadEntry("m1", LARGE, 1, null));
        assertThat(store.isAlive("process-0")).isFalse();
        assertThat(messages(store)).isEqualTo(MESSAGES);
        assertThat(store.<List<String>>read(
                        store.database().dialect() == Dialect.SQLITE
                                ? session ->
                                        session.sql("PRAGMA foreign_key_check").list(row -> row.text(1))
                                : session -> List.of()))
                .isEmpty();
        assertRemembered(store);
        assertCopied(store);

        assertThat(store.list(RunFilter.ALL.expiringBefore(Instant.MAX))).isEmpty();
        RunRecord claimed = store.claim(run, 2, 2, "process-1");
        assertThat(claimed.epoch()).isEqualTo(3);
        store.append(Runs.epoch(more("r", 2, LARGE), 3).takesThread(true).expiresAt(START));
        assertThat(store.list(RunFilter.ALL.expiringBefore(Instant.MAX))).hasSize(1);
    }

    /** A thread of an earlier version is not a copy, and can be copied. */
    private static void assertCopied(JdbcStore store) {
        assertThat(store.copyThread(
                        "t", 1, ThreadRecord.builder("copy", ANN, START).build()))
                .isTrue();
        assertThat(store.listThreads(new ThreadRecord.Filter(ANN, "t", 0, 9)))
                .extracting(ThreadRecord::threadId, ThreadRecord::source, ThreadRecord::copiedLength)
                .containsExactly(tuple("copy", Optional.of(new ThreadRecord.Source("t", ANN)), OptionalLong.of(1)));
        assertThat(store.deleteThread("copy", ANN)).isTrue();
    }

    /** A thread of an earlier version can be remembered, although the times of its messages are not known. */
    private static void assertRemembered(JdbcStore store) {
        MemoryStore memory = store.memory().orElseThrow();
        VectorSpace space = new VectorSpace("model", 1, 1);
        UnitVector vector = UnitVector.of(new float[] {1}).orElseThrow();
        assertThat(memory.due(0, 9)).isEmpty();
        assertThat(memory.index(
                        ANN,
                        "t",
                        space,
                        Optional.empty(),
                        IndexedRange.of(0, MESSAGES),
                        List.of(new Passage(0, 0, vector), new Passage(1, 0, vector))))
                .isTrue();
        assertThat(memory.nearest(new PassageQuery(ANN, space, vector, PassageQuery.Among.ALL, 9, 0))
                        .hits())
                .extracting(PassageHits.Hit::position)
                .containsExactly(1L, 0L);
        assertThat(memory.observedThreads(ANN, 9)).isEmpty();
        assertThat(memory.observe(ANN, "t", new NewObservation(0, MESSAGES, List.of("m0", "m1"), "Hello.", 2, START)))
                .hasValue(1);
        assertThat(memory.observedThreads(ANN, 9)).containsExactly("t");
    }

    private static long messages(JdbcStore store) {
        return store.read(
                session -> session.sql("SELECT count(*) FROM thread_messages").one(row -> row.number(1)));
    }
}
