package dev.chargehand.jdbc.internal.sql.memory;

import dev.chargehand.jdbc.internal.session.BoundSql;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.jdbc.internal.sql.Millis;
import dev.chargehand.jdbc.internal.sql.ThreadTable;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.WorkingMemoryEdit;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import dev.chargehand.thread.ThreadOwner;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The working memory of a tenant, in SQL. */
public final class WorkingMemoryTable {

    private final Dialect dialect;
    private final String tenant;
    private final OwnedThreads threads;
    private final ScopeTable scopes;

    WorkingMemoryTable(Dialect dialect, String tenant, OwnedThreads threads, ScopeTable scopes) {
        this.dialect = dialect;
        this.tenant = tenant;
        this.threads = threads;
        this.scopes = scopes;
    }

    /** Return the newest text. */
    public Optional<WorkingMemoryRevision> newest(Session session, ThreadOwner owner, @Nullable String threadId) {
        return scope(session, owner, threadId)
                .flatMap(scope -> revision(session.sql("""
                                SELECT revision, text, created_at FROM working_memory WHERE scope = :scope
                                ORDER BY revision DESC LIMIT 1""").bind("scope", scope)));
    }

    /** Return the text of a revision. */
    public Optional<WorkingMemoryRevision> revision(
            Session session, ThreadOwner owner, @Nullable String threadId, long revision) {
        return scope(session, owner, threadId)
                .flatMap(scope -> revision(session.sql("""
                                SELECT revision, text, created_at FROM working_memory
                                WHERE scope = :scope AND revision = :revision AND text IS NOT NULL""").bind("scope", scope).bind("revision", revision)));
    }

    private Optional<Long> scope(Session session, ThreadOwner owner, @Nullable String threadId) {
        Optional<Long> thread =
                threadId == null ? Optional.of(ScopeTable.ALL_THREADS) : threads.find(session, threadId, owner);
        return thread.flatMap(number -> scopes.find(session, owner, number));
    }

    private static Optional<WorkingMemoryRevision> revision(BoundSql sql) {
        return sql.first(
                row -> new WorkingMemoryRevision(row.number("revision"), row.text("text"), row.time("created_at")));
    }

    /**
     * Keep a run from being deleted until the transaction is over.
     *
     * @throws dev.chargehand.error.StoreException {@code FENCED} if it is missing or has ended
     */
    public void keepRun(Session session, RunId run) {
        boolean isOpen = session.sql(
                        "SELECT status FROM runs WHERE run_id = :run AND tenant_id = :tenant" + dialect.sharedRowLock())
                .bind("run", run.value())
                .bind("tenant", tenant)
                .first(row -> RunStatus.valueOf(row.text(1)))
                .filter(status -> !status.isEnded())
                .isPresent();
        if (!isOpen) {
            throw MemoryStore.editOfEndedRun(run);
        }
    }

    /** Store the next revision, unless the key is known or another writer was faster. */
    public WorkingMemoryEdit edit(
            Session session,
            ThreadOwner owner,
            @Nullable String threadId,
            long expected,
            String key,
            String text,
            Instant at) {
        long thread = threadId == null ? ScopeTable.ALL_THREADS : threads.keep(session, threadId, owner);
        long scope = scopes.findOrMake(session, owner, thread);
        Optional<WorkingMemoryEdit> known = known(session, scope, key);
        if (known.isPresent()) {
            return known.get();
        }
        if (!advance(session, scope, expected)) {
            // The writer that was faster may have had the same key.
            return known(session, scope, key).orElseGet(() -> new WorkingMemoryEdit.Conflict(newest(session, scope)));
        }
        long revision = expected + 1;
        insert(session, scope, revision, key, text, at);
        forgetText(session, scope, revision - WorkingMemoryRevision.KEPT);
        return new WorkingMemoryEdit.Stored(revision);
    }

    private Optional<WorkingMemoryEdit> known(Session session, long scope, String key) {
        return session.sql("SELECT revision FROM working_memory WHERE " + dialect.pair("scope", "edit_key") + " = "
                        + dialect.pair(":scope", ":key"))
                .bind("scope", scope)
                .bind("key", key)
                .first(row -> new WorkingMemoryEdit.Known(row.number("revision")));
    }

    private static boolean advance(Session session, long scope, long expected) {
        return session.sql("UPDATE memory_scopes SET revision = :next WHERE id = :scope AND revision = :expected")
                        .bind("next", expected + 1)
                        .bind("scope", scope)
                        .bind("expected", expected)
                        .update()
                > 0;
    }

    private static long newest(Session session, long scope) {
        return session.sql("SELECT revision FROM memory_scopes WHERE id = :scope")
                .bind("scope", scope)
                .one(row -> row.number("revision"));
    }

