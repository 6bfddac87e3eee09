package dev.chargehand.verify.stores;

import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.verify.harness.StoreKind;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Makes empty stores of one kind, as many as are wanted, and leaves nothing behind.
 *
 * <p>The first is made the slow way, by migrations; the others are copies of it. Thread-safe.
 */
public final class TemporaryStores implements AutoCloseable {

    private static final String TEMPLATE = "template_of_stores";

    private final StoreKind kind;
    private final Path folder;
    private final @Nullable EmbeddedPostgres server;
    private final AtomicInteger made = new AtomicInteger();

    private TemporaryStores(StoreKind kind, Path folder, @Nullable EmbeddedPostgres server) {
        this.kind = kind;
        this.folder = folder;
        this.server = server;
    }

    /** Prepare for stores of a kind; for PostgreSQL it starts a server. */
    public static TemporaryStores of(StoreKind kind) throws IOException, SQLException {
        Path folder = Files.createTempDirectory("chargehand-verify");
        EmbeddedPostgres server = kind == StoreKind.POSTGRES
                ? EmbeddedPostgres.builder()
                        .setServerConfig("max_connections", "200")
                        .start()
                : null;
        TemporaryStores stores = new TemporaryStores(kind, folder, server);
        if (kind == StoreKind.SQLITE) {
            JdbcStore.sqlite(stores.template()).close();
        } else if (kind == StoreKind.POSTGRES) {
            stores.execute("CREATE DATABASE " + TEMPLATE);
            StoreAddress.postgres(stores.url(TEMPLATE)).open().close();
        }
        return stores;
    }

    /** Return a folder for what else a harness writes; it goes with the stores. */
    public Path folder() {
        return folder;
    }

    /** Make an empty store. */
    public StorePlace make() throws IOException, SQLException {
        int number = made.incrementAndGet();
        return switch (kind) {
            case MEMORY -> new MemoryPlace();
            case SQLITE -> StoreAddress.sqlite(Files.copy(template(), folder.resolve("runs-" + number + ".db")));
            case POSTGRES -> {
                String name = "runs_" + number;
                execute("CREATE DATABASE " + name + " TEMPLATE " + TEMPLATE);
                yield StoreAddress.postgres(url(name));
            }
        };
    }

    /** Remove a store that is no longer open, so that thousands of them do not fill the disk. */
    public void remove(StorePlace place) throws IOException, SQLException {
        switch (kind) {
            case MEMORY -> {}
            case SQLITE -> {
                String file = place.address().substring(place.address().indexOf(':') + 1);
                for (String part : new String[] {"", "-wal", "-shm"}) {
                    Files.deleteIfExists(Path.of(file + part));
                }
            }
            case POSTGRES -> {
                String name = place.address().substring(place.address().lastIndexOf('/') + 1);
                execute("DROP DATABASE " + name + " WITH (FORCE)");
            }
        }
    }

    private Path template() {
        return folder.resolve("template.db");
    }

    private String url(String database) {
        int port = server == null ? 0 : server.getPort();
        return "jdbc:postgresql://localhost:" + port + "/" + database;
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url("postgres"), "postgres", "");
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws IOException {
        if (server != null) {
            server.close();
        }
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
