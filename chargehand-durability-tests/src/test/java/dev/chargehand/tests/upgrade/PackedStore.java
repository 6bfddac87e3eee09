package dev.chargehand.tests.upgrade;

import dev.chargehand.fixture.PostgresServer;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.jdbc.internal.sql.Migrations;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A store of the corpus: a SQLite file, or the rows of a PostgreSQL schema, as a version with an earlier schema left it.
 *
 * @param opening opens it with the code of now, which upgrades it
 * @param messages the texts of the messages of each thread before that
 * @param schema the schema that it has
 */
record PackedStore(Supplier<Store> opening, Map<String, List<String>> messages, int schema) {

    private static final Path STORES = Path.of("src/test/resources/stores");
    private static final String DUMP = ".pg.gz";

    /** Return the files whose names start like this, of both databases. */
    static List<Path> files(String prefix) throws IOException {
        try (var files = Files.list(STORES)) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .sorted()
                    .toList();
        }
    }

    static PackedStore unpack(Path packed, Path folder) throws IOException, SQLException {
        int schema = schema(packed);
        return isDump(packed) ? dump(packed, schema) : file(packed, folder.resolve("store.db"), schema);
    }

    /** Return the schema of a file of the corpus. */
    static int schema(Path packed) {
        String name = packed.getFileName().toString();
        return Integer.parseInt(name.substring(name.indexOf('-') + 1, name.indexOf('.')));
    }

    /** Return whether a file of the corpus has the rows of a PostgreSQL schema. */
    static boolean isDump(Path packed) {
        return packed.getFileName().toString().endsWith(DUMP);
    }

    private static PackedStore file(Path packed, Path file, int schema) throws IOException, SQLException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(packed))) {
            var ignored = Files.copy(in, file);
        }
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
            return new PackedStore(() -> JdbcStore.sqlite(file), messagesOf(connection), schema);
        }
    }

    private static PackedStore dump(Path packed, int schema) throws SQLException {
        String url = PostgresServer.newDatabase();
        try (Connection connection = DriverManager.getConnection(url, PostgresServer.USER, "")) {
            migrate(url, schema);
            Dump.read(connection, packed);
            var ignored = connection.createStatement().execute("SET search_path = chargehand");
            return new PackedStore(
                    () -> JdbcStore.postgres(url, PostgresServer.USER, ""), messagesOf(connection), schema);
        }
    }

    /** Make the tables of an earlier schema. */
    private static void migrate(String url, int schema) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setURL(url);
        source.setUser(PostgresServer.USER);
        var ignored = Migrations.migrate(Dialect.POSTGRESQL, source, settings -> settings.schemas("chargehand")
                .target("" + schema));
    }

    /** Write a new store of the present schema into a file. */
    static void pack(Path target, Consumer<Supplier<Store>> writer) throws IOException, SQLException {
        if (target.toString().endsWith(DUMP)) {
            String url = PostgresServer.newDatabase();
            writer.accept(() -> JdbcStore.postgres(url, PostgresServer.USER, ""));
            try (Connection connection = DriverManager.getConnection(url, PostgresServer.USER, "")) {
                Dump.write(connection, target);
            }
            return;
        }
        Path file = Files.createTempDirectory("stores").resolve("store.db");
        writer.accept(() -> JdbcStore.sqlite(file));
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(target))) {
            Files.copy(file, out);
        }
    }

    /** Read the texts of the same messages from the upgraded store. */
    Map<String, List<String>> messagesIn(Store store) {
        Map<String, List<String>> now = new LinkedHashMap<>();
        for (String thread : messages.keySet()) {
            ThreadOwner owner =
                    store.findThread(thread).map(ThreadRecord::owner).orElseThrow();
            now.put(
                    thread,
                    store.readThread(thread, owner, Long.MAX_VALUE, Integer.MAX_VALUE).stream()
                            .map(ThreadEntry::text)
                            .toList());
        }
        return now;
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
