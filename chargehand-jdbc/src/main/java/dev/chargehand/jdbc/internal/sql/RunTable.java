package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.StoreException.Kind;
import dev.chargehand.jdbc.internal.session.BoundSql;
import dev.chargehand.jdbc.internal.session.Row;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.RunSummary;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The runs of a tenant, in SQL. */
public final class RunTable {

    /** The status of a run that is claimed. */
    private static final String BEGUN = "CASE status WHEN 'PENDING' THEN 'RUNNING' ELSE status END";

    /** What an append to a root run changes for its tree. */
    private static final String ROOT_CHANGES =
            ", tree_length = tree_length + :addedToTree, attempts = attempts * :kept,"
                    + " not_before = not_before * :kept, released_at = released_at * :kept,"
                    + " thread_turn = thread_turn * :running";

    private static final String STANDING = ", status = :status, expires_at = :expires";

    /** The condition that a run already stands as one that is running and waits for nothing. */
    private static final String GOES_ON = " AND status = 'RUNNING' AND expires_at IS NULL";

    private final String tenant;

    public RunTable(String tenant) {
        this.tenant = tenant;
    }

    /**
     * The rows of runs after an append to them.
     *
     * @param ids their short numbers
     * @param treeLength the tree position of the last fact of their tree
     * @param undrained how many deliveries to their tree have not been read
     * @param wakes how many of those wake a suspended run
     */
    public record Advanced(Map<RunId, Long> ids, long treeLength, long undrained, long wakes) {}

    /**
     * Store how runs of one tree stand after appends to them. The root's row comes first, as everywhere: its lock makes
     * the order of the tree, and its epoch rejects late writers to every run of it.
     *
     * @throws StoreException {@code FENCED} or {@code NOT_FOUND}
     */
    public Advanced advance(Session session, List<Append> appends) {
        int added = 0;
        Append root = null;
        boolean progress = false;
        for (Append append : appends) {
            progress |= !append.takesThread();
            added += append.facts().size();
            root = append.isRoot() ? append : root;
        }
        Map<RunId, Long> ids = HashMap.newHashMap(appends.size());
        Root row = root == null
                ? lengthenTree(session, appends.getFirst(), added, progress)
                : advanceRoot(session, root, added, progress);
        ids.put(appends.getFirst().rootRunId(), row.id());
        for (Append append : appends) {
            if (!append.isRoot()) {
                ids.put(append.runId(), advanceNested(session, append));
            }
        }
        return new Advanced(ids, row.treeLength(), row.undrained(), row.wakes());
    }

    private record Root(long id, long treeLength, long undrained, long wakes) {}

    private static Root root(Row row) throws SQLException {
        return new Root(row.number(1), row.number(2), row.number(3), row.number(4));
    }

    private Root lengthenTree(Session session, Append append, int added, boolean progress) {
        return session.sql("""
            UPDATE runs SET tree_length = tree_length + :added,
                attempts = attempts * :kept, not_before = not_before * :kept, released_at = released_at * :kept
            WHERE run_id = :root AND epoch = :epoch AND tenant_id = :tenant
            RETURNING id, tree_length, undrained, wakes\
            """)
                .bind("added", added)
                .bind("kept", progress ? 0 : 1)
                .bind("root", append.rootRunId().value())
                .bind("epoch", append.epoch())
                .bind("tenant", tenant)
                .first(row -> root(row))
                .orElseThrow(() -> refusal(session, append.rootRunId()));
    }

    private Root advanceRoot(Session session, Append append, int added, boolean progress) {
        RunRecord newRun = append.newRun().orElse(null);
        if (newRun != null) {
            return insert(session, append, newRun, added);
        }
        return update(session, append, ROOT_CHANGES, " AND epoch = :epoch", values -> values.bind("addedToTree", added)
                .bind("kept", progress ? 0 : 1)
                .bind("running", append.status() == RunStatus.RUNNING ? 1 : 0)
                .bind("epoch", append.epoch()));
    }

