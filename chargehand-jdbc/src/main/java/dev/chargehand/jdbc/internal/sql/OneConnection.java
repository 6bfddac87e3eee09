package dev.chargehand.jdbc.internal.sql;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A source that hands out the same connection whenever it is asked, and keeps it open until the end.
 *
 * <p>On PostgreSQL, Flyway migrates on one connection and writes its history on another, which commits later: a process that
 * dies in between would leave a schema that is newer than its history says. With one connection for both, there is one
 * transaction. Not for use by several threads.
 *
 * <p>Bounds of the server's administrator for statements and transactions are lifted meanwhile, since a migration takes as long as
 * it takes.
 */
final class OneConnection implements AutoCloseable {

    private final DataSource source;
    private final List<String> bounds;

    /** The values of the bounds that were lifted. */
    private final Map<String, String> lifted = new LinkedHashMap<>();

    private @Nullable Connection connection;

    /**
     * Make it for a migration.
     *
     * @param bounds the settings of PostgreSQL to lift, where a server has them
     */
    OneConnection(DataSource source, List<String> bounds) {
        this.source = source;
        this.bounds = List.copyOf(bounds);
    }

    DataSource dataSource() {
        return proxy(
                DataSource.class,
                (self, method, args) ->
                        method.getName().equals("getConnection") ? shared() : invoke(method, source, args));
    }

    private Connection shared() throws SQLException {
        Connection opened = connection == null ? open() : connection;
        return proxy(
                Connection.class,
                (self, method, args) -> method.getName().equals("close") ? null : invoke(method, opened, args));
    }

    private Connection open() throws SQLException {
        Connection opened = source.getConnection();
        connection = opened;
        for (String bound : bounds) {
            try (PreparedStatement statement = opened.prepareStatement("SELECT current_setting(?, true)")) {
                statement.setString(1, bound);
                try (ResultSet row = statement.executeQuery()) {
                    String value = row.next() ? row.getString(1) : null;
                    if (value != null) {
                        lifted.put(bound, value);
                    }
                }
            }
        }
        for (String bound : lifted.keySet()) {
            set(opened, bound, "0");
        }
        commitAlone(opened);
        return opened;
    }

    private static void set(Connection connection, String bound, String value) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT set_config(?, ?, false)")) {
            statement.setString(1, bound);
            statement.setString(2, value);
            boolean ignored = statement.execute();
        }
    }

    private static void commitAlone(Connection connection) throws SQLException {
        if (!connection.getAutoCommit()) {
            connection.commit();
        }
    }

    /** The application receives its connection as it was. */
    private void restore(Connection opened) throws SQLException {
        if (!opened.getAutoCommit()) {
            opened.rollback();
        }
        for (Map.Entry<String, String> each : lifted.entrySet()) {
            set(opened, each.getKey(), each.getValue());
        }
        commitAlone(opened);
    }

    /** Close the connection, if there is one. An open transaction is rolled back. */
    @Override
    public void close() {
        try {
            Connection opened = connection;
            if (opened != null) {
                try (opened) {
                    restore(opened);
                }
            }
        } catch (SQLException e) {
            // It is cut already.
        }
    }

    private static @Nullable Object invoke(Method method, Object target, Object[] args) throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(OneConnection.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
