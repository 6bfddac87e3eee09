package dev.chargehand.jdbc;

import dev.chargehand.fixture.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A database for one test, in a real PostgreSQL server that is started once for all tests of a JVM.
 *
 * @param name of the database
 */
record Postgres(String name) implements AutoCloseable {

    static final String USER = PostgresServer.USER;

    private static final AtomicInteger DATABASES = new AtomicInteger();

    /** A database with an empty store, to make copies of: that is faster than to migrate each. */
    private static final class Template {
        private static final Postgres MADE = make();

        private static Postgres make() {
            Postgres template = database("");
            template.open().close();
            return template;
        }
    }

    /** Makes a database with an empty store. */
    static Postgres store() {
        return database("TEMPLATE " + Template.MADE.name());
    }

    /**
     * Makes an empty database.
     *
     * @param options of {@code CREATE DATABASE}
     */
    static Postgres database(String options) {
        Postgres database = new Postgres("test_" + DATABASES.incrementAndGet());
        new Postgres("postgres").execute("CREATE DATABASE " + database.name() + " " + options);
        return database;
    }

    /** Drops the database; hundreds of files each would make the server's end slow. */
    @Override
    public void close() {
        new Postgres("postgres").execute("DROP DATABASE " + name + " WITH (FORCE)");
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
        return "jdbc:postgresql://localhost:" + port() + "/" + name;
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

    /** Connects as another process would, with the store's tables in sight. */
    Connection connect() throws SQLException {
        Connection connection = DriverManager.getConnection(url(), USER, "");
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
