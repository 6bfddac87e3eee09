package dev.chargehand.jdbc;

import dev.chargehand.jdbc.internal.sql.Dialect;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** An empty database of either kind, to be opened by stores and looked into with SQL. */
final class TestDatabase implements AutoCloseable {

    private final Path file;
    private final @Nullable Postgres postgres;

    TestDatabase(Dialect dialect, Path folder) {
        file = folder.resolve("store.db");
        postgres = dialect == Dialect.POSTGRESQL ? Postgres.store() : null;
    }

    JdbcStore open() {
        return postgres == null ? JdbcStore.sqlite(file) : postgres.open();
    }

    /** Does something as another process would; on SQLite, without the rules that a connection has to ask for. */
    void execute(String sql) {
        Sql.execute(this::connect, sql);
    }

    /** Asks for one number. */
    long number(String sql) {
        return Long.parseLong(Sql.value(this::connect, sql));
    }

    private Connection connect() throws SQLException {
        return postgres == null ? DriverManager.getConnection("jdbc:sqlite:" + file) : postgres.connect();
    }

    @Override
    public void close() {
        if (postgres != null) {
            postgres.close();
        }
    }
}
