package dev.chargehand.jdbc.internal.session;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.function.Consumer;

/**
 * A connection with the statements that stay prepared on it, which saves SQLite from compiling each again.
 *
 * <p>Used by one thread at a time. All failures are {@link UncheckedSqlException}s.
 */
public final class Session implements AutoCloseable {

    private final Connection connection;
    private final TextForm form;
    private final int kept;
    private final Sessions sessions;

    /** Those that are not in use, the last used one at the end. */
    private final LinkedHashMap<String, PreparedStatement> idle = new LinkedHashMap<>();

    private Consumer<String> watcher = sql -> {};
    private boolean autoCommit = true;

    Session(Connection connection, TextForm form, int kept, Sessions sessions) {
        this.connection = connection;
        this.form = form;
        this.kept = kept;
        this.sessions = sessions;
    }

    public Connection connection() {
        return connection;
    }

    /** Return the URL of the database, with all that is behind its question mark. */
    public String url() {
        try {
            return connection.getMetaData().getURL();
        } catch (SQLException e) {
            throw new UncheckedSqlException(e);
        }
    }

    TextForm form() {
        return form;
    }

    /** Call something with each later statement of {@link #sql}, in the form of JDBC, when it is executed. */
    public void watch(Consumer<String> executed) {
        watcher = executed;
    }

    /** Prepare a statement to be given its values and executed; see {@link NamedSql} for its parameters. */
    public BoundSql sql(String sql) {
        return new BoundSql(this, sessions.named(sql));
    }

    /**
     * Execute statements as they are, without keeping them. Settings of SQLite need that: some take effect when they
     * are prepared, and not when they are executed.
     *
     * @return the number of rows that the first of them has changed
     */
    public int execute(String sql) {
        try (Statement statement = connection.createStatement()) {
            return statement.execute(sql) ? 0 : statement.getUpdateCount();
        } catch (SQLException e) {
            throw new UncheckedSqlException(e);
        }
    }

    /** Start a transaction, by the means of JDBC. */
    public void start() {
        try {
            autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
        } catch (SQLException e) {
            throw new UncheckedSqlException(e);
        }
    }

    /** Commit the transaction that {@link #start} started. */
    public void commit() {
        try {
            connection.commit();
            connection.setAutoCommit(autoCommit);
        } catch (SQLException e) {
            throw new UncheckedSqlException(e);
        }
    }

    /** Roll back the transaction that {@link #start} started. */
    public void rollback() {
        try {
            connection.rollback();
            connection.setAutoCommit(autoCommit);
        } catch (SQLException e) {
            throw new UncheckedSqlException(e);
        }
    }

    /** Return a statement for the only use of the caller, who gives it back by {@link #keep} or closes it. */
    PreparedStatement prepared(NamedSql sql) throws SQLException {
        watcher.accept(sql.text());
        PreparedStatement ready = idle.remove(sql.text());
        return ready == null ? connection.prepareStatement(sql.text()) : ready;
    }

    /** Keep a statement for its next use, or close it. */
    void keep(NamedSql sql, PreparedStatement statement) throws SQLException {
        if (kept == 0 || idle.containsKey(sql.text())) {
            statement.close();
            return;
        }
        idle.put(sql.text(), statement);
        if (idle.size() > kept) {
            idle.pollFirstEntry().getValue().close();
        }
    }

    /** Close the connection, and with it all its statements. */
    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new UncheckedSqlException(e);
        }
    }
}
