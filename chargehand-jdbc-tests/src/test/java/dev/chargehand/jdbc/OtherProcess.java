package dev.chargehand.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Another process, as SQLite sees it: a connection that has nothing to do with the store. */
final class OtherProcess implements AutoCloseable {

    private final Connection connection;

    OtherProcess(Path file) throws SQLException {
        connection = DriverManager.getConnection("jdbc:sqlite:" + file);
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    void lock() throws SQLException {
        execute("BEGIN IMMEDIATE");
    }

    void unlock() throws SQLException {
        execute("ROLLBACK");
    }

    long count(String table) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT count(*) FROM " + table)) {
            return result.getLong(1);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