    private static void insert(Session session, long scope, long revision, String key, String text, Instant at) {
        session.sql("""
                        INSERT INTO working_memory (scope, revision, edit_key, text, created_at)
                        VALUES (:scope, :revision, :key, :text, :at)""")
                .bind("scope", scope)
                .bind("revision", revision)
                .bind("key", key)
                .bindText("text", text)
                .bind("at", Millis.of(at))
                .update();
    }

    private static void forgetText(Session session, long scope, long revision) {
        session.sql("UPDATE working_memory SET text = NULL WHERE scope = :scope AND revision = :revision")
                .bind("scope", scope)
                .bind("revision", revision)
                .update();
    }

    /**
     * Delete the keys of edits by applications that were made before a moment and whose texts are not kept, of all tenants; returns how
     * many.
     */
    public int deleteKeys(Session session, Instant before, int limit) {
        return session.sql("""
                        DELETE FROM working_memory WHERE (scope, revision) IN (
                            SELECT scope, revision FROM working_memory
                            WHERE text IS NULL AND edit_key >= '/' AND edit_key < '0' AND created_at < :before
                            ORDER BY created_at LIMIT :limit)""")
                .bind("before", Millis.of(before))
                .bind("limit", Math.max(0, limit))
                .update();
    }

    private record Source(long scope, long revision) {}

    /** Copy the working memory of a thread to a copy of it, for the owner of the copy. */
    void copy(Session session, ThreadTable.Copied copied) {
        copy(session, copied.from(), copied.to(), Long.MAX_VALUE);
        ThreadOwner newOwner = copied.newOwner();
        if (newOwner != null) {
            scopes.give(session, copied.to(), newOwner);
        }
    }

    /** Copy the working memory of a thread up to a revision, if the text of that one is kept. */
    void copy(Session session, long from, long to, long upTo) {
        // With a lock, so that the texts of the last revisions are kept until they are copied.
        session.sql("SELECT id, revision FROM memory_scopes WHERE thread = :thread AND thread > 0" + dialect.rowLock())
                .bind("thread", from)
                .first(row -> new Source(row.number("id"), Math.min(row.number("revision"), upTo)))
                .filter(source -> hasText(session, source))
                .ifPresent(source -> copy(session, source, to));
    }

    private static boolean hasText(Session session, Source source) {
        return session.sql(
                        "SELECT 1 FROM working_memory WHERE scope = :scope AND revision = :revision AND text IS NOT NULL")
                .bind("scope", source.scope())
                .bind("revision", source.revision())
                .hasRow();
    }

    private static void copy(Session session, Source source, long to) {
        long copy = session.sql("""
                        INSERT INTO memory_scopes (tenant_id, resource_id, agent_path, thread, revision)
                        SELECT tenant_id, resource_id, agent_path, :copy, :revision FROM memory_scopes WHERE id = :scope
                        RETURNING id""")
                .bind("copy", to)
                .bind("revision", source.revision())
                .bind("scope", source.scope())
                .one(row -> row.number("id"));
        session.sql("""
                        INSERT INTO working_memory (scope, revision, edit_key, text, created_at)
                        SELECT :copy, revision, edit_key, text, created_at
                        FROM working_memory WHERE scope = :scope AND revision <= :revision""")
                .bind("copy", copy)
                .bind("scope", source.scope())
                .bind("revision", source.revision())
                .update();
    }

    /** Give threads that were appended to, and have no working memory, the ones that they get. */
    public void copyFor(Session session, List<ThreadAppend> appends) {
        for (ThreadAppend append : appends) {
            ThreadAppend.Notes notes = append.notes();
            if (notes != null) {
                long to = threads.keep(session, append.threadId(), append.owner());
                if (scopes.find(session, append.owner(), to).isEmpty()) {
                    threads.find(session, notes.threadId(), append.owner())
                            .ifPresent(from -> copy(session, from, to, notes.revision()));
                }
            }
        }
    }

    /** Delete the working memory of a thread. */
    void delete(Session session, long thread) {
        session.sql("""
                        DELETE FROM working_memory
                        WHERE scope IN (SELECT id FROM memory_scopes WHERE thread = :thread AND thread > 0)""").bind("thread", thread).update();
        session.sql("DELETE FROM memory_scopes WHERE thread = :thread AND thread > 0")
                .bind("thread", thread)
                .update();
    }

    /** Delete the texts that all threads of a resource share, of every agent; returns how many working memories there were. */
    int deleteOfResource(Session session, String resourceId) {
        List<Long> owners = scopes.ofResource(session, resourceId);
        int deleted = 0;
        for (long scope : owners) {
            boolean had = session.sql("DELETE FROM working_memory WHERE scope = :scope")
                            .bind("scope", scope)
                            .update()
                    > 0;
            deleted += had ? 1 : 0;
        }
        scopes.deleteUnused(session, owners);
        return deleted;
    }
}
