package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.run.RunId;
import dev.chargehand.store.DueRuns;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.WaitingCall;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** What a process has to do, in SQL; each part is found by a partial index of the rows that are due. */
public final class DueTable {

    private final Dialect dialect;

    public DueTable(Dialect dialect) {
        this.dialect = dialect;
    }

    /**
     * Return what a process has to do.
     *
     * @param leaseTime the time by which it is judged whether leases have run out
     */
    public DueRuns due(Handle handle, DueRuns.Query query, Instant leaseTime) {
        boolean none = query.scope() == DueRuns.Scope.NONE;
        boolean all = query.scope() == DueRuns.Scope.ALL;
        return new DueRuns(
                none ? List.of() : expired(handle, query, all),
                undrained(handle, query),
                toWake(handle, query, leaseTime),
                all ? owners(handle, query, leaseTime) : List.of());
    }

    /** The calls come first, and no index of statuses: the database would go through all runs that have not ended. */
    private List<WaitingCall> expired(Handle handle, DueRuns.Query asked, boolean all) {
        Query query = handle.createQuery(
                """
                WITH late AS MATERIALIZED (SELECT * FROM waiting WHERE answered = 0 AND expires_at <= :now)
                SELECT r.run_id, w.call_id, w.wait, w.kind, w.tool, w.requester, w.expires_at
                FROM late w JOIN runs r ON r.id = w.run%s
                WHERE r.status NOT IN ('COMPLETED', 'INCOMPLETE', 'ABORTED', 'FAILED')
                ORDER BY w.expires_at LIMIT :limit""".formatted(all ? "" : " JOIN runs root ON root.run_id = r.root_run_id AND root.owner = :owner"));
        if (!all) {
            query.bind("owner", asked.owner());
        }
        return query.bind("now", Millis.of(asked.now()))
                .bind("limit", asked.limit())
                .map((rs, context) -> InboxTable.waitingCall(new Row(rs, dialect)))
                .list();
    }

    private Map<RunId, Long> undrained(Handle handle, DueRuns.Query asked) {
        Map<RunId, Long> undrained = new HashMap<>();
        handle.createQuery("SELECT run_id, undrained FROM runs WHERE undrained > 0 AND status = 'RUNNING' AND "
                        + dialect.equality("owner", ":owner"))
                .bind("owner", asked.owner())
                .map((rs, context) -> {
                    Row row = new Row(rs, dialect);
                    return Map.entry(new RunId(row.text("run_id")), row.number("undrained"));
                })
                .forEach(each -> undrained.put(each.getKey(), each.getValue()));
        return undrained;
    }

    private List<RunRecord> toWake(Handle handle, DueRuns.Query asked, Instant leaseTime) {
        boolean all = asked.scope() == DueRuns.Scope.ALL;
        String own = " AND " + dialect.equality("owner", ":owner");
        List<String> parts = new ArrayList<>();
        parts.add("""
                SELECT * FROM runs p
                WHERE status = 'PENDING' AND not_before <= :now%s AND NOT EXISTS
                    (SELECT 1 FROM runs older WHERE %s AND older.status = 'PENDING' AND older.id < p.id)
                AND NOT EXISTS
                    (SELECT 1 FROM runs r JOIN owners o ON o.owner = r.owner AND o.alive_until > :lease
                    WHERE %s AND r.status = 'RUNNING' AND r.run_id = r.root_run_id)""".formatted(
                        all ? "" : own,
                        dialect.equality("older.thread_id", "p.thread_id"),
                        dialect.equality("r.thread_id", "p.thread_id")));
        if (asked.scope() != DueRuns.Scope.NONE) {
            parts.add("SELECT * FROM runs WHERE wakes > 0 AND status = 'SUSPENDED' AND not_before <= :now"
                    + (all ? "" : own));
        }
        if (all) {
            parts.add("""
                    SELECT * FROM runs r
                    WHERE status = 'RUNNING' AND run_id = root_run_id AND not_before <= :now AND NOT EXISTS
                        (SELECT 1 FROM owners o WHERE o.owner = r.owner AND o.alive_until > :lease)""");
        }
        Query query = handle.createQuery("SELECT * FROM (" + String.join("\nUNION ALL\n", parts)
                + ") due WHERE run_id > :after ORDER BY run_id LIMIT :limit");
        if (!all) {
            query.bind("owner", asked.owner());
        }
        return query.bind("now", Millis.of(asked.now()))
                .bind("lease", leaseTime.toEpochMilli())
                .bind("after", asked.after().map(RunId::value).orElse(""))
                .bind("limit", asked.limit())
                .map((rs, context) -> RunTable.record(new Row(rs, dialect)))
                .list();
    }

    private List<String> owners(Handle handle, DueRuns.Query asked, Instant leaseTime) {
        return handle.createQuery("SELECT owner FROM owners WHERE alive_until > :lease AND owner <> :owner")
                .bind("lease", leaseTime.toEpochMilli())
                .bind("owner", asked.owner())
                .map((rs, context) -> new Row(rs, dialect).text("owner"))
                .list();
    }
}
