package dev.chargehand.jdbc.internal.sql.due;

import dev.chargehand.jdbc.internal.session.BoundSql;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.jdbc.internal.sql.Millis;
import dev.chargehand.jdbc.internal.sql.RunRows;
import dev.chargehand.jdbc.internal.sql.ThreadTaking;
import dev.chargehand.run.RunId;
import dev.chargehand.store.DueRuns;
import dev.chargehand.store.RunRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a process has to do for runs of all tenants, in SQL; each part is found by a partial index. */
public final class DueTable {

    /** The very words of the index that has these runs. */
    private static final String WAITING = "(status = 'PENDING' OR (status = 'SUSPENDED' AND wakes > 0))";

    private static final String RUNNING = "status = 'RUNNING'";

    private final Dialect dialect;
    private final Duration threadGrace;

    /** Make it; {@code threadGrace} is how long a run keeps its thread after its process left it. */
    public DueTable(Dialect dialect, Duration threadGrace) {
        this.dialect = dialect;
        this.threadGrace = threadGrace;
    }

    /**
     * Return what a process has to do.
     *
     * @param leaseTime the time by which it is judged whether leases have run out
     */
    public DueRuns due(Session session, DueRuns.Query query, Instant leaseTime) {
        boolean none = query.scope() == DueRuns.Scope.NONE;
        boolean all = query.scope() == DueRuns.Scope.ALL;
        return new DueRuns(
                none ? List.of() : new ExpiredCalls(session, query).inTurn(),
                undrained(session, query),
                toWake(session, query, leaseTime),
                all ? owners(session, query, leaseTime) : List.of());
    }

    private Map<RunId, Long> undrained(Session session, DueRuns.Query asked) {
        Map<RunId, Long> undrained = new HashMap<>();
        session.sql("SELECT run_id, undrained FROM runs WHERE undrained > 0 AND status = 'RUNNING' AND "
                        + dialect.equality("owner", ":owner"))
                .bind("owner", asked.owner())
                .list(row -> Map.entry(new RunId(row.text("run_id")), row.number("undrained")))
                .forEach(each -> undrained.put(each.getKey(), each.getValue()));
        return undrained;
    }

    private List<RunRecord> toWake(Session session, DueRuns.Query asked, Instant leaseTime) {
        boolean all = asked.scope() == DueRuns.Scope.ALL;
        return asked.turns()
                .read(
                        tenants(session, asked, all),
                        asked.limit(),
                        (tenant, after, most) -> oldest(session, asked, leaseTime, tenant, after, most));
    }

    /** Return the tenants that may have due runs, from the one after the last that had its turn. */
    private List<String> tenants(Session session, DueRuns.Query asked, boolean all) {
        int most = asked.limit();
        List<String> tenants =
                new ArrayList<>(tenantsAfter(session, asked.turns().tenantId(), all, most));
        if (tenants.size() < most && !asked.turns().tenantId().isEmpty()) {
            tenantsAfter(session, "", all, most).stream()
                    .filter(tenant -> !tenants.contains(tenant))
                    .limit(most - tenants.size())
                    .forEach(tenants::add);
        }
        return tenants;
    }

    /** Goes from tenant to tenant in the indexes, however many runs each of them has. */
    private List<String> tenantsAfter(Session session, String last, boolean all, int most) {
        return session.sql("""
                WITH RECURSIVE tenants (tenant_id) AS (
                    SELECT (%s) UNION ALL SELECT (%s) FROM tenants WHERE tenant_id IS NOT NULL)
                SELECT tenant_id FROM tenants WHERE tenant_id IS NOT NULL LIMIT :most""".formatted(next(":last", all), next("tenants.tenant_id", all)))
                .bind("last", last)
                .bind("most", most)
                .list(row -> row.text("tenant_id"));
    }

    private static String next(String last, boolean all) {
        String first = "SELECT min(tenant_id) AS tenant_id FROM runs WHERE " + WAITING + " AND tenant_id > " + last;
        return all
                ? "SELECT min(tenant_id) FROM (" + first
                        + " UNION ALL SELECT min(tenant_id) FROM runs WHERE " + RUNNING + " AND tenant_id > " + last
                        + ") each"
                : first;
    }

    /** Read the oldest due runs of a tenant. */
    private List<RunRecord> oldest(
            Session session,
            DueRuns.Query asked,
            Instant leaseTime,
            String tenant,
            @Nullable RunRecord after,
            int most) {
        String follows = after == null ? "" : " AND (started_at, run_id) > (:started, :after)";
        String due = waiting(asked.scope(), follows);
        if (asked.scope() == DueRuns.Scope.ALL) {
            due = "SELECT * FROM (" + due + ") first_due UNION ALL SELECT * FROM (" + abandoned(follows)
                    + ") second_due";
        }
        BoundSql query = session.sql(
                "SELECT " + RunRows.COLUMNS + " FROM (" + due + ") due ORDER BY started_at, run_id LIMIT :most");
        if (asked.scope() == DueRuns.Scope.ALL) {
            query.bind("lease", leaseTime.toEpochMilli());
        } else {
            query.bind("owner", asked.owner());
        }
        if (after != null) {
            query.bind("started", after.startedAt().toEpochMilli())
                    .bind("after", after.runId().value());
        }
        return query.bind("tenant", tenant)
                .bind("retries", Millis.of(asked.retries()))
                .bind("left", ThreadTaking.left(leaseTime, threadGrace))
                .bind("most", most)
                .list(row -> RunRows.record(row));
    }

    /** Pending runs whose turn it is on their threads, and suspended ones to which something was delivered. */
    private String waiting(DueRuns.Scope scope, String follows) {
        return """
                SELECT * FROM runs p
                WHERE tenant_id = :tenant AND %s%s AND not_before <= :retries%s
                    AND (status = 'SUSPENDED' OR (NOT EXISTS
                        (SELECT 1 FROM runs older
                        WHERE older.tenant_id = p.tenant_id AND %s AND older.status = 'PENDING' AND older.id < p.id)
                    AND NOT EXISTS
                        (SELECT 1 FROM runs r
                        WHERE r.tenant_id = p.tenant_id AND %s AND r.status = 'RUNNING' AND r.run_id = r.root_run_id AND %s)))
                ORDER BY started_at, run_id LIMIT :most""".formatted(
                        WAITING,
                        switch (scope) {
                            case NONE -> " AND status = 'PENDING' AND " + dialect.equality("owner", ":owner");
                            case OWN -> " AND " + dialect.equality("owner", ":owner");
                            case ALL -> "";
                        },
                        follows,
                        dialect.equality("older.thread_id", "p.thread_id"),
                        dialect.equality("r.thread_id", "p.thread_id"),
                        ThreadTaking.keeps("r"));
    }

    /** Running runs without a living owner. */
    private static String abandoned(String follows) {
        return """
                SELECT * FROM runs r
                WHERE tenant_id = :tenant AND %s AND run_id = root_run_id AND not_before <= :retries%s AND NOT EXISTS
                    (SELECT 1 FROM owners o WHERE o.owner = r.owner AND o.alive_until > :lease)
                ORDER BY started_at, run_id LIMIT :most""".formatted(RUNNING, follows);
    }

    private List<String> owners(Session session, DueRuns.Query asked, Instant leaseTime) {
        return session.sql("SELECT owner FROM owners WHERE alive_until > :lease AND owner <> :owner")
                .bind("lease", leaseTime.toEpochMilli())
                .bind("owner", asked.owner())
                .list(row -> row.text("owner"));
    }
}
