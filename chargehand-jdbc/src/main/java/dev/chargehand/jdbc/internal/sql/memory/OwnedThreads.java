package dev.chargehand.jdbc.internal.sql.memory;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.jdbc.internal.session.BoundSql;
import dev.chargehand.jdbc.internal.session.Row;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.thread.ThreadOwner;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** Finds the threads of a tenant for their owners, in SQL. */
final class OwnedThreads {

    private final Dialect dialect;
    private final String tenant;

    OwnedThreads(Dialect dialect, String tenant) {
        this.dialect = dialect;
        this.tenant = tenant;
    }

    private record Found(long id, ThreadOwner owner) {}

    /**
     * Return the number of a thread, or nothing if it is missing.
     *
     * @throws ThreadOwnershipException if it belongs to another owner
     */
    Optional<Long> find(Session session, String threadId, ThreadOwner owner) {
        return find(session, threadId, owner, "");
    }

    /**
     * Return the number of a thread, which cannot be deleted until the transaction is over.
     *
     * @throws StoreException {@code NOT_FOUND} if it is missing
     * @throws ThreadOwnershipException if it belongs to another owner
     */
    long keep(Session session, String threadId, ThreadOwner owner) {
        return kept(session, threadId, owner)
                .orElseThrow(() -> new StoreException(
                        StoreException.Kind.NOT_FOUND, "There is no thread '" + threadId + "' in the store.", null));
    }

    /**
     * Return the number of a thread, which cannot be deleted until the transaction is over, or nothing if it is missing.
     *
     * @throws ThreadOwnershipException if it belongs to another owner
     */
    Optional<Long> kept(Session session, String threadId, ThreadOwner owner) {
        return find(session, threadId, owner, dialect.sharedRowLock());
    }

    /**
     * Return the number of a thread, which no other transaction can change or delete until this one is over, or nothing if it is
     * missing.
     *
     * @throws ThreadOwnershipException if it belongs to another owner
     */
    Optional<Long> locked(Session session, String threadId, ThreadOwner owner) {
        return find(session, threadId, owner, dialect.rowLock());
    }

    private Optional<Long> find(Session session, String threadId, ThreadOwner owner, String lock) {
        Optional<Found> found = session.sql(
                        "SELECT id, resource_id, agent_path FROM threads WHERE " + dialect.threadOfTenant() + lock)
                .bind("tenant", tenant)
                .bind("thread", threadId)
                .first(row -> new Found(row.number("id"), owner(row)));
        if (found.isPresent() && !found.get().owner().equals(owner)) {
            throw new ThreadOwnershipException(threadId);
        }
        return found.map(Found::id);
    }

    /** Return the number of a thread of any owner, or nothing if it is missing. */
    Optional<Long> number(Session session, String threadId) {
        return session.sql("SELECT id FROM threads WHERE " + dialect.threadOfTenant())
                .bind("tenant", tenant)
                .bind("thread", threadId)
                .first(row -> row.number("id"));
    }

    /**
     * Return the ids of threads of an owner, those changed last first.
     *
     * @param condition a condition on the row of a thread; a fixed text
     */
    List<String> ofOwner(Session session, ThreadOwner owner, String condition, int limit) {
        return list(ofOwner(session, owner, condition, "updated_at DESC, thread_id DESC"), limit);
    }

    /** Return the ids of threads of an owner that come after an id, in their order. */
    List<String> after(Session session, ThreadOwner owner, String after, int limit) {
        return list(ofOwner(session, owner, "thread_id > :after", "thread_id").bind("after", after), limit);
    }

    private List<String> list(BoundSql sql, int limit) {
        return sql.bind("tenant", tenant).bind("limit", Math.max(0, limit)).list(row -> row.text("thread_id"));
    }

    /** The condition and the order are fixed texts. */
    private BoundSql ofOwner(Session session, ThreadOwner owner, String condition, String order) {
        BoundSql sql = session.sql("""
                SELECT thread_id FROM threads WHERE tenant_id = :tenant AND %s AND %s AND %s
                ORDER BY %s LIMIT :limit""".formatted(
                        owner.resourceId() == null
                                ? dialect.absence("resource_id")
                                : dialect.equality("resource_id", ":resource"),
                        owner.agentPath() == null ? "agent_path IS NULL" : "agent_path = :path",
                        condition,
                        order));
        if (owner.resourceId() != null) {
            sql.bind("resource", owner.resourceId());
        }
        if (owner.agentPath() != null) {
            sql.bind("path", owner.agentPath());
        }
        return sql;
    }

    /** Return the owner that a row of threads names. */
    static ThreadOwner owner(Row row) throws SQLException {
        return new ThreadOwner(row.textIfThere("resource_id"), row.textIfThere("agent_path"));
    }
}
