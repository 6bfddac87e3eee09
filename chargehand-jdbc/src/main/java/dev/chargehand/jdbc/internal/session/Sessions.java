package dev.chargehand.jdbc.internal.session;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Opens sessions of a database, which share what is known of its statements.
 *
 * <p>Thread-safe.
 */
public final class Sessions {

    /** More than our statements are; the texts of lists consist of their conditions, which must not gather without end. */
    private static final int MOST_TEXTS = 256;

    /** Makes a connection. */
    @FunctionalInterface
    public interface Source {
        Connection open() throws SQLException;
    }

    private final Source source;
    private final TextForm form;
    private final int kept;
    private final Map<String, NamedSql> texts = new ConcurrentHashMap<>();

    /**
     * Make them.
     *
     * @param kept how many statements stay prepared on a connection, the last used ones; 0 if the driver keeps them, or
     *     the connection is soon returned
     */
    public Sessions(TextForm form, int kept, Source source) {
        this.source = source;
        this.form = form;
        this.kept = kept;
    }

    /**
     * Open a session.
     *
     * @throws UncheckedSqlException if there is no connection
     */
    public Session open() {
        try {
            return new Session(source.open(), form, kept, this);
        } catch (SQLException e) {
            throw new UncheckedSqlException(e);
        }
    }

    NamedSql named(String sql) {
        NamedSql known = texts.get(sql);
        if (known != null) {
            return known;
        }
        NamedSql named = NamedSql.of(sql);
        if (texts.size() < MOST_TEXTS) {
            texts.put(sql, named);
        }
        return named;
    }
}
