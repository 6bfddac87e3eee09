package dev.chargehand.jdbc.internal.sql.memory;

import dev.chargehand.jdbc.internal.session.BoundSql;
import dev.chargehand.store.memory.PassageQuery;
import java.util.Optional;

/**
 * The rows that a search goes through, those of the messages said last first.
 *
 * @param query what is searched
 * @param scope the number of the owner
 * @param space the number of the space
 * @param only the number of the only thread that is searched
 * @param leftOut the number of the thread whose messages from a position on are left out
 */
record PassageRows(PassageQuery query, long scope, long space, Optional<Long> only, Optional<Long> leftOut) {

    /** Return the condition on a row; a fixed text. */
    String condition() {
        return "scope = :scope AND space = :space"
                + (only.isPresent() ? " AND thread = :only" : "")
                + (leftOut.isPresent() ? " AND NOT (thread = :out AND position >= :from)" : "");
    }

    /** Return the order of the rows. Those of one thread are read by the index that has them in order. */
    String order() {
        return only.isPresent() ? "position DESC, part DESC" : "said_at DESC, position DESC, thread DESC";
    }

    /** Bind the parameters of the condition. */
    BoundSql bind(BoundSql sql) {
        only.ifPresent(thread -> sql.bind("only", (long) thread));
        leftOut.ifPresent(thread ->
                sql.bind("out", (long) thread).bind("from", query.among().from()));
        return sql.bind("scope", scope).bind("space", space);
    }
}
