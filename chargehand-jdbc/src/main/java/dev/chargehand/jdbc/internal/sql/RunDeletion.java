package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.jdbc.internal.session.Row;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.run.RunStatus;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Deletes the trees of root runs that have ended, in SQL. */
public final class RunDeletion {

    private static final String ENDED = "('COMPLETED', 'INCOMPLETE', 'ABORTED', 'FAILED')";

    private final Dialect dialect;
    private final @Nullable String tenant;
    private final PayloadTable payloads;

    /** Make it for a tenant, or for all of them if it is null. */
    public RunDeletion(Dialect dialect, @Nullable String tenant, PayloadTable payloads) {
        this.dialect = dialect;
        this.tenant = tenant;
        this.payloads = payloads;
    }

    private record Root(String tenant, String runId) {}

    /**
     * Delete trees that have not changed since a moment.
     *
     * @param limit how many at most
     * @return how many were deleted
     */
    public int delete(Session session, Instant changedBefore, int limit) {
        Set<String> texts = new TreeSet<>();
        int deleted = 0;
        for (Root root : lockedRoots(session, changedBefore, limit)) {
            // Again: another writer may have added a nested run before the root was locked.
            if (lockedStatuses(session, root).stream().allMatch(RunStatus::isEnded)) {
                texts.addAll(texts(session, root));
                delete(session, root);
                deleted++;
            }
        }
        payloads.deleteUnused(session, texts);
        return deleted;
    }

    /** A root that another writer has locked is left out and not waited for; nested runs have no locks without it. */
    private List<Root> lockedRoots(Session session, Instant changedBefore, int limit) {
        var query = session.sql("""
                        SELECT tenant_id, run_id FROM runs run
                        WHERE %s AND status IN %s AND started_at < :before AND updated_at < :before AND root_run_id = run_id
                            AND NOT EXISTS (SELECT 1 FROM runs below
                                WHERE below.tenant_id = run.tenant_id AND %s AND below.status NOT IN %s)
                        LIMIT :limit%s""".formatted(
                        tenant == null ? "tenant_id IN (" + RunRows.TENANTS + ")" : "tenant_id = :tenant",
                        ENDED,
                        dialect.equality("below.root_run_id", "run.run_id"),
                        ENDED,
                        dialect.freeRows()));
        if (tenant != null) {
            query.bind("tenant", tenant);
        }
        return query.bind("before", Millis.of(changedBefore))
                .bind("limit", Math.max(0, limit))
                .list(row -> root(row));
    }

    private static Root root(Row row) throws SQLException {
        return new Root(row.text("tenant_id"), row.text("run_id"));
    }

    private List<RunStatus> lockedStatuses(Session session, Root root) {
        return session.sql("SELECT status FROM runs WHERE " + ofTree() + dialect.rowLock())
                .bind("tenant", root.tenant())
                .bind("root", root.runId())
                .list(row -> RunStatus.valueOf(row.text(1)));
    }

    private List<String> texts(Session session, Root root) {
        return session.sql("SELECT DISTINCT payload FROM facts WHERE payload IS NOT NULL AND run IN ("
                        + "SELECT id FROM runs WHERE " + ofTree() + ")")
                .bind("tenant", root.tenant())
                .bind("root", root.runId())
                .list(row -> row.text(1));
    }

    private void delete(Session session, Root root) {
        List<String> statements = new ArrayList<>();
        for (String table : List.of("facts", "deliveries", "waiting")) {
            statements.add("DELETE FROM " + table + " WHERE run IN (SELECT id FROM runs WHERE " + ofTree() + ")");
        }
        statements.add("DELETE FROM idempotency WHERE tenant_id = :tenant AND " + dialect.equality("run_id", ":root"));
        statements.add("DELETE FROM runs WHERE " + ofTree());
        for (String statement : statements) {
            session.sql(statement)
                    .bind("tenant", root.tenant())
                    .bind("root", root.runId())
                    .update();
        }
    }

    private String ofTree() {
        return "tenant_id = :tenant AND " + dialect.equality("root_run_id", ":root");
    }
}
