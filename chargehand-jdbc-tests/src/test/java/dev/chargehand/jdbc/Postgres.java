package dev.chargehand.jdbc;

import dev.chargehand.fixture.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A database for one test, in a real PostgreSQL server that is started once for all tests of a JVM.
 *
 * @param name of the database
 */
record Postgres(String name) implements AutoCloseable {

    static final String USER = PostgresServer.USER;

    /** By the name of the database. */
    private static final Map<String, KeptConnections> KEPT = new ConcurrentHashMap<>();

    /** Makes a database with an empty store. */
    static Postgres store() {
        return at(PostgresServer.newStore());
    }

    /** Makes a database with the content of this one, which no store may use. */
    Postgres copy() {
        closeKept();
        return database("TEMPLATE " + name);
    }

    /**
     * Makes an empty database.
     *
     * @param options of {@code CREATE DATABASE}
     */
    static Postgres database(String options) {
        return at(PostgresServer.newDatabase(options));
    }

    private static Postgres at(String url) {
        return new Postgres(url.substring(url.lastIndexOf('/') + 1));
    }

    /** Drops the database; hundreds of files each would make the server's end slow. */
    @Override
    public void close() {
        closeKept();
        new Postgres("postgres").execute("DROP DATABASE " + name + " WITH (FORCE)");
    }

    private void closeKept() {
        KeptConnections kept = KEPT.remove(name);
        if (kept != null) {
            kept.close();
        }
    }

    /** Empties the tables of the store, faster than TRUNCATE, which gives each of them new files. */
    void emptyTables() {
        execute("""
                SET lock_timeout = '60s';
                SET session_replication_role = replica;
                DO $$
                DECLARE
                    name text;
                BEGIN
                    FOR name IN SELECT tablename FROM pg_tables
                        WHERE schemaname = 'chargehand' AND tablename <> 'chargehand_schema_history'
                    LOOP
                        EXECUTE format('DELETE FROM %I', name);
                    END LOOP;
                END
                $$""");
    }

    String url() {
        return PostgresServer.url(port(), name);
    }

    static int port() {
        return PostgresServer.port();
    }

    JdbcStore open() {
        return open(PostgresOptions.DEFAULT);
    }

    JdbcStore open(PostgresOptions options) {
        return JdbcStore.postgres(url(), USER, "", options);
    }

    /** Opens a store as {@link #open(PostgresOptions)} does, but its pool takes connections that are kept when it is closed. */
    JdbcStore openKept(PostgresOptions options) {
        return JdbcStore.postgres(PostgresSource.pooled(kept(), kept(), Optional.empty(), options), options);
    }

    private KeptConnections kept() {
        return KEPT.computeIfAbsent(name, any -> new KeptConnections(url()));
    }

    /** Connects as another process would, with the store's tables in sight. */
    Connection connect() throws SQLException {
        Connection connection = kept().getConnection();
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET search_path = chargehand");
        }
        return connection;
    }

    void execute(String sql) {
        Sql.execute(this::connect, sql);
    }

    /** Asks for one value. */
    String value(String sql) {
        return Sql.value(this::connect, sql);
    }

    /** Asks for one number. */
    long number(String sql) {
        return Long.parseLong(value(sql));
    }
}
