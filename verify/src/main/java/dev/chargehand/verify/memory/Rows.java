package dev.chargehand.verify.memory;

import dev.chargehand.verify.stores.StoreAddress;
import dev.chargehand.verify.stores.StorePlace;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;

/** What the tables of a store hold, in SQL, past the store. */
final class Rows implements AutoCloseable {

    private final Connection connection;

    private Rows(Connection connection) {
        this.connection = connection;
    }

    /** Open a connection to a store that processes use. */
    static Rows of(StorePlace place) throws SQLException {
        return new Rows(new StoreAddress(place.address()).connect());
    }

    /** A message by its place. */
    record Place(String tenant, String thread, long position) {}

    /** Count the vectors of every message that has any. */
    Map<Place, Integer> vectors() throws SQLException {
        Map<Place, Integer> counts = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("""
                        SELECT t.tenant_id, t.thread_id, v.position, count(*) FROM vectors v JOIN threads t ON t.id = v.thread
                        GROUP BY t.tenant_id, t.thread_id, v.position""")) {
            while (rows.next()) {
                counts.put(new Place(rows.getString(1), rows.getString(2), rows.getLong(3)), rows.getInt(4));
            }
        }
        return counts;
    }

    /** Count the threads whose memory has work to do. */
    long due() throws SQLException {
        return count("SELECT count(*) FROM threads WHERE memory_due IS NOT NULL");
    }

    /** Count what is left of threads that do not exist any more. */
    Map<String, Long> orphans() throws SQLException {
        Map<String, Long> orphans = new HashMap<>();
        for (String table : new String[] {"vectors", "memory_cursors", "observations", "thread_messages"}) {
            orphans.put(
                    table,
                    count("SELECT count(*) FROM " + table
                            + " o WHERE NOT EXISTS (SELECT 1 FROM threads t WHERE t.id = o.thread)"));
        }
        orphans.put("vectors without messages", count("""
                SELECT count(*) FROM vectors v WHERE NOT EXISTS (
                    SELECT 1 FROM thread_messages m WHERE m.thread = v.thread AND m.position = v.position)"""));
        orphans.put("ranges beyond the end", count("""
                SELECT count(*) FROM memory_cursors c JOIN threads t ON t.id = c.thread WHERE c.high > t.length"""));
        orphans.put("observations beyond the end", count("""
                SELECT count(*) FROM observations o JOIN threads t ON t.id = o.thread
                WHERE o.high > t.length AND o.text IS NOT NULL"""));
        orphans.put("memory_scopes", count("""
                SELECT count(*) FROM memory_scopes s
                WHERE s.thread > 0 AND NOT EXISTS (SELECT 1 FROM threads t WHERE t.id = s.thread)"""));
        orphans.put("working_memory", count("""
                SELECT count(*) FROM working_memory w WHERE NOT EXISTS (
                    SELECT 1 FROM memory_scopes s WHERE s.id = w.scope
                        AND (s.thread = 0 OR EXISTS (SELECT 1 FROM threads t WHERE t.id = s.thread)))"""));
        return orphans;
    }

    /** End the leases on memory work that a process held which is dead, as if their two minutes were over. */
    void endLeases(long processId) throws SQLException {
        execute("UPDATE threads SET memory_until = 0 WHERE memory_owner LIKE '%:" + processId + ":%'");
    }

    private long count(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
