package dev.chargehand.tests.faults;

import dev.chargehand.fixture.PostgresServer;
import dev.chargehand.jdbc.JdbcStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** A database that stores are opened on, and that can be made to fail by itself. */
sealed interface Database {

    /** What there is. */
    enum Kind {
        SQLITE,
        POSTGRESQL;

        /** Makes an empty one. */
        Database in(Path folder) {
            return switch (this) {
                case SQLITE -> new Sqlite(folder.resolve("store.db"));
                case POSTGRESQL -> new Postgres(PostgresServer.newStore());
            };
        }
    }

    JdbcStore open();

    /** Lets the database fail when a run's second append arrives, with the words and the code of a fault. */
    void failSecondAppend(Fault fault);

    /** Ends that. */
    void recover();

    /** What a database may run into. */
    enum Fault {
        IO_ERROR("58030"),
        DISK_FULL("53100");

        private final String state;

        Fault(String state) {
            this.state = state;
        }
    }

    /** A file; SQLite has no way to pretend a code, so that any fault is one. */
    record Sqlite(Path file) implements Database {

        @Override
        public JdbcStore open() {
            return JdbcStore.sqlite(file);
        }

        @Override
        public void failSecondAppend(Fault fault) {
            execute("CREATE TRIGGER fault BEFORE INSERT ON facts WHEN NEW.seq > 0 BEGIN SELECT raise(ABORT, '" + fault
                    + "'); END");
        }

        @Override
        public void recover() {
            execute("DROP TRIGGER fault");
        }

        private void execute(String sql) {
            try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
                Database.execute(connection, sql);
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** A database of the {@link PostgresServer}. */
    record Postgres(String url) implements Database {

        @Override
        public JdbcStore open() {
            return open(url);
        }

        /** Opens it through another port, which leads to the server's; every statement is sent as its text. */
        JdbcStore openThrough(int port) {
            return open(PostgresServer.url(port, url.substring(url.lastIndexOf('/') + 1)) + "?preferQueryMode=simple");
        }

        private static JdbcStore open(String url) {
            return JdbcStore.postgres(url, PostgresServer.USER, "");
        }

        @Override
        public void failSecondAppend(Fault fault) {
            execute("""
                    CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '%s'; END $$;
                    CREATE TRIGGER fault BEFORE INSERT ON facts FOR EACH ROW WHEN (NEW.seq > 0)
                    EXECUTE FUNCTION fault()""".formatted(fault.state));
        }

        @Override
        public void recover() {
            execute("DROP TRIGGER fault ON facts");
        }

        private void execute(String sql) {
            try (Connection connection = DriverManager.getConnection(url, PostgresServer.USER, "")) {
                Database.execute(connection, "SET search_path = chargehand");
                Database.execute(connection, sql);
            } catch (SQLException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
