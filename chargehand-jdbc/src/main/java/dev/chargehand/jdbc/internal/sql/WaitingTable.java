package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.approval.WaitKind;
import dev.chargehand.jdbc.internal.session.BoundSql;
import dev.chargehand.jdbc.internal.session.Row;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Append;
import dev.chargehand.store.WaitingCall;
import dev.chargehand.store.WaitingCall.WaitingFilter;
import dev.chargehand.store.WaitingCall.WaitingFilter.Listed;
import java.sql.SQLException;
import java.util.List;

/** The calls of the runs of a tenant that wait, in SQL. */
public final class WaitingTable {

    private static final String CALL =
            "r.run_id, w.call_id, w.wait, w.kind, w.tool, w.requester, w.expires_at, w.since, w.description";

    private static final String ENDED = "('COMPLETED', 'INCOMPLETE', 'ABORTED', 'FAILED')";

    private final Dialect dialect;
    private final String tenant;

    public WaitingTable(Dialect dialect, String tenant) {
        this.dialect = dialect;
        this.tenant = tenant;
    }

    /** Return the calls of a tree of runs that wait, the first to expire first. */
    public List<WaitingCall> ofTree(Session session, RunId root) {
        return session.sql("""
                        SELECT %s
                        FROM runs r JOIN waiting w ON w.run = r.id AND w.answered = 0
                        WHERE r.tenant_id = :tenant AND %s ORDER BY w.expires_at, r.run_id, w.call_id""".formatted(CALL, dialect.equality("r.root_run_id", ":root")))
                .bind("root", root.value())
                .bind("tenant", tenant)
                .list(row -> call(row));
    }

    /** Return a page of the calls that wait for an answer: it is read from an index, and the runs of its calls are looked up. */
    public List<Listed> list(Session session, WaitingFilter filter) {
        WaitingFilter.Position after = filter.after().orElse(null);
        BoundSql query = session.sql("""
                        SELECT %s, r.root_run_id, w.resource_id
                        FROM waiting w JOIN runs r ON r.id = w.run JOIN runs root ON root.run_id = r.root_run_id
                        WHERE w.tenant_id = :tenant AND w.answered = 0 AND w.kind <> 'TIMER'%s%s%s%s%s
                            AND r.status NOT IN %s AND root.status NOT IN %s
                        ORDER BY w.since, r.run_id, w.call_id LIMIT :limit""".formatted(
                CALL,
                filter.resourceId().isEmpty()
                        ? ""
                        : " AND w.resource_id IS NOT NULL AND " + dialect.equality("w.resource_id", ":resource"),
                filter.agent().isEmpty()
                        ? ""
                        : " AND (r.path = :agent OR substr(r.path, length(r.path) - length(:agent)) = '/' || :agent)",
                filter.toolName().isEmpty() ? "" : " AND w.tool = :tool",
                filter.expiresBefore().isEmpty() ? "" : " AND w.expires_at < :expires",
                after == null
                        ? ""
                        : " AND w.since >= :since AND (w.since, r.run_id, w.call_id) > (:since, :run, :call)",
                ENDED,
                ENDED));
        filter.resourceId().ifPresent(resource -> query.bind("resource", resource));
        filter.agent().ifPresent(agent -> query.bind("agent", agent));
        filter.toolName().ifPresent(tool -> query.bind("tool", tool));
        filter.expiresBefore().ifPresent(time -> query.bind("expires", Millis.of(time)));
        if (after != null) {
            query.bind("since", Millis.of(after.since()))
                    .bind("run", after.runId().value())
                    .bind("call", after.callId());
        }
        return query.bind("tenant", tenant)
                .bind("limit", filter.limit())
                .list(row -> new Listed(call(row), new RunId(row.text("root_run_id")), row.textIfThere("resource_id")));
    }

    /** Read a call that waits. */
    public static WaitingCall call(Row row) throws SQLException {
        String description = row.textIfThere("description");
        return new WaitingCall(
                new RunId(row.text("run_id")),
                row.text("call_id"),
                new WaitingCall.Waiting(
                        WaitKind.valueOf(row.text("kind")),
                        (int) row.number("wait"),
                        row.time("since"),
                        row.time("expires_at")),
                row.text("tool"),
                row.textIfThere("requester"),
                description == null ? null : Json.parse(description));
    }

    /** Mark a call as answered; returns whether it was waiting. */
    boolean answer(Session session, long run, String id) {
        return session.sql("""
                        UPDATE waiting SET answered = 1
                        WHERE run = :run AND answered = 0 AND call_id || '.' || wait = :id""").bind("run", run).bind("id", id).update() > 0;
    }

    /** Store which calls of a run wait after an append, and which do not any more. */
    void change(Session session, long run, Append append) {
        for (String call : append.waitsOver()) {
            delete(session, run, call);
        }
        for (WaitingCall call : append.waits()) {
            delete(session, run, call.callId());
            insert(session, run, call);
        }
    }

    private static void delete(Session session, long run, String call) {
        session.sql("DELETE FROM waiting WHERE run = :run AND call_id = :call")
                .bind("run", run)
                .bind("call", call)
                .update();
    }

    private void insert(Session session, long run, WaitingCall call) {
        bind(session.sql("""
                        INSERT INTO waiting
                            (run, tenant_id, call_id, wait, kind, tool, requester, expires_at, since, description, resource_id)
                        VALUES (:run, :tenant, :call, :wait, :kind, :tool, :requester, :expires, :since, :description,
                            (SELECT root.resource_id FROM runs r JOIN runs root ON root.run_id = r.root_run_id WHERE r.id = :run))
                        ON CONFLICT DO NOTHING"""), run, call)
                .bind("tenant", tenant)
                .bind("wait", call.waitNumber())
                .bind("kind", call.kind().name())
                .bind("tool", call.toolName())
                .bind("requester", call.requester())
                .bind("expires", Millis.of(call.expiresAt()))
                .update();
    }

    /** Bind what identifies a call, and what a list shows of it. */
    private static BoundSql bind(BoundSql sql, long run, WaitingCall call) {
        Json description = call.description();
        return sql.bind("run", run)
                .bind("call", call.callId())
                .bind("since", Millis.of(call.since()))
                .bindText("description", description == null ? null : description.text());
    }

    /** Store all waiting calls of a run; those that are stored are described, and stay answered or not. */
    public void index(Session session, long run, List<WaitingCall> all) {
        for (WaitingCall call : all) {
            boolean stored = bind(session.sql("""
                        UPDATE waiting SET since = :since, description = :description
                        WHERE run = :run AND call_id = :call"""), run, call).update() > 0;
            if (!stored) {
                insert(session, run, call);
            }
        }
    }
}
