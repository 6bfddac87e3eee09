package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.StoreException.Kind;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.Query;

/** Runs and their facts, in SQL. */
public final class RunTable {

    /** Finds the few that expire first, by their own index; the database might prefer to go through all that wait. */
    private static final String EXPIRING =
            "WITH expiring AS MATERIALIZED (SELECT * FROM runs WHERE expires_at < :expiring)"
                    + " SELECT * FROM expiring run WHERE ";

    /** A run that has not ended below one that has. */
    private static final String LEFT_BELOW = "status IN ('RUNNING', 'SUSPENDED') AND EXISTS (SELECT 1 FROM runs above"
            + " WHERE above.run_id = run.parent_run_id AND above.status NOT IN ('RUNNING', 'SUSPENDED'))";

    private final Dialect dialect;

    public RunTable(Dialect dialect) {
        this.dialect = dialect;
    }

    /**
     * Add facts to a run, whose large texts are stored already, behind the fence: the epoch and the length that the
     * writer knows must be the stored ones.
     *
     * @throws StoreException {@code FENCED} or {@code NOT_FOUND}
     */
    public void append(Handle handle, Append append, LargeTexts large) {
        RunRecord newRun = append.newRun().orElse(null);
        long run = newRun == null ? advance(handle, append) : insert(handle, append, newRun);
        if (append.facts().isEmpty()) {
            return;
        }
        PreparedBatch batch = handle.prepareBatch("""
            INSERT INTO facts (run, seq, type, version, text, payload)
            VALUES (:run, :seq, :type, :version, :text, :payload)\
            """);
        long seq = append.expectedLength();
        for (FactEntry fact : append.facts()) {
            batch.bind("run", run)
                    .bind("seq", seq++)
                    .bind("type", fact.type())
                    .bind("version", fact.version())
                    .bind("text", dialect.anyText(large.inPlace(fact.text())))
                    .bind("payload", large.hashOf(fact.text()))
                    .add();
        }
        int[] ignored = batch.execute();
    }

    private long advance(Handle handle, Append append) {
        return handle.createQuery("""
            UPDATE runs
            SET status = :status, length = length + :added, updated_at = :at, expires_at = :expires
            WHERE run_id = :run AND epoch = :epoch AND length = :length
            RETURNING id\
            """)
                .bind("status", append.status().name())
                .bind("added", append.facts().size())
                .bind("at", append.at().toEpochMilli())
                .bind("expires", Millis.ofNullable(append.expiresAt().orElse(null)))
                .bind("run", append.runId().value())
                .bind("epoch", append.epoch())
                .bind("length", append.expectedLength())
                .mapTo(Long.class)
                .findOne()
                .orElseThrow(() -> find(handle, append.runId()).isPresent()
                        ? takenOver(append.runId())
                        : notFound(append.runId()));
    }

    private static long insert(Handle handle, Append append, RunRecord run) {
        if (run.epoch() != append.epoch() || append.expectedLength() != 0) {
            throw takenOver(append.runId());
        }
        return handle.createQuery("""
            INSERT INTO runs (run_id, root_run_id, parent_run_id, parent_call_id, agent_id, path, thread_id,
                resource_id, status, owner, epoch, length, started_at, updated_at, expires_at)
            VALUES (:run, :root, :parent, :call, :agent, :path, :thread,
                :resource, :status, :owner, :epoch, :length, :started, :updated, :expires)
            ON CONFLICT DO NOTHING
            RETURNING id\
            """)
                .bind("run", append.runId().value())
                .bind("root", run.rootRunId().value())
                .bind("parent", run.parentRunId().map(RunId::value).orElse(null))
                .bind("call", run.parentCallId().orElse(null))
                .bind("agent", run.agentId())
                .bind("path", run.path())
                .bind("thread", run.threadId().orElse(null))
                .bind("resource", run.resourceId().orElse(null))
                .bind("status", append.status().name())
                .bind("owner", run.owner())
                .bind("epoch", run.epoch())
                .bind("length", append.facts().size())
                .bind("started", run.startedAt().toEpochMilli())
                .bind("updated", append.at().toEpochMilli())
                .bind("expires", Millis.ofNullable(append.expiresAt().orElse(null)))
                .mapTo(Long.class)
                .findOne()
                .orElseThrow(() ->
                        new StoreException(Kind.FENCED, "Run " + append.runId() + " has been started already.", null));
    }

    public List<FactEntry> read(Handle handle, RunId runId, long from) {
        return handle.createQuery("""
            SELECT f.seq, f.type, f.version, f.text, f.payload, p.text AS payload_text
            FROM facts f JOIN runs r ON r.id = f.run LEFT JOIN payloads p ON p.hash = f.payload
            WHERE r.run_id = :run AND f.seq >= :from ORDER BY f.seq\
            """)
                .bind("run", runId.value())
                .bind("from", from)
                .map((rs, context) -> fact(new Row(rs, dialect), runId))
                .list();
    }

