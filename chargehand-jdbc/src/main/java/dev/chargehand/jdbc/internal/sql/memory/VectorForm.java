package dev.chargehand.jdbc.internal.sql.memory;

import dev.chargehand.error.StoreException;
import dev.chargehand.jdbc.internal.session.BoundSql;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.store.memory.NearestMessages;
import dev.chargehand.store.memory.UnitVector;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a vector is kept in its row, and how the nearest ones are found. Each form has a column of its own name, so that a store which
 * was opened for the other form fails, and does not take one for the other.
 */
public interface VectorForm {

    /** A scale and eight bits for each dimension, which are compared in this process. */
    VectorForm BYTES = new BytesForm();

    /** The column of the vectors of the extension. */
    String FLOATS = "floats";

    /** Return the form that the extension vector of PostgreSQL has, which is in a schema. */
    static VectorForm pgvector(String schema) {
        return new PgVectorForm(schema);
    }

    /**
     * What a search found.
     *
     * @param nearest the nearest messages, best first
     * @param complete whether no passage was left out because there are too many
     */
    record Found(List<NearestMessages.Near> nearest, boolean complete) {}

    /** Return the name of the column. */
    String column();

    /** Return the type of the column, in the SQL of PostgreSQL. */
    String type();

    /** Return the value of the column, in SQL, as an expression of the parameter {@code vector}. */
    String parameter();

    /** Return what binds that parameter to a vector. */
    Consumer<BoundSql> value(UnitVector vector);

    /** Find the messages that are nearest to the vector of a query. */
    Found nearest(Session session, PassageRows rows);

    /** Make the exception for a vector that cannot be compared with those of its space. */
    static StoreException foreign(@Nullable Throwable cause) {
        return new StoreException(
                StoreException.Kind.UNUSABLE,
                "The store has a vector that is not of its space; delete the vectors of its owner, and index again.",
                cause);
    }
}
