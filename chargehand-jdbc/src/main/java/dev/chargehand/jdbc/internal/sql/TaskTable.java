package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.background.TaskFilter;
import dev.chargehand.background.TaskLink;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.StoreException.Kind;
import dev.chargehand.jdbc.internal.session.BoundSql;
import dev.chargehand.jdbc.internal.session.Row;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.ThreadAppend;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The background tasks of a tenant, in SQL: the columns of runs that say what they belong to, and what has read their results. */
final class TaskTable {

    /** The columns that {@link #link} reads. */
    static final String COLUMNS =
            "task_id, task_attempt, origin_run_id, origin_call_id, origin_thread_id, result_at, read_by, idle_run_id";

    private static final String UNREAD = "result_at IS NOT NULL AND read_by IS NULL";

    private final Dialect dialect;
    private final String tenant;

    TaskTable(Dialect dialect, String tenant) {
        this.dialect = dialect;
        this.tenant = tenant;
    }

    /** Return the task that the run of a row belongs to; null for another run. */
    static @Nullable TaskLink link(Row row) throws SQLException {
        String task = row.textIfThere("task_id");
        if (task == null) {
            return null;
        }
        String reader = row.textIfThere("read_by");
        return new TaskLink(
                new RunId(task),
                new RunId(row.text("origin_run_id")),
                row.text("origin_call_id"),
                row.text("origin_thread_id"),
                (int) row.number("task_attempt"),
                row.numberIfThere("result_at"),
                reader == null ? null : new RunId(reader));
    }

    /** Return the first run of the until-idle call that the run of a row belongs to; null for another run. */
    static @Nullable RunId untilIdle(Row row) throws SQLException {
        String first = row.textIfThere("idle_run_id");
        return first == null ? null : new RunId(first);
    }

    /** Bind the columns of a new run. */
    static BoundSql bind(BoundSql insert, RunRecord run) {
        TaskLink task = run.task().orElse(null);
        return insert.bind("task", task == null ? null : task.taskId().value())
                .bind("attempt", task == null ? null : Long.valueOf(task.attempt()))
                .bind("originRun", task == null ? null : task.originRunId().value())
                .bind("originCall", task == null ? null : task.originCallId())
                .bind("originThread", task == null ? null : task.originThreadId())
                .bind("untilIdle", run.untilIdle().map(RunId::value).orElse(null));
    }

    /** Add the conditions of a filter, which are fixed texts. */
    static void addTo(List<String> conditions, Dialect dialect, TaskFilter filter) {
        conditions.add("task_id IS NOT NULL");
        filter.originRunId().ifPresent(run -> conditions.add(dialect.equality("origin_run_id", ":originRun")));
        filter.threadId().ifPresent(thread -> conditions.add(dialect.equality("origin_thread_id", ":originThread")));
        filter.taskId().ifPresent(task -> conditions.add(dialect.equality("task_id", ":task")));
        if (filter.unread()) {
            conditions.add(UNREAD);
        }
    }

    /** Bind what the conditions of a filter compare with. */
    static void bind(BoundSql query, TaskFilter filter) {
        filter.originRunId().ifPresent(run -> query.bind("originRun", run.value()));
        filter.threadId().ifPresent(thread -> query.bind("originThread", thread));
        filter.taskId().ifPresent(task -> query.bind("task", task.value()));
    }

    /**
     * Check that the run may start a task that an append starts; its row is locked, so that it ends after that.
     *
     * @throws StoreException {@code FENCED} if it has ended, {@code DELIVERED} if it is cancelled
     */
    void start(Session session, Append append) {
        TaskLink task = append.newRun().flatMap(RunRecord::task).orElse(null);
        if (task == null || task.attempt() > 1) {
            return;
        }
        Origin origin = session.sql("SELECT id, status, undrained FROM runs"
                        + " WHERE run_id = :origin AND tenant_id = :tenant" + dialect.rowLock())
                .bind("origin", task.originRunId().value())
                .bind("tenant", tenant)
                .first(row -> new Origin(
                        row.number("id"), RunStatus.valueOf(row.text("status")), row.number("undrained") > 0))
                .orElse(null);
        if (origin == null || origin.status().isEnded()) {
            throw notStarted(Kind.FENCED, task, "has ended or is missing");
        }
        if (origin.hasUndrained() && isCancelled(session, origin.id())) {
            throw notStarted(Kind.DELIVERED, task, "is cancelled");
        }
    }