    private long advanceNested(Session session, Append append) {
        RunRecord newRun = append.newRun().orElse(null);
        if (newRun != null) {
            return insert(session, append, newRun, 0).id();
        }
        return update(session, append, "", "", values -> values).id();
    }

    /**
     * Change the row of a run as an append says; the changes and the condition are fixed texts. SQLite writes the indexes of each
     * column that a statement names, so status and expiry are named only if they change, which few appends do.
     */
    private Root update(
            Session session, Append append, String changes, String condition, UnaryOperator<BoundSql> values) {
        Optional<Root> row = Optional.empty();
        if (append.status() == RunStatus.RUNNING && append.expiresAt().isEmpty()) {
            row = values.apply(update(session, append, changes, condition + GOES_ON))
                    .first(RunTable::root);
        }
        return row.or(() -> values.apply(update(session, append, changes + STANDING, condition))
                        .bind("status", append.status().name())
                        .bind("expires", Millis.ofNullable(append.expiresAt().orElse(null)))
                        .first(RunTable::root))
                .orElseThrow(() -> refusal(session, append.runId()));
    }

    private BoundSql update(Session session, Append append, String changes, String condition) {
        RunSummary summary = append.summary().orElse(null);
        BoundSql update = session.sql("""
            UPDATE runs SET length = length + :added, updated_at = :at%s%s
            WHERE run_id = :run AND tenant_id = :tenant AND length = :length%s
            RETURNING id, tree_length, undrained, wakes\
            """.formatted(changes, SummaryColumns.changes(summary), condition));
        return SummaryColumns.bindGiven(update, summary)
                .bind("added", append.facts().size())
                .bind("at", append.at().toEpochMilli())
                .bind("run", append.runId().value())
                .bind("length", append.expectedLength())
                .bind("tenant", tenant);
    }

    private StoreException refusal(Session session, RunId runId) {
        return find(session, runId).isPresent() ? takenOver(runId) : notFound(runId);
    }

    private Root insert(Session session, Append append, RunRecord run, int treeLength) {
        if (run.epoch() != append.epoch() || append.expectedLength() != 0) {
            throw takenOver(append.runId());
        }
        RunSummary summary = append.summary().orElse(null);
        BoundSql insert = session.sql("""
            INSERT INTO runs (tenant_id, run_id, root_run_id, parent_run_id, parent_call_id, agent_id, path, thread_id,
                resource_id, status, owner, epoch, length, started_at, updated_at, expires_at, tree_length, indexed,
                kind, first_words, step, input_tokens, output_tokens, cached_tokens, reasoning_tokens, cost, stop,
                version, task_id, task_attempt, origin_run_id, origin_call_id, origin_thread_id, idle_run_id)
            VALUES (:tenant, :run, :root, :parent, :call, :agent, :path, :thread,
                :resource, :status, :owner, :epoch, :length, :started, :updated, :expires, :treeLength, :indexed,
                :kind, :firstWords, :step, :inputTokens, :outputTokens, :cachedTokens, :reasoningTokens, :cost, :stop,
                :agentVersion, :task, :attempt, :originRun, :originCall, :originThread, :untilIdle)
            ON CONFLICT DO NOTHING
            RETURNING id, tree_length, undrained, wakes\
            """);
        return TaskTable.bind(SummaryColumns.bindAll(insert, summary), run)
                .bind("tenant", tenant)
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
                .bind("treeLength", treeLength)
                .bind("indexed", summary == null ? 0 : RunSummary.VERSION)
                .first(row -> root(row))
                .orElseThrow(() ->
                        new StoreException(Kind.FENCED, "Run " + append.runId() + " has been started already.", null));
    }

