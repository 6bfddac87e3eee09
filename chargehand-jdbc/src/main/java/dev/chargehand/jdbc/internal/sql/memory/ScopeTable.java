package dev.chargehand.jdbc.internal.sql.memory;

import dev.chargehand.jdbc.internal.session.BoundSql;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.thread.ThreadOwner;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whose memory something is, in SQL: that of an owner, or that of one thread of an owner. */
final class ScopeTable {

    /** The thread of what belongs to all threads of an owner. */
    static final long ALL_THREADS = 0;

    private final Dialect dialect;
    private final String tenant;

    ScopeTable(Dialect dialect, String tenant) {
        this.dialect = dialect;
        this.tenant = tenant;
    }

    /** Return the number of a scope, if it exists. */
    Optional<Long> find(Session session, ThreadOwner owner, long thread) {
        return bind(session.sql("SELECT id FROM memory_scopes WHERE " + dialect.scope()), owner, thread)
                .first(row -> row.number("id"));
    }

    /** Return the number of a scope, which is made if it is missing. */
    long findOrMake(Session session, ThreadOwner owner, long thread) {
        while (true) {
            Optional<Long> scope = find(session, owner, thread).or(() -> make(session, owner, thread));
            if (scope.isPresent()) {
                return scope.get();
            }
            // Another writer made it in between.
        }
    }

    /** Return the numbers of the scopes of a resource that are of no single thread, of every agent. */
    List<Long> ofResource(Session session, String resourceId) {
        return session.sql("SELECT id FROM memory_scopes WHERE tenant_id = :tenant AND "
                        + dialect.equality("resource_id", ":resource") + " AND thread = :all ORDER BY id"
                        + dialect.rowLock())
                .bind("tenant", tenant)
                .bind("resource", stored(resourceId))
                .bind("all", ALL_THREADS)
                .list(row -> row.number("id"));
    }

    /** Delete scopes to which nothing refers. */
    void deleteUnused(Session session, List<Long> scopes) {
        for (long scope : scopes) {
            session.sql("""
                            DELETE FROM memory_scopes WHERE id = :scope
                                AND NOT EXISTS (SELECT 1 FROM vectors WHERE scope = :scope)
                                AND NOT EXISTS (SELECT 1 FROM memory_cursors WHERE scope = :scope)
                                AND NOT EXISTS (SELECT 1 FROM working_memory WHERE scope = :scope)
                                AND NOT EXISTS (SELECT 1 FROM memory_usage WHERE scope = :scope)""").bind("scope", scope).update();
        }
    }

    /** Give the scope of one thread, if it exists, to an owner. */
    void give(Session session, long thread, ThreadOwner owner) {
        session.sql("""
                        UPDATE memory_scopes SET resource_id = :resource, agent_path = :path
                        WHERE thread = :thread AND thread > 0""")
                .bind("resource", stored(owner.resourceId()))
                .bind("path", stored(owner.agentPath()))
                .bind("thread", thread)
                .update();
    }

    private Optional<Long> make(Session session, ThreadOwner owner, long thread) {
        return bind(session.sql("""
                        INSERT INTO memory_scopes (tenant_id, resource_id, agent_path, thread, revision)
                        VALUES (:tenant, :resource, :path, :thread, 0)
                        ON CONFLICT DO NOTHING
                        RETURNING id"""), owner, thread).first(row -> row.number("id"));
    }

    private BoundSql bind(BoundSql sql, ThreadOwner owner, long thread) {
        return sql.bind("tenant", tenant)
                .bind("resource", stored(owner.resourceId()))
                .bind("path", stored(owner.agentPath()))
                .bind("thread", thread);
    }

    /** An empty id is not a missing one. */
    private static String stored(@Nullable String id) {
        return id == null ? "" : "=" + id;
    }
}
