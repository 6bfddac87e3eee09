package dev.chargehand.jdbc.internal.sql;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A source that hands out the same connection whenever it is asked, and keeps it open until the end.
 *
 * <p>On PostgreSQL, Flyway migrates on one connection and writes its history on another, which commits later: a process that
 * dies in between would leave a schema that is newer than its history says. With one connection for both, there is one
 * transaction. Not for use by several threads.
 */
final class OneConnection implements AutoCloseable {

    private final DataSource source;
    private @Nullable Connection connection;

    OneConnection(DataSource source) {
        this.source = source;
    }

    DataSource dataSource() {
        return proxy(
                DataSource.class,
                (self, method, args) ->
                        method.getName().equals("getConnection") ? shared() : invoke(method, source, args));
    }

    private Connection shared() throws SQLException {
        Connection opened = connection == null ? source.getConnection() : connection;
        connection = opened;
        return proxy(
                Connection.class,
                (self, method, args) -> method.getName().equals("close") ? null : invoke(method, opened, args));
    }

    /** Close the connection, if there is one. An open transaction is rolled back. */
    @Override
    public void close() {
        try {
            if (connection != null) {
                connection.close();
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
