package dev.chargehand.jdbc.internal.sql.memory;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.jdbc.internal.session.Row;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.thread.ThreadOwner;
import java.sql.SQLException;
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

    /** Return the owner that a row of threads names. */
    static ThreadOwner owner(Row row) throws SQLException {
        return new ThreadOwner(row.textIfThere("resource_id"), row.textIfThere("agent_path"));
    }
}
