package dev.chargehand.tests.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.fixture.PostgresServer;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.jdbc.internal.sql.Migrations;
import dev.chargehand.run.RunStatus;
import dev.chargehand.spi.IdSource;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.RunSummary;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A store that a version with an earlier schema wrote is upgraded whole, and all its runs go on. */
class StoreUpgradeTest {

    private static final Path STORES = Path.of("src/test/resources/stores");
    private static final Approver ANN = Approver.of("ann");

    @TempDir
    Path folder;

    static List<Path> files() throws IOException {
        return stores(".db.gz");
    }

    static List<Path> dumps() throws IOException {
        return stores(".pg.gz");
    }

    private static List<Path> stores(String ending) throws IOException {
        try (var files = Files.list(STORES)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void everyRunOfAFileGoesOnAndNoMessageIsLost(Path packed) throws Exception {
        Path file = folder.resolve("store.db");
        try (InputStream in = new GZIPInputStream(Files.newInputStream(packed))) {
            var ignored = Files.copy(in, file);
        }
        Map<String, List<String>> before;
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
            before = messagesOf(connection);
        }
        assertGoesOn(JdbcStore.sqlite(file), before, schemaOf(packed));
    }

    @ParameterizedTest
    @MethodSource("dumps")
    void everyRunOfASchemaGoesOnAndNoMessageIsLost(Path packed) throws Exception {
        String url = PostgresServer.newDatabase();
        Map<String, List<String>> before;
        try (Connection connection = DriverManager.getConnection(url, PostgresServer.USER, "")) {
            migrate(url, schemaOf(packed));
            Dump.read(connection, packed);
            var ignored = connection.createStatement().execute("SET search_path = chargehand");
            before = messagesOf(connection);
        }
        assertGoesOn(JdbcStore.postgres(url, PostgresServer.USER, ""), before, schemaOf(packed));
    }

    private static int schemaOf(Path packed) {
        String name = packed.getFileName().toString();
        return Integer.parseInt(name.substring("schema-".length(), name.indexOf('.')));
    }

    /** Make the tables of an earlier schema. */
    private static void migrate(String url, int schema) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL(url);
        source.setUser(PostgresServer.USER);
        var ignored = Migrations.migrate(Dialect.POSTGRESQL, source, settings -> settings.schemas("chargehand")
                .target("" + schema));
    }

    private static void assertGoesOn(Store opened, Map<String, List<String>> before, int schema) {
        assertThat(before.get("long")).hasSize(1_000);
        try (TestRuntime test = opened(opened)) {
            Store store = test.store();
            assertThat(store.list(RunFilter.ALL.outdated(true))).isEmpty();
            List<RunRecord> waiting = store.list(RunFilter.ROOTS.statuses(RunStatus.SUSPENDED));
            List<RunRecord> interrupted = store.list(RunFilter.ROOTS.statuses(RunStatus.RUNNING));
            assertThat(waiting).hasSize(3);
            assertThat(interrupted).hasSizeGreaterThan(8);
            assertThat(messages(store, before)).isEqualTo(before);
            if (schema >= Memories.FIRST) {
                Memories.assertKept(store, schema);
            }

            waiting.forEach(run -> approve(test, run));
            interrupted.forEach(run -> resume(test, run));

            assertThat(store.list(RunFilter.ROOTS.statuses(RunStatus.SUSPENDED, RunStatus.RUNNING)))
                    .isEmpty();
            messages(store, before).forEach((thread, now) -> {
                List<String> old = Objects.requireNonNull(before.get(thread));
                assertThat(now.subList(0, old.size())).as(thread).isEqualTo(old);
                assertThat(now.getLast()).as(thread).contains("\"ASSISTANT\"");
            });
        }
    }

    private static void approve(TestRuntime test, RunRecord run) {
        assertThat(run.summary().map(RunSummary::firstWords))
                .hasValueSatisfying(words -> assertThat(words).startsWith("pay bill"));
        assertThat(run.expiresAt()).isPresent();
        PendingApproval pending =
                test.runtime().handle(run.runId()).pendingApprovals().getFirst();
        assertThat(pending.path().toString()).isEqualTo("boss/lead/clerk");
        assertThat(test.store().waiting(run.runId())).singleElement().satisfies(call -> assertThat(call.callId())
                .isEqualTo(pending.callId()));

        RunResult result = test.runtime().approve(pending, ANN).result();

        assertThat(result.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(result.text()).startsWith("Done: ");
    }

    private static void resume(TestRuntime test, RunRecord run) {
        RunResult result = test.runtime().resume(run.runId(), o -> {}).result();

        assertThat(result.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(result.text()).startsWith("Done: ");
    }

    /** Open a store at the time at which it was written: the approvals that its runs wait for expire after a day. */
    private static TestRuntime opened(Store store) {
        Instant written = store.list(RunFilter.ALL.limit(1_000)).stream()
                .map(RunRecord::updatedAt)
                .max(Comparator.naturalOrder())
                .orElseThrow();
        AtomicLong count = new AtomicLong();
        IdSource ids = prefix -> prefix + "new" + count.incrementAndGet();
        return TestRuntime.builder(Office.script())
                .store(store)
                .time(new ManualClock(written.plusSeconds(1)))
                .ids(ids)
                .unrecorded()
                .agents(Office.agents())
                .build();
    }

    private static Map<String, List<String>> messages(Store store, Map<String, List<String>> threads) {
        Map<String, List<String>> messages = new LinkedHashMap<>();
        for (String thread : threads.keySet()) {
            ThreadOwner owner =
                    store.findThread(thread).map(ThreadRecord::owner).orElseThrow();
            messages.put(
                    thread,
                    store.readThread(thread, owner, Long.MAX_VALUE, Integer.MAX_VALUE).stream()
                            .map(ThreadEntry::text)
                            .toList());
        }
        return messages;
    }

    /** Read the texts of all messages, as any schema since the third one has them. */
    private static Map<String, List<String>> messagesOf(Connection connection) throws SQLException {
        Map<String, List<String>> messages = new LinkedHashMap<>();
        try (ResultSet rows = connection.createStatement().executeQuery("""
                        SELECT t.thread_id, coalesce(p.text, m.text) FROM threads t JOIN thread_messages m ON m.thread = t.id
                        LEFT JOIN payloads p ON p.hash = m.payload ORDER BY t.id, m.position""")) {
            while (rows.next()) {
                messages.computeIfAbsent(rows.getString(1), thread -> new ArrayList<>())
                        .add(rows.getString(2));
            }
        }
        return messages;
    }
}