    /** Store what is derived from the facts of a run, if the stored values are older; returns the run's row then. */
    public Optional<Long> index(Session session, Append derived) {
        BoundSql update = session.sql("""
            UPDATE runs SET indexed = :version, expires_at = :expires, %s
            WHERE run_id = :run AND length = :length AND indexed < :version AND tenant_id = :tenant
                AND EXISTS (SELECT 1 FROM runs above WHERE above.run_id = :root AND above.epoch = :epoch)
            RETURNING id\
            """.formatted(SummaryColumns.ASSIGNMENTS));
        return SummaryColumns.bindAll(update, derived.summary().orElse(null))
                .bind("version", RunSummary.VERSION)
                .bind("expires", Millis.ofNullable(derived.expiresAt().orElse(null)))
                .bind("run", derived.runId().value())
                .bind("length", derived.expectedLength())
                .bind("root", derived.rootRunId().value())
                .bind("epoch", derived.epoch())
                .bind("tenant", tenant)
                .first(row -> row.number(1));
    }

    /** Return whether what is derived from the facts of a run is stored. */
    public boolean isIndexed(Session session, RunId runId) {
        return session.sql("SELECT 1 FROM runs WHERE run_id = :run AND indexed >= :version AND tenant_id = :tenant")
                .bind("run", runId.value())
                .bind("tenant", tenant)
                .bind("version", RunSummary.VERSION)
                .hasRow();
    }

    public Optional<RunRecord> find(Session session, RunId runId) {
        return session.sql("SELECT " + RunRows.COLUMNS + " FROM runs WHERE run_id = :run AND tenant_id = :tenant")
                .bind("run", runId.value())
                .bind("tenant", tenant)
                .first(row -> RunRows.record(row));
    }

    public RunRecord claim(Session session, RunId runId, long expectedEpoch, long expectedLength, String owner) {
        return session.sql("""
            UPDATE runs SET owner = :owner, epoch = epoch + 1, status = %s
            WHERE run_id = :run AND epoch = :epoch AND length = :length AND tenant_id = :tenant
            RETURNING %s\
            """.formatted(BEGUN, RunRows.COLUMNS))
                .bind("owner", owner)
                .bind("run", runId.value())
                .bind("epoch", expectedEpoch)
                .bind("length", expectedLength)
                .bind("tenant", tenant)
                .first(row -> RunRows.record(row))
                .orElseThrow(() -> refusal(session, runId));
    }

    /** Claim a run for a wake-up; it is not due again before a moment. */
    public RunRecord claimToWake(
            Session session, RunId runId, long expectedEpoch, long expectedLength, String owner, Instant notBefore) {
        return session.sql("""
            UPDATE runs SET owner = :owner, epoch = epoch + 1, status = %s,
                attempts = attempts + 1, not_before = :notBefore
            WHERE run_id = :run AND epoch = :epoch AND length = :length AND tenant_id = :tenant
            RETURNING %s\
            """.formatted(BEGUN, RunRows.COLUMNS))
                .bind("owner", owner)
                .bind("notBefore", Millis.of(notBefore))
                .bind("run", runId.value())
                .bind("epoch", expectedEpoch)
                .bind("length", expectedLength)
                .bind("tenant", tenant)
                .first(row -> RunRows.record(row))
                .orElseThrow(() -> refusal(session, runId));
    }

    /**
     * Take the owner away from a root run; one that has ended is left as it is. A run that made no progress since its last
     * release counts as released then.
     *
     * @param at the time by the clock of the leases
     */
    public void release(Session session, RunId root, long epoch, Instant at) {
        int released = session.sql("""
            UPDATE runs SET owner = '', epoch = epoch + 1,
                released_at = CASE released_at WHEN 0 THEN :at ELSE released_at END
            WHERE run_id = :root AND epoch = :epoch AND tenant_id = :tenant AND status IN ('RUNNING', 'SUSPENDED')\
            """)
                .bind("root", root.value())
                .bind("epoch", epoch)
                .bind("at", at.toEpochMilli())
                .bind("tenant", tenant)
                .update();
        if (released == 0
                && find(session, root).orElseThrow(() -> notFound(root)).epoch() != epoch) {
            throw takenOver(root);
        }
    }

    static StoreException takenOver(RunId runId) {
        return new StoreException(
                Kind.FENCED,
                "Run " + runId + " was taken over or written by another owner; this process must stop executing it.",
                null);
    }

    static StoreException notFound(RunId runId) {
        return new StoreException(Kind.NOT_FOUND, "There is no run " + runId + " in the store.", null);
    }
}
