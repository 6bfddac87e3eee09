package dev.chargehand.verify.stores;

import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.jdbc.PostgresOptions;
import dev.chargehand.jdbc.PostgresOptions.VectorColumn;
import dev.chargehand.store.Store;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A store that any process on this machine can open.
 *
 * @param address {@code sqlite:} and a file, {@code postgres:} and a URL, or {@code pgvector:} and the URL of a database of
 *     {@link PgVectorServer}
 */
public record StoreAddress(String address) implements StorePlace {

    private static final String SQLITE = "sqlite:";
    private static final String POSTGRES = "postgres:";
    private static final String PGVECTOR = "pgvector:";
    private static final int CONNECTIONS = 4;

    /** Name a SQLite file. */
    static StoreAddress sqlite(Path file) {
        return new StoreAddress(SQLITE + file.toAbsolutePath());
    }

    /** Name a PostgreSQL database. */
    static StoreAddress postgres(String url) {
        return new StoreAddress(POSTGRES + url);
    }

    /** Name a database of the server that the environment names. */
    static StoreAddress pgvector(String url) {
        return new StoreAddress(PGVECTOR + url);
    }

    @Override
    public Store open() {
        if (address.startsWith(SQLITE)) {
            return JdbcStore.sqlite(Path.of(address.substring(SQLITE.length())));
        }
        PostgresOptions options = PostgresOptions.DEFAULT.connections(CONNECTIONS);
        if (address.startsWith(POSTGRES)) {
            return JdbcStore.postgres(address.substring(POSTGRES.length()), "postgres", "", options);
        }
        if (address.startsWith(PGVECTOR)) {
            PgVectorServer server = PgVectorServer.ofEnvironment();
            return JdbcStore.postgres(
                    address.substring(PGVECTOR.length()),
                    server.user(),
                    server.password(),
                    options.vectors(VectorColumn.PGVECTOR));
        }
        throw unknown();
    }

    /** Connect to the database past the store, with its tables in sight. */
    public Connection connect() throws SQLException {
        if (address.startsWith(SQLITE)) {
            return prepared(
                    DriverManager.getConnection("jdbc:sqlite:" + address.substring(SQLITE.length())),
                    "PRAGMA busy_timeout = 60000");
        }
        String tables = "SET search_path TO " + PostgresOptions.DEFAULT.schema();
        if (address.startsWith(POSTGRES)) {
            return prepared(DriverManager.getConnection(address.substring(POSTGRES.length()), "postgres", ""), tables);
        }
        if (address.startsWith(PGVECTOR)) {
            return prepared(PgVectorServer.ofEnvironment().connect(address.substring(PGVECTOR.length())), tables);
        }
        throw unknown();
    }

    private static Connection prepared(Connection connection, String setting) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(setting);
        }
        return connection;
    }

    private IllegalArgumentException unknown() {
        return new IllegalArgumentException("This is not the address of a store: " + address);
    }
}
