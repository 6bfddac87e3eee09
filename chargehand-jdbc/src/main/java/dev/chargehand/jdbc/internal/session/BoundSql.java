package dev.chargehand.jdbc.internal.session;

import dev.chargehand.error.ConfigurationException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A statement and the values of its parameters, all of which must be bound before it is executed.
 *
 * <p>Used once, by the thread of its session; the connection is not touched before it is executed.
 */
public final class BoundSql {

    /** A longer text is not kept with a statement until its next use. */
    private static final int LONGEST_KEPT = 64 * 1024;

    /** How many rows are in memory where they are looked at one by one. */
    private static final int FETCHED_TOGETHER = 500;

    /** Reads what a row says. */
    @FunctionalInterface
    public interface Mapper<T extends @Nullable Object> {
        T map(Row row) throws SQLException;
    }

    private interface Execution<T extends @Nullable Object> {
        T of(PreparedStatement statement) throws SQLException;
    }

    /** A missing value, with the type that it would have. */
    private enum Absent {
        TEXT(Types.VARCHAR),
        NUMBER(Types.BIGINT);

        private final int type;

        Absent(int type) {
            this.type = type;
        }
    }

    private final Session session;
    private final NamedSql sql;
    private final List<@Nullable Object[]> batch = new ArrayList<>(0);
    private @Nullable Object[] values;
    private boolean kept = true;

    BoundSql(Session session, NamedSql sql) {
        this.session = session;
        this.sql = sql;
        this.values = new Object[sql.names().size()];
    }

    /**
     * Bind an id, or NULL.
     *
     * @throws ConfigurationException if UTF-8 cannot encode it: the driver would put a question mark there, and two
     *     ids, or two owners, would become one
     */
    public BoundSql bind(String name, @Nullable String id) {
        if (id != null && !isEncodable(id)) {
            throw new ConfigurationException("An id of " + id.length()
                    + " characters has a surrogate without its partner, which cannot be stored; give the run, thread,"
                    + " resource, owner or message another id.");
        }
        return bindText(name, id);
    }

    private static boolean isEncodable(String id) {
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            if (Character.isSurrogate(c)) {
                if (Character.isLowSurrogate(c)
                        || i + 1 == id.length()
                        || !Character.isLowSurrogate(id.charAt(i + 1))) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    /** Bind a text that nothing is looked up by, or NULL. */
    public BoundSql bindText(String name, @Nullable String text) {
        if (text == null) {
            return set(name, Absent.TEXT);
        }
        kept &= text.length() <= LONGEST_KEPT;
        return set(name, session.form().written(text));
    }

    public BoundSql bind(String name, long number) {
        return set(name, number);
    }

    /** Bind a number, or NULL. */
    public BoundSql bind(String name, @Nullable Long number) {
        return set(name, number == null ? Absent.NUMBER : number);
    }

    public BoundSql bind(String name, double number) {
        return set(name, number);
    }

    public BoundSql bind(String name, byte[] bytes) {
        return set(name, bytes);
    }

    /** Bind an array of {@code real}, which PostgreSQL has. */
    public BoundSql bind(String name, float[] numbers) {
        return set(name, numbers);
    }

    private BoundSql set(String name, Object value) {
        boolean found = false;
        List<String> names = sql.names();
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).equals(name)) {
                values[i] = value;
                found = true;
            }
        }
        if (!found) {
            throw new IllegalArgumentException("The statement has no parameter '" + name + "': " + sql.text());
        }
        return this;
    }

    /** Execute a change and return the number of changed rows. */
    public int update() {
        return execute(PreparedStatement::executeUpdate);
    }

    /** Add these values to those that {@link #updateAll} executes the statement with; the next ones are to be bound. */
    public void add() {
        batch.add(values);
        values = new Object[values.length];
    }

    /** Execute the statement with all values that were added. */
    public void updateAll() {
        int[] ignored = use(statement -> {
            for (@Nullable Object[] each : batch) {
                bind(statement, each);
                statement.addBatch();
            }
            return statement.executeBatch();
        });
    }

    /** Execute the statement and return its row, if there is one; there must not be two. */
    public <T> Optional<T> first(Mapper<T> mapper) {
        return execute(statement -> {
            try (ResultSet result = statement.executeQuery()) {
                if (!result.next()) {
                    return Optional.empty();
                }
                T row = mapper.map(row(result));
                if (result.next()) { // to the end, where SQLite checks what a change has to keep to
                    throw new IllegalStateException("There are several rows: " + sql.text());
                }
                return Optional.of(row);
            }
        });
    }

    /** Execute the statement and return its row; there must be one. */
    public <T> T one(Mapper<T> mapper) {
        return first(mapper).orElseThrow(() -> new IllegalStateException("There is no row: " + sql.text()));
    }

    /** Execute the statement and return whether it has a row. */
    public boolean hasRow() {
        return first(row -> true).isPresent();
    }

    /** Execute the statement and return all rows. */
    public <T extends @Nullable Object> List<T> list(Mapper<T> mapper) {
        return execute(statement -> {
            List<T> rows = new ArrayList<>();
            try (ResultSet result = statement.executeQuery()) {
                while (result.next()) {
                    rows.add(mapper.map(row(result)));
                }
            }
            return rows;
        });
    }

    /**
     * Execute the statement and look at its rows, of which only some are in memory at a time.
     *
     * @param mapper looks at a row and returns whether it wants the next one
     */
    public void each(Mapper<Boolean> mapper) {
        boolean ignored = execute(statement -> {
            statement.setFetchSize(FETCHED_TOGETHER);
            try (ResultSet result = statement.executeQuery()) {
                boolean more = true;
                while (more && result.next()) {
                    more = mapper.map(row(result));
                }
                return more;
            }
        });
    }

    private Row row(ResultSet result) {
        return new Row(result, session.form());
    }

    private <T extends @Nullable Object> T execute(Execution<T> execution) {
        return use(statement -> {
            bind(statement, values);
            return execution.of(statement);
        });
    }

    private static void bind(PreparedStatement statement, @Nullable Object[] values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            Object value = values[i];
            if (value instanceof Long number) {
                statement.setLong(i + 1, number);
            } else if (value instanceof String text) {
                statement.setString(i + 1, text);
            } else if (value instanceof byte[] bytes) {
                statement.setBytes(i + 1, bytes);
            } else if (value instanceof Double number) {
                statement.setDouble(i + 1, number);
            } else if (value instanceof float[] numbers) {
                statement.setObject(i + 1, numbers);
            } else if (value instanceof Absent absent) {
                statement.setNull(i + 1, absent.type);
            } else {
                throw new IllegalStateException("Parameter " + (i + 1) + " of a statement has no value.");
            }
        }
    }

    /** A statement that failed is closed. */
    private <T extends @Nullable Object> T use(Execution<T> execution) {
        try {
            PreparedStatement statement = session.prepared(sql);
            boolean done = false;
            try {
                T result = execution.of(statement);
                done = true;
                return result;
            } finally {
                if (done && kept) {
                    session.keep(sql, statement);
                } else {
                    statement.close();
                }
            }
        } catch (SQLException e) {
            throw new UncheckedSqlException(e);
        }
    }
}