    private record Origin(long id, RunStatus status, boolean hasUndrained) {}

    private static boolean isCancelled(Session session, long run) {
        return session.sql("SELECT 1 FROM deliveries WHERE run = :run AND body IS NOT NULL AND kind = 'CANCEL'")
                .bind("run", run)
                .hasRow();
    }

    private static StoreException notStarted(Kind kind, TaskLink task, String why) {
        return new StoreException(
                kind,
                "Task " + task.taskId() + " does not start, because run " + task.originRunId() + " " + why + ".",
                null);
    }

    /**
     * Note which run has read results; the rows are locked in one order.
     *
     * @throws StoreException {@code ALREADY_READ} if another run has read one
     */
    void read(Session session, Append append) {
        for (RunId task : append.results().stream()
                .sorted(Comparator.comparing(RunId::value))
                .toList()) {
            int read = session.sql("UPDATE runs SET read_by = :reader WHERE run_id = :task AND tenant_id = :tenant AND "
                            + UNREAD)
                    .bind("reader", append.rootRunId().value())
                    .bind("task", task.value())
                    .bind("tenant", tenant)
                    .update();
            if (read == 0) {
                throw new StoreException(
                        Kind.ALREADY_READ,
                        "The result of task " + task + " has been read by another run than " + append.runId() + ".",
                        null);
            }
        }
    }

    /** Note where the result of a task is, which is in its thread already. */
    void end(Session session, Append.TaskEnd end) {
        ThreadAppend message = end.message();
        int ignored = session.sql("""
                        UPDATE runs SET result_at = (
                            SELECT m.position FROM thread_messages m JOIN threads ON threads.id = m.thread
                            WHERE %s AND %s = %s)
                        WHERE run_id = :task AND tenant_id = :tenant""".formatted(
                                dialect.threadOfTenant()
                                        .replace("tenant_id", "threads.tenant_id")
                                        .replace("thread_id", "threads.thread_id"),
                                dialect.pair("m.thread", "m.message_id"),
                                dialect.pair("threads.id", ":message")))
                .bind("tenant", tenant)
                .bind("thread", message.threadId())
                .bind("message", message.entries().getFirst().messageId())
                .bind("task", end.taskId().value())
                .update();
    }

    /**
     * Return whether the next turn of an until-idle call is to be submitted: the one before has ended with an answer, a result is
     * unread on its thread, which is locked, and no other such turn is pending there.
     */
    boolean isDue(Session session, String threadId, RunId before) {
        return session.sql("SELECT 1 FROM runs WHERE run_id = :before AND tenant_id = :tenant"
                        + " AND status IN ('COMPLETED', 'INCOMPLETE')"
                        + " AND EXISTS (SELECT 1 FROM runs task WHERE task.tenant_id = :tenant AND "
                        + dialect.equality("task.origin_thread_id", ":thread")
                        + " AND task.task_id IS NOT NULL AND task.idle_run_id IS NOT NULL AND task.result_at IS NOT NULL AND task.read_by IS NULL)"
                        + " AND NOT EXISTS (SELECT 1 FROM runs turn WHERE turn.tenant_id = :tenant AND "
                        + dialect.equality("turn.thread_id", ":thread")
                        + " AND turn.status = 'PENDING' AND turn.idle_run_id IS NOT NULL AND turn.task_id IS NULL)")
                .bind("before", before.value())
                .bind("tenant", tenant)
                .bind("thread", threadId)
                .hasRow();
    }

    /** Set when a pending run is due. */
    void defer(Session session, RunId runId, Instant notBefore) {
        int ignored = session.sql("UPDATE runs SET not_before = :notBefore WHERE run_id = :run AND tenant_id = :tenant")
                .bind("notBefore", Millis.of(notBefore))
                .bind("run", runId.value())
                .bind("tenant", tenant)
                .update();
    }
}