    public Optional<RunRecord> find(Handle handle, RunId runId) {
        return handle.createQuery("SELECT * FROM runs WHERE run_id = :run")
                .bind("run", runId.value())
                .map((rs, context) -> record(new Row(rs, dialect)))
                .findOne();
    }

    public RunRecord claim(Handle handle, RunId runId, long expectedEpoch, long expectedLength, String owner) {
        return handle.createQuery("""
            UPDATE runs SET owner = :owner, epoch = epoch + 1
            WHERE run_id = :run AND epoch = :epoch AND length = :length
            RETURNING *\
            """)
                .bind("owner", owner)
                .bind("run", runId.value())
                .bind("epoch", expectedEpoch)
                .bind("length", expectedLength)
                .map((rs, context) -> record(new Row(rs, dialect)))
                .findOne()
                .orElseThrow(() -> find(handle, runId).isPresent() ? takenOver(runId) : notFound(runId));
    }

    /** Take the owner away from the open runs of a tree; the lock on the root's row comes first, as everywhere. */
    public void release(Handle handle, RunId root, long epoch) {
        long found = handle.createQuery("SELECT epoch FROM runs WHERE run_id = :run" + dialect.rowLock())
                .bind("run", root.value())
                .mapTo(Long.class)
                .findOne()
                .orElseThrow(() -> notFound(root));
        if (found != epoch) {
            throw takenOver(root);
        }
        handle.createUpdate("UPDATE runs SET owner = '', epoch = epoch + 1 WHERE "
                        + dialect.equality("root_run_id", ":root") + " AND status IN ('RUNNING', 'SUSPENDED')")
                .bind("root", root.value())
                .execute();
    }

    /** Read one page; the conditions are fixed texts, and what they compare with is bound. */
    public List<RunRecord> list(Handle handle, RunFilter filter) {
        List<String> conditions = new ArrayList<>(List.of("true"));
        List<String> statuses =
                filter.statuses().stream().map(RunStatus::name).sorted().toList();
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
        if (filter.leftBelow()) {
            conditions.add(LEFT_BELOW);
        }
        RunRecord before = filter.before()
                .map(last -> find(handle, last).orElseThrow(() -> notFound(last)))
                .orElse(null);
        if (before != null) {
            conditions.add("(started_at, run_id) < (:started, :before)");
        }
        Instant expiringBefore = filter.expiringBefore().orElse(null);
        Query query = handle.createQuery((expiringBefore == null ? "SELECT * FROM runs run WHERE " : EXPIRING)
                + String.join(" AND ", conditions) + " ORDER BY started_at DESC, run_id DESC LIMIT :limit");
        for (int i = 0; i < statuses.size(); i++) {
            query.bind("status" + i, statuses.get(i));
        }
        filter.rootRunId().ifPresent(root -> query.bind("root", root.value()));
        filter.threadId().ifPresent(thread -> query.bind("thread", thread));
        filter.resourceId().ifPresent(resource -> query.bind("resource", resource));
        if (expiringBefore != null) {
            query.bind("expiring", Millis.of(expiringBefore));
        }
        if (before != null) {
            query.bind("started", before.startedAt().toEpochMilli())
                    .bind("before", before.runId().value());
        }
        return query.bind("limit", filter.limit())
                .map((rs, context) -> record(new Row(rs, dialect)))
                .list();
    }

    private static String names(int count) {
        StringBuilder names = new StringBuilder();
        for (int i = 1; i < count; i++) {
            names.append(", :status").append(i);
        }
        return names.toString();
    }

    private static FactEntry fact(Row row, RunId runId) throws SQLException {
        String text = PayloadTable.text(row, "fact " + row.number("seq") + " of run " + runId);
        return FactEntry.of(row.text("type"), (int) row.number("version"), text);
    }

    private static RunRecord record(Row row) throws SQLException {
        String parent = row.textIfThere("parent_run_id");
        return RunRecord.builder(
                        new RunId(row.text("run_id")), row.text("agent_id"), row.text("owner"), row.time("started_at"))
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
                .build();
    }

    private static StoreException takenOver(RunId runId) {
        return new StoreException(
                Kind.FENCED,
                "Run " + runId + " was taken over or written by another owner; this process must stop executing it.",
                null);
    }

    private static StoreException notFound(RunId runId) {
        return new StoreException(Kind.NOT_FOUND, "There is no run " + runId + " in the store.", null);
    }
}
