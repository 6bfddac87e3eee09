package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.jdbc.internal.session.BoundSql;
import dev.chargehand.jdbc.internal.session.Row;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.RunSummary;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rows of runs as records, and lists of them, in SQL. */
public final class RunRows {

    /**
     * The columns that {@link #record} reads. They are named because a driver remembers the place of each, and a later
     * version may change their order while a statement stays prepared.
     */
    public static final String COLUMNS = "run_id, tenant_id, agent_id, owner, started_at, root_run_id, parent_run_id,"
            + " parent_call_id, path, thread_id, resource_id, status, epoch, length, updated_at, expires_at, attempts, "
            + TaskTable.COLUMNS + ", " + SummaryColumns.NAMES;

    /** Every tenant that has runs, found by the index of statuses without reading its runs. */
    public static final String TENANTS = """
            WITH RECURSIVE tenants (tenant_id) AS (
                SELECT min(tenant_id) FROM runs
                UNION ALL
                SELECT (SELECT min(r.tenant_id) FROM runs r WHERE r.tenant_id > tenants.tenant_id)
                FROM tenants WHERE tenant_id IS NOT NULL)
            SELECT tenant_id FROM tenants WHERE tenant_id IS NOT NULL""";

    /** Finds the few that expire first, by their own index; the database might prefer to go through all that wait. */
    private static final String EXPIRING =
            "WITH expiring AS MATERIALIZED (SELECT * FROM runs WHERE expires_at < :expiring)" + " SELECT " + COLUMNS
                    + " FROM expiring run WHERE ";

    /** A run that has not ended below one that has. */
    private static final String LEFT_BELOW = "status IN ('RUNNING', 'SUSPENDED') AND EXISTS (SELECT 1 FROM runs above"
            + " WHERE above.run_id = run.parent_run_id AND above.status NOT IN ('RUNNING', 'SUSPENDED'))";

    /** The very words of the index that has these runs; the index of all statuses cannot be used for it. */
    private static final String OUTDATED =
            "indexed < " + RunSummary.VERSION + " AND status NOT IN ('COMPLETED', 'INCOMPLETE', 'ABORTED', 'FAILED')";

    private final Dialect dialect;
    private final @Nullable String tenant;

    /** Make it for a tenant, or for all of them if it is null. */
    public RunRows(Dialect dialect, @Nullable String tenant) {
        this.dialect = dialect;
        this.tenant = tenant;
    }

    /** Read one page; the conditions are fixed texts, and what they compare with is bound. */
    public List<RunRecord> list(Session session, RunFilter filter) {
        List<String> conditions = new ArrayList<>();
        List<String> statuses =
                filter.statuses().stream().map(RunStatus::name).sorted().toList();
        if (tenant != null) {
            conditions.add("tenant_id = :tenant");
        } else if (!statuses.isEmpty() || filter.leftBelow()) {
            conditions.add("tenant_id IN (" + TENANTS + ")"); // else the index of statuses could not be used
        }
        if (!statuses.isEmpty()) {
            conditions.add("status IN (:status0" + names(statuses.size()) + ")");
        }
        if (filter.rootsOnly()) {
            conditions.add("root_run_id = run_id");
        }
        if (filter.rootRunId().isPresent()) {
            conditions.add(dialect.equality("root_run_id", ":root"));
        }
        if (filter.threadId().isPresent()) {
            conditions.add(dialect.equality("thread_id", ":thread"));
        }
        if (filter.resourceId().isPresent()) {
            conditions.add(dialect.equality("resource_id", ":resource"));
        }
        if (filter.agentId().isPresent()) {
            conditions.add(dialect.equality("agent_id", ":agent"));
        }
        if (filter.startedFrom().isPresent()) {
            conditions.add("started_at >= :from");
        }
        if (filter.startedBefore().isPresent()) {
            conditions.add("started_at < :to");
        }
        if (filter.outdated()) {
            conditions.add(OUTDATED);
        }
        if (filter.leftBelow()) {
            conditions.add(LEFT_BELOW);
        }
        if (filter.woken()) {
            conditions.add("wakes > 0 AND status = 'SUSPENDED'");
        }
        filter.tasks().ifPresent(tasks -> TaskTable.addTo(conditions, dialect, tasks));
        filter.untilIdle().ifPresent(first -> conditions.add(dialect.equality("idle_run_id", ":untilIdle")));
        RunRecord before = filter.before()
                .map(last -> find(session, last).orElseThrow(() -> RunTable.notFound(last)))
                .orElse(null);
        if (before != null) {
            conditions.add("(started_at, run_id) < (:started, :before)");
        }
        Instant expiringBefore = filter.expiringBefore().orElse(null);
        BoundSql query = session.sql((expiringBefore == null ? "SELECT " + COLUMNS + " FROM runs run WHERE " : EXPIRING)
                + (conditions.isEmpty() ? "true" : String.join(" AND ", conditions))
                + " ORDER BY started_at DESC, run_id DESC LIMIT :limit");
        if (tenant != null) {
            query.bind("tenant", tenant);
        }
        for (int i = 0; i < statuses.size(); i++) {
            query.bind("status" + i, statuses.get(i));
        }
        filter.rootRunId().ifPresent(root -> query.bind("root", root.value()));
        filter.threadId().ifPresent(thread -> query.bind("thread", thread));
        filter.resourceId().ifPresent(resource -> query.bind("resource", resource));
        filter.agentId().ifPresent(agent -> query.bind("agent", agent));
        filter.tasks().ifPresent(tasks -> TaskTable.bind(query, tasks));
        filter.untilIdle().ifPresent(first -> query.bind("untilIdle", first.value()));
        filter.startedFrom().ifPresent(from -> query.bind("from", Millis.of(from)));
        filter.startedBefore().ifPresent(to -> query.bind("to", Millis.of(to)));
        if (expiringBefore != null) {
            query.bind("expiring", Millis.of(expiringBefore));
        }
        if (before != null) {
            query.bind("started", before.startedAt().toEpochMilli())
                    .bind("before", before.runId().value());
        }
        return query.bind("limit", filter.limit()).list(row -> record(row));
    }

    private static String names(int count) {
        StringBuilder names = new StringBuilder();
        for (int i = 1; i < count; i++) {
            names.append(", :status").append(i);
        }
        return names.toString();
    }

    private Optional<RunRecord> find(Session session, RunId runId) {
        return session.sql("SELECT " + COLUMNS + " FROM runs WHERE run_id = :run")
                .bind("run", runId.value())
                .first(row -> record(row))
                .filter(run -> tenant == null || run.tenantId().equals(tenant));
    }

    public static RunRecord record(Row row) throws SQLException {
        String parent = row.textIfThere("parent_run_id");
        return RunRecord.builder(
                        new RunId(row.text("run_id")), row.text("agent_id"), row.text("owner"), row.time("started_at"))
                .tenantId(row.text("tenant_id"))
                .rootRunId(new RunId(row.text("root_run_id")))
                .parentRunId(parent == null ? null : new RunId(parent))
                .parentCallId(row.textIfThere("parent_call_id"))
                .path(row.text("path"))
                .threadId(row.textIfThere("thread_id"))
                .resourceId(row.textIfThere("resource_id"))
                .status(RunStatus.valueOf(row.text("status")))
                .epoch(row.number("epoch"))
                .length(row.number("length"))
                .updatedAt(row.time("updated_at"))
                .expiresAt(row.timeIfThere("expires_at"))
                .summary(SummaryColumns.read(row))
                .attempts((int) row.number("attempts"))
                .task(TaskTable.link(row))
                .untilIdle(TaskTable.untilIdle(row))
                .build();
    }
}
