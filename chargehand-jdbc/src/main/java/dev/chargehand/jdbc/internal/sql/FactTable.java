package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.jdbc.internal.session.BoundSql;
import dev.chargehand.jdbc.internal.session.Row;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Append;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.TreeFact;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;

/** The facts of the runs of a tenant, in SQL. */
public final class FactTable {

    private final Dialect dialect;
    private final String tenant;

    public FactTable(Dialect dialect, String tenant) {
        this.dialect = dialect;
        this.tenant = tenant;
    }

    /** Add the facts of appends, whose runs are advanced and whose large texts are stored already, in their order. */
    public void insert(Session session, List<Append> appends, RunTable.Advanced runs, LargeTexts large) {
        long position = runs.treeLength();
        for (Append append : appends) {
            position -= append.facts().size();
        }
        if (position == runs.treeLength()) {
            return;
        }
        BoundSql batch = session.sql("""
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
                        .bindText("text", large.inPlace(fact.text()))
                        .bind("payload", large.hashOf(fact.text()))
                        .add();
            }
        }
        batch.updateAll();
    }

    public List<FactEntry> read(Session session, RunId runId, long from) {
        return session.sql("""
            SELECT f.seq, f.type, f.version, f.text, f.payload, p.text AS payload_text
            FROM facts f JOIN runs r ON r.id = f.run LEFT JOIN payloads p ON p.hash = f.payload
            WHERE r.run_id = :run AND r.tenant_id = :tenant AND f.seq >= :from ORDER BY f.seq\
            """)
                .bind("run", runId.value())
                .bind("tenant", tenant)
                .bind("from", from)
                .list(row -> fact(row, runId));
    }

    /** Read facts of a tree in its order. A run of it has at most as many new facts as the tree has. */
    public List<TreeFact> readTree(Session session, RunId root, long after, int limit) {
        return session.sql("""
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
                .list(row -> {
                    RunId runId = new RunId(row.text("run_id"));
                    return new TreeFact(row.number("tree_position"), runId, row.number("seq"), fact(row, runId));
                });
    }

    private static FactEntry fact(Row row, RunId runId) throws SQLException {
        String text = PayloadTable.text(row, "fact " + row.number("seq") + " of run " + runId);
        return FactEntry.of(row.text("type"), (int) row.number("version"), text);
    }
}
