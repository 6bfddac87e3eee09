package dev.chargehand.jdbc.internal.sql.memory;

import dev.chargehand.jdbc.internal.session.BoundSql;
import dev.chargehand.jdbc.internal.session.Row;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.store.memory.NearestMessages;
import dev.chargehand.store.memory.PassageQuery;
import dev.chargehand.store.memory.UnitVector;
import java.sql.SQLException;
import java.util.function.Consumer;

/** Vectors as bytes, which any database has. A search reads those of an owner. */
final class BytesForm implements VectorForm {

    @Override
    public String column() {
        return "vector";
    }

    @Override
    public String type() {
        return "bytea";
    }

    @Override
    public String parameter() {
        return ":vector";
    }

    @Override
    public Consumer<BoundSql> value(UnitVector vector) {
        byte[] quantized = vector.quantized();
        return sql -> sql.bind("vector", quantized);
    }

    @Override
    public Found nearest(Session session, PassageRows rows) {
        NearestMessages nearest = new NearestMessages(rows.query());
        rows.bind(session.sql("""
                        SELECT thread, position, said_at, vector FROM vectors WHERE %s ORDER BY %s LIMIT :limit""".formatted(rows.condition(), rows.order())))
                .bind("limit", PassageQuery.MOST_PASSAGES + 1)
                .each(row -> offer(nearest, row));
        return new Found(nearest.found(), nearest.isComplete());
    }

    private static boolean offer(NearestMessages nearest, Row row) throws SQLException {
        NearestMessages.Message message =
                new NearestMessages.Message(row.number("thread"), row.number("position"), row.number("said_at"));
        try {
            return nearest.offer(message, row.bytes("vector"));
        } catch (IllegalArgumentException e) {
            throw VectorForm.foreign(e);
        }
    }
}
