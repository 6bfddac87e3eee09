package dev.chargehand.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** Connections that are cut right before one of the statements on them is executed. Not for use by several threads. */
final class CutSource {

    private static final Set<String> EXECUTING = Set.of("execute", "executeQuery", "executeUpdate", "commit");

    private final DataSource source;
    private final int at;
    private final Runnable cut;
    private final List<Connection> open = new ArrayList<>();
    private final AtomicInteger statements = new AtomicInteger();
    private final List<Integer> commits = new ArrayList<>();

    /**
     * Prepare the cut.
     *
     * @param at before which statement, from 1; commits count as statements
     * @param cut what happens then, before all connections are closed
     */
    CutSource(DataSource source, int at, Runnable cut) {
        this.source = source;
        this.at = at;
        this.cut = cut;
    }

    /** Return how many statements were to be executed. */
    int statements() {
        return statements.get();
    }

    /** Return the numbers of those that were commits. */
    List<Integer> commits() {
        return List.copyOf(commits);
    }

    DataSource dataSource() {
        return proxy(DataSource.class, (self, method, args) -> {
            Object result = invoke(method, source, args);
            return result instanceof Connection connection ? connection(connection) : result;
        });
    }

    private Connection connection(Connection connection) {
        open.add(connection);
        return proxy(Connection.class, (self, method, args) -> {
            count(method.getName());
            Object result = invoke(method, connection, args);
            return result instanceof Statement statement ? statement(method.getReturnType(), statement) : result;
        });
    }

    private Object statement(Class<?> type, Statement statement) {
        return proxy(type, (self, method, args) -> {
            count(method.getName());
            return invoke(method, statement, args);
        });
    }

    private void count(String method) throws SQLException {
        if (!EXECUTING.contains(method)) {
            return;
        }
        int number = statements.incrementAndGet();
        if (method.equals("commit")) {
            commits.add(number);
        }
        if (number == at) {
            cut.run();
            for (Connection each : open) {
                each.close(); // rolls back, as the end of the process would
            }
            throw new SQLException("Cut before statement " + at + ".");
        }
    }

    private static Object invoke(Method method, Object target, Object[] args) throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(CutSource.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
