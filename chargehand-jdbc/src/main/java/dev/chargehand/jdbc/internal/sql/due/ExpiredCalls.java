package dev.chargehand.jdbc.internal.sql.due;

import dev.chargehand.jdbc.internal.session.BoundSql;
import dev.chargehand.jdbc.internal.session.Row;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.sql.Millis;
import dev.chargehand.jdbc.internal.sql.WaitingTable;
import dev.chargehand.store.DueRuns;
import dev.chargehand.store.DueRuns.Expired;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one look that wait although their time is over, in SQL. However many there are, a look reads pages of them, from indexes:
 * those of all tenants that expired first, and if there are more, the first of each tenant.
 */
final class ExpiredCalls {

    /** The condition of the index of all calls that wait. */
    private static final String WAITS = "answered = 0";

    /** The condition of the index by tenants. */
    private static final String WAITS_FOR_TENANT = "answered < 1";

    private final Session session;
    private final DueRuns.Query asked;
    private final boolean all;

    ExpiredCalls(Session session, DueRuns.Query asked) {
        this.session = session;
        this.asked = asked;
        this.all = asked.scope() == DueRuns.Scope.ALL;
    }

    /** A row, with its place in the indexes, and whether the look is for it. */
    private record Late(Expired call, long expiresAt, long run, boolean due) {

        static Late of(Row row) throws SQLException {
            return new Late(
                    new Expired(row.text("tenant_id"), WaitingTable.call(row)),
                    row.number("expires_at"),
                    row.number("run"),
                    row.number("due") > 0);
        }
    }

    /** Return the first late call of each tenant, then the second of each, and so on. */
    List<Expired> inTurn() {
        List<Late> first = page(null, null, asked.limit());
        List<Expired> found = new ArrayList<>();
        if (first.size() < asked.limit()) { // there are no more
            addDue(first, found);
        } else {
            readByTenant(found);
        }
        return DueRuns.inTurn(found, asked.limit());
    }

    private void readByTenant(List<Expired> found) {
        List<Reader> hungry =
                new ArrayList<>(tenants().stream().map(Reader::new).toList());
        for (int left = asked.limit(); left > 0 && !hungry.isEmpty(); left = asked.limit() - found.size()) {
            int share = Math.ceilDiv(left, hungry.size());
            hungry.removeIf(tenant -> !tenant.read(share, found));
        }
    }

    /** Return the tenants with late calls, the one whose call expired first first; it goes from tenant to tenant in the index. */
    private List<String> tenants() {
        return session.sql("""
                        WITH RECURSIVE tenants (tenant_id) AS (
                            SELECT (SELECT min(tenant_id) FROM waiting WHERE answered < 1)
                            UNION ALL
                            SELECT (SELECT min(tenant_id) FROM waiting WHERE answered < 1 AND tenant_id > tenants.tenant_id)
                            FROM tenants WHERE tenant_id IS NOT NULL)
                        SELECT tenant_id FROM (
                            SELECT tenant_id, (SELECT min(expires_at) FROM waiting w
                                WHERE w.tenant_id = tenants.tenant_id AND answered < 1) AS first_expiry
                            FROM tenants WHERE tenant_id IS NOT NULL) each_tenant
                        WHERE first_expiry <= :now ORDER BY first_expiry, tenant_id LIMIT :most""")
                .bind("now", Millis.of(asked.now()))
                .bind("most", all ? asked.limit() : Integer.MAX_VALUE) // those of other owners are passed over
                .list(row -> row.text("tenant_id"));
    }

    /** Reads the late calls of a tenant, page by page. */
    private final class Reader {

        private final String tenant;
        private @Nullable Late last;

        Reader(String tenant) {
            this.tenant = tenant;
        }

        /** Read some more; returns whether there may be others. */
        boolean read(int share, List<Expired> found) {
            for (int left = share; left > 0; ) {
                int most = all ? left : asked.limit();
                List<Late> page = page(tenant, last, most);
                left -= addDue(page, found);
                if (page.size() < most) {
                    return false;
                }
                last = page.getLast();
            }
            return true;
        }
    }

    private static int addDue(List<Late> page, List<Expired> found) {
        List<Expired> due = page.stream().filter(Late::due).map(Late::call).toList();
        found.addAll(due);
        return due.size();
    }

    /**
     * Read late calls, the first to expire first, whether the look is for them or not. The page is complete before the runs are looked up:
     * the database would go through all runs that have not ended.
     *
     * @param tenant the tenant, or null for all
     * @param after the call to continue after, or null for the first
     */
    private List<Late> page(@Nullable String tenant, @Nullable Late after, int most) {
        BoundSql query = session.sql("""
                WITH late AS MATERIALIZED (
                    SELECT * FROM waiting WHERE %s AND expires_at <= :now%s ORDER BY expires_at, run, call_id LIMIT :most)
                SELECT w.tenant_id, w.run, r.run_id, w.call_id, w.wait, w.kind, w.tool, w.requester, w.expires_at,
                    w.since, w.description,
                    CASE WHEN r.status NOT IN ('COMPLETED', 'INCOMPLETE', 'ABORTED', 'FAILED')%s THEN 1 ELSE 0 END AS due
                FROM late w JOIN runs r ON r.id = w.run JOIN runs root ON root.run_id = r.root_run_id
                ORDER BY w.expires_at, w.run, w.call_id""".formatted(
                        tenant == null ? WAITS : WAITS_FOR_TENANT + " AND tenant_id = :tenant",
                        after == null ? "" : " AND (expires_at, run, call_id) > (:expired, :run, :call)",
                        all ? "" : " AND root.owner = :owner"));
        if (tenant != null) {
            query.bind("tenant", tenant);
        }
        if (after != null) {
            query.bind("expired", after.expiresAt())
                    .bind("run", after.run())
                    .bind("call", after.call().call().callId());
        }
        if (!all) {
            query.bind("owner", asked.owner());
        }
        return query.bind("now", Millis.of(asked.now())).bind("most", most).list(row -> Late.of(row));
    }
}
