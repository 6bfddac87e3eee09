package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.run.RunId;
import dev.chargehand.store.Append;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.TreeFact;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;

/** The facts of the runs of a tenant, in SQL. */
public final class FactTable {

    private final Dialect dialect;
    private final String tenant;

    public FactTable(Dialect dialect, String tenant) {
        this.dialect = dialect;
        this.tenant = tenant;
    }

    /** Add the facts of appends, whose runs are advanced and whose large texts are stored already, in their order. */
    public void insert(Handle handle, List<Append> appends, RunTable.Advanced runs, LargeTexts large) {
        long position = runs.treeLength();
        for (Append append : appends) {
            position -= append.facts().size();
        }
        if (position == runs.treeLength()) {
            return;
        }
        PreparedBatch batch = handle.prepareBatch("""
            INSERT INTO facts (run, seq, tree_position, type, version, text, payload)
            VALUES (:run, :seq, :position, :type, :version, :text, :payload)\
            """);
        for (Append append : appends) {
            long run = Objects.requireNonNull(runs.ids().get(append.runId()));
            long seq = append.expectedLength();
            for (FactEntry fact : append.facts()) {
                batch.bind("run", run)
                        .bind("seq", seq++)
                        .bind("position", ++position)
                        .bind("type", fact.type())
                        .bind("version", fact.version())
                        .bind("text", dialect.anyText(large.inPlace(fact.text())))
                        .bind("payload", large.hashOf(fact.text()))
                        .add();
            }
        }
        int[] ignored = batch.execute();
    }

    public List<FactEntry> read(Handle handle, RunId runId, long from) {
        return handle.createQuery("""
            SELECT f.seq, f.type, f.version, f.text, f.payload, p.text AS payload_text
            FROM facts f JOIN runs r ON r.id = f.run LEFT JOIN payloads p ON p.hash = f.payload
            WHERE r.run_id = :run AND r.tenant_id = :tenant AND f.seq >= :from ORDER BY f.seq\
            """)
                .bind("run", runId.value())
                .bind("tenant", tenant)
                .bind("from", from)
                .map((rs, context) -> fact(new Row(rs, dialect), runId))
                .list();
    }

    /** Read facts of a tree in its order. A run of it has at most as many new facts as the tree has. */
    public List<TreeFact> readTree(Handle handle, RunId root, long after, int limit) {
        return handle.createQuery("""
            SELECT r.run_id, f.seq, f.tree_position, f.type, f.version, f.text, f.payload, p.text AS payload_text
            FROM runs top
            JOIN runs r ON r.tenant_id = top.tenant_id AND %s
            JOIN facts f ON f.run = r.id AND f.seq >= r.length - (top.tree_length - :after)
            LEFT JOIN payloads p ON p.hash = f.payload
            WHERE top.run_id = :root AND top.tenant_id = :tenant AND f.tree_position > :after
            ORDER BY f.tree_position LIMIT :limit\
            """.formatted(dialect.equality("r.root_run_id", "top.run_id")))
                .bind("root", root.value())
                .bind("tenant", tenant)
                .bind("after", after)
                .bind("limit", limit)
                .map((rs, context) -> {
                    Row row = new Row(rs, dialect);
                    RunId runId = new RunId(row.text("run_id"));
                    return new TreeFact(row.number("tree_position"), runId, row.number("seq"), fact(row, runId));
                })
                .list();
    }

    private static FactEntry fact(Row row, RunId runId) throws SQLException {
        String text = PayloadTable.text(row, "fact " + row.number("seq") + " of run " + runId);
        return FactEntry.of(row.text("type"), (int) row.number("version"), text);
    }
}
