package dev.chargehand.jdbc.internal.sql.memory;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.jdbc.internal.session.BoundSql;
import dev.chargehand.jdbc.internal.session.Row;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.session.UncheckedSqlException;
import dev.chargehand.store.memory.NearestMessages;
import dev.chargehand.store.memory.PassageQuery;
import dev.chargehand.store.memory.UnitVector;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Vectors of the extension vector of PostgreSQL, as floats. The server goes through those of an owner, without an index of vectors, and
 * returns the nearest messages.
 *
 * <p>The schema of the extension is in each statement, because only that of the store is searched for names.
 */
final class PgVectorForm implements VectorForm {

    /** What the extension takes at most. */
    private static final int MOST_DIMENSIONS = 16_000;

    /** The state of an error about what was computed with, here about vectors of two sizes. */
    private static final String WRONG_DATA = "22000";

    private final String type;
    private final String negativeProduct;

    PgVectorForm(String schema) {
        String quoted = '"' + schema.replace("\"", "\"\"") + '"';
        this.type = quoted + ".vector";
        this.negativeProduct = "OPERATOR(" + quoted + ".<#>)";
    }

    @Override
    public String column() {
        return FLOATS;
    }

    @Override
    public String type() {
        return type;
    }

    @Override
    public String parameter() {
        return "CAST(:vector AS " + type + ")";
    }

    @Override
    public Consumer<BoundSql> value(UnitVector vector) {
        if (vector.dimensions() > MOST_DIMENSIONS) {
            throw new ConfigurationException("pgvector stores vectors of up to " + MOST_DIMENSIONS
                    + " dimensions, and the embedding model made one of " + vector.dimensions()
                    + "; use another model, or VectorColumn.BYTEA.");
        }
        float[] components = vector.components();
        return sql -> sql.bind("vector", components);
    }

    /**
     * In one statement, so that what is counted is what was compared. The vector of the query is a query of its own, which is
     * converted once and not for each row.
     */
    @Override
    public Found nearest(Session session, PassageRows rows) {
        BoundSql sql = rows.bind(
                session.sql("""
                WITH passages AS MATERIALIZED (
                    SELECT thread, position, said_at, -(%5$s %1$s (SELECT %2$s)) AS score,
                        row_number() OVER (ORDER BY %4$s) AS nth
                    FROM vectors WHERE %3$s ORDER BY %4$s LIMIT :limit),
                messages AS (
                    SELECT thread, position, said_at, max(score) AS best FROM passages
                    WHERE nth <= :searched AND score >= :threshold GROUP BY thread, position, said_at
                    ORDER BY best DESC, said_at DESC, position DESC, thread DESC LIMIT :most)
                SELECT seen, thread, position, said_at, best
                FROM (SELECT count(*) AS seen FROM passages) counted LEFT JOIN messages ON true
                ORDER BY best DESC, said_at DESC, position DESC, thread DESC""".formatted(negativeProduct, parameter(), rows.condition(), rows.order(), FLOATS)));
        value(rows.query().vector()).accept(sql);
        List<Counted> found = found(sql.bind("searched", PassageQuery.MOST_PASSAGES)
                .bind("limit", PassageQuery.MOST_PASSAGES + 1)
                .bind("threshold", rows.query().threshold())
                .bind("most", rows.query().most()));
        List<NearestMessages.Near> nearest = new ArrayList<>();
        found.forEach(each -> nearest.addAll(each.near()));
        return new Found(nearest, found.stream().noneMatch(each -> each.seen() > PassageQuery.MOST_PASSAGES));
    }

    /** How many passages there are, up to one more than are searched, and a message, if any is near. */
    private record Counted(long seen, List<NearestMessages.Near> near) {

        private static Counted of(Row row) throws SQLException {
            Long thread = row.numberIfThere("thread");
            return new Counted(
                    row.number("seen"),
                    thread == null
                            ? List.of()
                            : List.of(new NearestMessages.Near(
                                    new NearestMessages.Message(thread, row.number("position"), row.number("said_at")),
                                    row.real("best"))));
        }
    }

    private static List<Counted> found(BoundSql sql) {
        try {
            return sql.list(Counted::of);
        } catch (UncheckedSqlException e) {
            if (e.getCause() instanceof SQLException cause && WRONG_DATA.equals(cause.getSQLState())) {
                throw VectorForm.foreign(e);
            }
            throw e;
        }
    }
}
