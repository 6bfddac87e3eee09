package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.StoreException.Kind;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.RunSummary;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** Runs, in SQL. */
public final class RunTable {

    /** Finds the few that expire first, by their own index; the database might prefer to go through all that wait. */
    private static final String EXPIRING =
            "WITH expiring AS MATERIALIZED (SELECT * FROM runs WHERE expires_at < :expiring)"
                    + " SELECT * FROM expiring run WHERE ";

    /** A run that has not ended below one that has. */
    private static final String LEFT_BELOW = "status IN ('RUNNING', 'SUSPENDED') AND EXISTS (SELECT 1 FROM runs above"
            + " WHERE above.run_id = run.parent_run_id AND above.status NOT IN ('RUNNING', 'SUSPENDED'))";

    /** The very words of the index that has these runs; the index of all statuses cannot be used for it. */
    private static final String OUTDATED =
            "indexed < " + RunSummary.VERSION + " AND status NOT IN ('COMPLETED', 'INCOMPLETE', 'ABORTED', 'FAILED')";

    /** The status of a run that is claimed. */
    private static final String BEGUN = "CASE status WHEN 'PENDING' THEN 'RUNNING' ELSE status END";

    private final Dialect dialect;

    public RunTable(Dialect dialect) {
        this.dialect = dialect;
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
    public Advanced advance(Handle handle, List<Append> appends) {
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
                ? lengthenTree(handle, appends.getFirst(), added, progress)
                : advanceRoot(handle, root, added, progress);
        ids.put(appends.getFirst().rootRunId(), row.id());
        for (Append append : appends) {
            if (!append.isRoot()) {
                ids.put(append.runId(), advanceNested(handle, append));
            }
        }
        return new Advanced(ids, row.treeLength(), row.undrained(), row.wakes());
    }

    private record Root(long id, long treeLength, long undrained, long wakes) {}

    private static Root root(ResultSet row) throws SQLException {
        return new Root(row.getLong("id"), row.getLong("tree_length"), row.getLong("undrained"), row.getLong("wakes"));
    }

    private Root lengthenTree(Handle handle, Append append, int added, boolean progress) {
        return handle.createQuery("""
            UPDATE runs SET tree_length = tree_length + :added,
                attempts = attempts * :kept, not_before = not_before * :kept
            WHERE run_id = :root AND epoch = :epoch
            RETURNING id, tree_length, undrained, wakes\
            """)
                .bind("added", added)
                .bind("kept", progress ? 0 : 1)
                .bind("root", append.rootRunId().value())
                .bind("epoch", append.epoch())
                .map((rs, context) -> root(rs))
                .findOne()
                .orElseThrow(() -> refusal(handle, append.rootRunId()));
    }

    private Root advanceRoot(Handle handle, Append append, int added, boolean progress) {
        RunRecord newRun = append.newRun().orElse(null);
        if (newRun != null) {
            return insert(handle, append, newRun, added);
        }
        RunSummary summary = append.summary().orElse(null);
        Query update = handle.createQuery("""
            UPDATE runs
            SET status = :status, length = length + :added, updated_at = :at, expires_at = :expires,
                tree_length = tree_length + :addedToTree,
                attempts = attempts * :kept, not_before = not_before * :kept%s
            WHERE run_id = :run AND epoch = :epoch AND length = :length
            RETURNING id, tree_length, undrained, wakes\
            """.formatted(SummaryColumns.changes(summary)));
        return SummaryColumns.bindGiven(update, summary, dialect)
                .bind("status", append.status().name())
                .bind("added", append.facts().size())
                .bind("addedToTree", added)
                .bind("kept", progress ? 0 : 1)
                .bind("at", append.at().toEpochMilli())
                .bind("expires", Millis.ofNullable(append.expiresAt().orElse(null)))
                .bind("run", append.runId().value())
                .bind("epoch", append.epoch())
                .bind("length", append.expectedLength())
                .map((rs, context) -> root(rs))
                .findOne()
                .orElseThrow(() -> refusal(handle, append.runId()));
    }

    private long advanceNested(Handle handle, Append append) {
        RunRecord newRun = append.newRun().orElse(null);
        if (newRun != null) {
            return insert(handle, append, newRun, 0).id();
        }
        RunSummary summary = append.summary().orElse(null);
        Query update = handle.createQuery("""
            UPDATE runs
            SET status = :status, length = length + :added, updated_at = :at, expires_at = :expires%s
            WHERE run_id = :run AND length = :length
            RETURNING id\
            """.formatted(SummaryColumns.changes(summary)));
        return SummaryColumns.bindGiven(update, summary, dialect)
                .bind("status", append.status().name())
                .bind("added", append.facts().size())
                .bind("at", append.at().toEpochMilli())
                .bind("expires", Millis.ofNullable(append.expiresAt().orElse(null)))
                .bind("run", append.runId().value())
                .bind("length", append.expectedLength())
                .mapTo(Long.class)
                .findOne()
                .orElseThrow(() -> refusal(handle, append.runId()));
    }

    private StoreException refusal(Handle handle, RunId runId) {
        return find(handle, runId).isPresent() ? takenOver(runId) : notFound(runId);
    }

    private Root insert(Handle handle, Append append, RunRecord run, int treeLength) {
        if (run.epoch() != append.epoch() || append.expectedLength() != 0) {
            throw takenOver(append.runId());
        }
        RunSummary summary = append.summary().orElse(null);
        Query insert = handle.createQuery("""
            INSERT INTO runs (run_id, root_run_id, parent_run_id, parent_call_id, agent_id, path, thread_id,
                resource_id, status, owner, epoch, length, started_at, updated_at, expires_at, tree_length, indexed,
                kind, first_words, step, input_tokens, output_tokens, cached_tokens, reasoning_tokens, cost, stop)
            VALUES (:run, :root, :parent, :call, :agent, :path, :thread,
                :resource, :status, :owner, :epoch, :length, :started, :updated, :expires, :treeLength, :indexed,
                :kind, :firstWords, :step, :inputTokens, :outputTokens, :cachedTokens, :reasoningTokens, :cost, :stop)
            ON CONFLICT DO NOTHING
            RETURNING id, tree_length, undrained, wakes\
            """);
        return SummaryColumns.bindAll(insert, summary, dialect)
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
                .map((rs, context) -> root(rs))
                .findOne()
                .orElseThrow(() ->
                        new StoreException(Kind.FENCED, "Run " + append.runId() + " has been started already.", null));
    }

    /** Store what is derived from the facts of a run, if the stored values are older; returns the run's row then. */
    public Optional<Long> index(Handle handle, Append derived) {
        Query update = handle.createQuery("""
            UPDATE runs SET indexed = :version, expires_at = :expires, %s
            WHERE run_id = :run AND length = :length AND indexed < :version
                AND EXISTS (SELECT 1 FROM runs above WHERE above.run_id = :root AND above.epoch = :epoch)
            RETURNING id\
            """.formatted(SummaryColumns.ASSIGNMENTS));
        return SummaryColumns.bindAll(update, derived.summary().orElse(null), dialect)
                .bind("version", RunSummary.VERSION)
                .bind("expires", Millis.ofNullable(derived.expiresAt().orElse(null)))
                .bind("run", derived.runId().value())
                .bind("length", derived.expectedLength())
                .bind("root", derived.rootRunId().value())
                .bind("epoch", derived.epoch())
                .mapTo(Long.class)
                .findOne();
    }

    /** Return whether what is derived from the facts of a run is stored. */
    public boolean isIndexed(Handle handle, RunId runId) {
        return handle.createQuery("SELECT 1 FROM runs WHERE run_id = :run AND indexed >= :version")
                .bind("run", runId.value())
                .bind("version", RunSummary.VERSION)
                .mapTo(Integer.class)
                .findOne()
                .isPresent();
    }

    public Optional<RunRecord> find(Handle handle, RunId runId) {
        return handle.createQuery("SELECT * FROM runs WHERE run_id = :run")
                .bind("run", runId.value())
                .map((rs, context) -> record(new Row(rs, dialect)))
                .findOne();
    }

    public RunRecord claim(Handle handle, RunId runId, long expectedEpoch, long expectedLength, String owner) {
        return handle.createQuery("""
            UPDATE runs SET owner = :owner, epoch = epoch + 1, status = %s
            WHERE run_id = :run AND epoch = :epoch AND length = :length
            RETURNING *\
            """.formatted(BEGUN))
                .bind("owner", owner)
                .bind("run", runId.value())
                .bind("epoch", expectedEpoch)
                .bind("length", expectedLength)
                .map((rs, context) -> record(new Row(rs, dialect)))
                .findOne()
                .orElseThrow(() -> refusal(handle, runId));
    }

    /** Claim a run for a wake-up; it is not due again before a moment. */
    public RunRecord claimToWake(
            Handle handle, RunId runId, long expectedEpoch, long expectedLength, String owner, Instant notBefore) {
        return handle.createQuery("""
            UPDATE runs SET owner = :owner, epoch = epoch + 1, status = %s,
                attempts = attempts + 1, not_before = :notBefore
            WHERE run_id = :run AND epoch = :epoch AND length = :length
            RETURNING *\
            """.formatted(BEGUN))
                .bind("owner", owner)
                .bind("notBefore", Millis.of(notBefore))
                .bind("run", runId.value())
                .bind("epoch", expectedEpoch)
                .bind("length", expectedLength)
                .map((rs, context) -> record(new Row(rs, dialect)))
                .findOne()
                .orElseThrow(() -> refusal(handle, runId));
    }

    /** Take the owner away from a root run; one that has ended is left as it is. */
    public void release(Handle handle, RunId root, long epoch) {
        int released = handle.createUpdate("""
            UPDATE runs SET owner = '', epoch = epoch + 1
            WHERE run_id = :root AND epoch = :epoch AND status IN ('RUNNING', 'SUSPENDED')\
            """)
                .bind("root", root.value())
                .bind("epoch", epoch)
                .execute();
        if (released == 0
                && find(handle, root).orElseThrow(() -> notFound(root)).epoch() != epoch) {
            throw takenOver(root);
        }
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
        filter.agentId().ifPresent(agent -> query.bind("agent", agent));
        filter.startedFrom().ifPresent(from -> query.bind("from", Millis.of(from)));
        filter.startedBefore().ifPresent(to -> query.bind("to", Millis.of(to)));
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

    static RunRecord record(Row row) throws SQLException {
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
                .summary(SummaryColumns.read(row))
                .attempts((int) row.number("attempts"))
                .build();
    }

    static StoreException takenOver(RunId runId) {
        return new StoreException(
                Kind.FENCED,
                "Run " + runId + " was taken over or written by another owner; this process must stop executing it.",
                null);
    }

    private static StoreException notFound(RunId runId) {
        return new StoreException(Kind.NOT_FOUND, "There is no run " + runId + " in the store.", null);
    }
}
