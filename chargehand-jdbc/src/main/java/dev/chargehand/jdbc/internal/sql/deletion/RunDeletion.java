package dev.chargehand.jdbc.internal.sql.deletion;

import dev.chargehand.jdbc.internal.session.BoundSql;
import dev.chargehand.jdbc.internal.session.Row;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.jdbc.internal.sql.Millis;
import dev.chargehand.jdbc.internal.sql.PayloadTable;
import dev.chargehand.jdbc.internal.sql.RunRows;
import dev.chargehand.run.RunStatus;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Deletes the trees of root runs that have ended, in SQL. */
final class RunDeletion {

    private static final String ENDED = "('COMPLETED', 'INCOMPLETE', 'ABORTED', 'FAILED')";

    private final Dialect dialect;
    private final String tenant;
    private final PayloadTable payloads;

    RunDeletion(Dialect dialect, String tenant, PayloadTable payloads) {
        this.dialect = dialect;
        this.tenant = tenant;
        this.payloads = payloads;
    }

    /** A root run to delete. */
    record Root(String tenant, String runId) {}

    /**
     * Which root runs to delete.
     *
     * @param condition a fixed text about the row {@code run}
     * @param values binds the parameters of the condition
     * @param end what ends the query: an order, and locks
     */
    private record Which(String condition, UnaryOperator<BoundSql> values, String end) {}

    /** Delete trees that have not changed since a moment; returns how many. */
    int deleteEnded(Session session, Instant changedBefore, int limit, boolean ofAllTenants) {
        String tenants = ofAllTenants ? "tenant_id IN (" + RunRows.TENANTS + ")" : "tenant_id = :tenant";
        // A root that another writer has locked is left out and not waited for; nested runs have no locks without it.
        Which which = new Which(
                tenants + " AND started_at < :before AND updated_at < :before" + noneOpenWithTheSame("idle_run_id")
                        + noneOpenWithTheSame("task_id"),
                sql -> (ofAllTenants ? sql : sql.bind("tenant", tenant)).bind("before", Millis.of(changedBefore)),
                " LIMIT :limit" + dialect.freeRows());
        List<Root> roots = endedRoots(session, which, limit);
        delete(session, roots);
        return roots.size();
    }

    /** Return the condition that all root runs have ended that belong together with a row {@code run} by a column that it may have. */
    private String noneOpenWithTheSame(String column) {
        return " AND (run.%1$s IS NULL OR NOT EXISTS (SELECT 1 FROM runs other WHERE other.tenant_id = run.tenant_id"
                        .formatted(column)
                + " AND %s AND other.status NOT IN %s))"
                        .formatted(dialect.equality("other." + column, "run." + column), ENDED);
    }

    /** Return the tree of a root run if it has ended, in the same way as those of a thread. */
    List<Root> one(Session session, String runId) {
        return endedRoots(session, of(dialect.equality("run_id", ":value"), runId, sql -> sql), 1);
    }

    /**
     * Return the condition that a row of runs is an attempt of a task whose result the thread {@code :value} receives, or of a task that
     * such an attempt has started.
     */
    static String taskOfThread(Dialect dialect) {
        return """
                run_id IN (
                    WITH RECURSIVE of_thread (task_run) AS (
                        SELECT task.run_id FROM runs task
                        WHERE task.tenant_id = :tenant AND task.task_id IS NOT NULL AND %s
                        UNION
                        SELECT task.run_id FROM of_thread JOIN runs task
                            ON task.tenant_id = :tenant AND task.task_id IS NOT NULL AND %s)
                    SELECT task_run FROM of_thread)""".formatted(
                        dialect.equality("task.origin_thread_id", ":value"),
                        dialect.equality("task.origin_run_id", "of_thread.task_run"));
    }

    /** Return trees of a thread that have ended, which no one else can change until the transaction is over. */
    List<Root> ofThread(Session session, String threadId, @Nullable String resourceId, int limit) {
        return ofThread(session, dialect.equality("thread_id", ":value"), threadId, resourceId, limit);
    }

    /** Return attempts of tasks whose results a thread receives in the same way, each after those of the tasks that it has started. */
    List<Root> tasksOfThread(Session session, String threadId, @Nullable String resourceId, int limit) {
        String hasTasks =
                "EXISTS (SELECT 1 FROM runs task WHERE task.tenant_id = run.tenant_id AND task.task_id IS NOT NULL"
                        + " AND coalesce('=' || task.resource_id, '') = :resource AND "
                        + dialect.equality("task.origin_run_id", "run.run_id") + ")";
        return ofThread(session, taskOfThread(dialect) + " AND NOT " + hasTasks, threadId, resourceId, limit);
    }

    private List<Root> ofThread(
            Session session, String condition, String threadId, @Nullable String resourceId, int limit) {
        // An empty id is not a missing one.
        String resource = resourceId == null ? "" : "=" + resourceId;
        Which which = of(
                condition + " AND coalesce('=' || resource_id, '') = :resource",
                threadId,
                sql -> sql.bind("resource", resource));
        return endedRoots(session, which, limit);
    }

    /** Return trees of a resource that have ended, in the same way. */
    List<Root> ofResource(Session session, String resourceId, int limit) {
        return endedRoots(session, of(dialect.equality("resource_id", ":value"), resourceId, sql -> sql), limit);
    }

    private Which of(String condition, String value, UnaryOperator<BoundSql> values) {
        return new Which(
                "tenant_id = :tenant AND " + condition,
                sql -> values.apply(sql.bind("tenant", tenant).bind("value", value)),
                " ORDER BY run_id LIMIT :limit" + dialect.rowLock());
    }

    private List<Root> endedRoots(Session session, Which which, int limit) {
        BoundSql query = session.sql("""
                SELECT tenant_id, run_id FROM runs run
                WHERE %s AND status IN %s AND root_run_id = run_id
                    AND NOT EXISTS (SELECT 1 FROM runs below
                        WHERE below.tenant_id = run.tenant_id AND %s AND below.status NOT IN %s)
                %s""".formatted(
                which.condition(), ENDED, dialect.equality("below.root_run_id", "run.run_id"), ENDED, which.end()));
        return which.values().apply(query).bind("limit", Math.max(0, limit)).list(row -> root(row)).stream()
                // Again: another writer may have added a nested run before the root was locked.
                .filter(root -> lockedStatuses(session, root).stream().allMatch(RunStatus::isEnded))
                .toList();
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

    /** Return the threads of the runs of a tree. */
    List<String> threads(Session session, Root root) {
        return session.sql("SELECT DISTINCT thread_id FROM runs WHERE thread_id IS NOT NULL AND " + ofTree())
                .bind("tenant", root.tenant())
                .bind("root", root.runId())
                .list(row -> row.text(1));
    }

    /** Delete trees. */
    void delete(Session session, List<Root> roots) {
        Set<String> texts = new TreeSet<>();
        for (Root root : roots) {
            texts.addAll(texts(session, root));
            delete(session, root);
        }
        payloads.deleteUnused(session, texts);
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

    /** Take the first words of the input from the summaries of runs of a thread. */
    void deleteFirstWords(Session session, String threadId, Iterable<String> runs) {
        for (String run : runs) {
            session.sql("""
                            UPDATE runs SET first_words = ''
                            WHERE run_id = :run AND tenant_id = :tenant AND first_words IS NOT NULL AND %s""".formatted(dialect.equality("thread_id", ":thread")))
                    .bind("run", run)
                    .bind("tenant", tenant)
                    .bind("thread", threadId)
                    .update();
        }
    }
}
