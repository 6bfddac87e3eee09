package dev.chargehand.jdbc.internal.sql.memory;

import dev.chargehand.jdbc.internal.session.BoundSql;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.sql.Millis;
import dev.chargehand.jdbc.internal.sql.ThreadTable;
import dev.chargehand.store.memory.IndexedRange;
import dev.chargehand.store.memory.NearestMessages;
import dev.chargehand.store.memory.Passage;
import dev.chargehand.store.memory.PassageHits;
import dev.chargehand.store.memory.PassageQuery;
import dev.chargehand.store.memory.VectorSpace;
import dev.chargehand.thread.ThreadOwner;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The vectors of messages of a tenant, and which messages have theirs, in SQL. */
public final class VectorTable {

    /** The kind of cursor that says which messages have vectors. */
    private static final String KIND = "VECTORS";

    private static final String OF_THREAD = " WHERE thread = :thread AND kind = :kind AND space = :space";

    private static final long NEVER = Long.MIN_VALUE;
    private static final long NO_SCOPE = -1;
    private static final PassageHits NOTHING = new PassageHits(List.of(), true);

    private final OwnedThreads threads;
    private final ScopeTable scopes;
    private final SpaceTable spaces;
    private final VectorForm form;

    VectorTable(OwnedThreads threads, ScopeTable scopes, SpaceTable spaces, VectorForm form) {
        this.threads = threads;
        this.scopes = scopes;
        this.spaces = spaces;
        this.form = form;
    }

    /**
     * A passage in the form that is stored.
     *
     * @param bind gives a statement the value of the parameter {@code vector}
     */
    public record Stored(long position, int part, Consumer<BoundSql> bind) {}

    /** Return the stored form of passages, which takes a while: call it outside the thread that writes. */
    public List<Stored> stored(VectorSpace space, List<Passage> passages) {
        return passages.stream()
                .map(passage ->
                        new Stored(passage.position(), passage.part(), form.value(space.require(passage.vector()))))
                .toList();
    }

    /** Return which messages of a thread have their vectors in a space. */
    public Optional<IndexedRange> indexed(Session session, ThreadOwner owner, String threadId, VectorSpace space) {
        Optional<Long> thread = threads.find(session, threadId, owner);
        Optional<Long> scope = scopes.find(session, owner, ScopeTable.ALL_THREADS);
        Optional<Long> number = spaces.find(session, space).map(SpaceTable.Found::id);
        if (thread.isEmpty() || scope.isEmpty() || number.isEmpty()) {
            return Optional.empty();
        }
        return session.sql("""
                        SELECT low, high, tries, retry_at FROM memory_cursors
                        WHERE thread = :thread AND kind = :kind AND space = :space AND scope = :scope""")
                .bind("thread", thread.get())
                .bind("kind", KIND)
                .bind("space", number.get())
                .bind("scope", scope.get())
                .first(row -> new IndexedRange(
                        row.number("low"), row.number("high"), (int) row.number("tries"), row.timeIfThere("retry_at")));
    }

    /** Store vectors and which messages have theirs now; returns false, and has stored nothing, if that was another range. */
    public boolean index(
            Session session,
            ThreadOwner owner,
            String threadId,
            VectorSpace space,
            Optional<IndexedRange> expected,
            IndexedRange next,
            List<Stored> passages,
            Instant now) {
        // The thread first: deleting it, copying it and appending to it take it first too.
        long thread = threads.keep(session, threadId, owner);
        Place place = new Place(
                thread, spaces.use(session, space, now), scopes.findOrMake(session, owner, ScopeTable.ALL_THREADS));
        boolean moved =
                expected.map(before -> move(session, place, before, next)).orElseGet(() -> start(session, place, next));
        if (moved && !passages.isEmpty()) {
            insert(session, place, passages);
        }
        return moved;
    }

    private record Place(long thread, long space, long scope) {}

    private static boolean start(Session session, Place place, IndexedRange next) {
        return bind(session.sql("""
                                INSERT INTO memory_cursors (thread, kind, space, scope, low, high, tries, retry_at)
                                VALUES (:thread, :kind, :space, :scope, :low, :high, :tries, :retry)
                                ON CONFLICT DO NOTHING"""), place, next).update() > 0;
    }

    private static boolean move(Session session, Place place, IndexedRange before, IndexedRange next) {
        return bind(session.sql("""
                                UPDATE memory_cursors SET low = :low, high = :high, tries = :tries, retry_at = :retry
                                WHERE thread = :thread AND kind = :kind AND space = :space AND scope = :scope
                                    AND low = :lowBefore AND high = :highBefore AND tries = :triesBefore
                                    AND coalesce(retry_at, :never) = :retryBefore"""), place, next)
                        .bind("lowBefore", before.low())
                        .bind("highBefore", before.high())
                        .bind("triesBefore", before.tries())
                        .bind("never", NEVER)
                        .bind("retryBefore", before.retryAt() == null ? NEVER : Millis.of(before.retryAt()))
                        .update()
                > 0;
    }

    private static BoundSql bind(BoundSql sql, Place place, IndexedRange range) {
        return sql.bind("thread", place.thread())
                .bind("kind", KIND)
                .bind("space", place.space())
                .bind("scope", place.scope())
                .bind("low", range.low())
                .bind("high", range.high())
                .bind("tries", range.tries())
                .bind("retry", Millis.ofNullable(range.retryAt()));
    }

    private void insert(Session session, Place place, List<Stored> passages) {
        BoundSql insert = session.sql("""
                INSERT INTO vectors (space, scope, thread, position, part, said_at, %s)
                SELECT :space, :scope, m.thread, m.position, :part, coalesce(m.created_at, 0), %s
                FROM thread_messages m WHERE m.thread = :thread AND m.position = :position AND %s
                ON CONFLICT DO NOTHING""".formatted(form.column(), form.parameter(), ThreadTable.hasText("m")));
        for (Stored passage : passages) {
            passage.bind().accept(insert);
            insert.bind("space", place.space())
                    .bind("scope", place.scope())
                    .bind("thread", place.thread())
                    .bind("position", passage.position())
                    .bind("part", passage.part())
                    .add();
        }
        insert.updateAll();
    }

    /**
     * What a search found.
     *
     * @param isToNote whether {@link #noteUse} has to note it
     */
    public record Searched(PassageHits hits, boolean isToNote) {}

    /** Return the messages that are nearest to a vector. */
    public Searched nearest(Session session, PassageQuery query, Instant now) {
        String onlyThread = query.among().onlyThread();
        // Before the space, which may have no vectors yet: the owner is to be right in any case.
        Optional<Long> only = onlyThread == null ? Optional.empty() : threads.find(session, onlyThread, query.owner());
        Optional<SpaceTable.Found> space = spaces.find(session, query.space());
        boolean isMissing = onlyThread != null && only.isEmpty();
        return new Searched(
                space.filter(found -> !isMissing)
                        .map(found -> nearest(session, query, found.id(), only))
                        .orElse(NOTHING),
                space.filter(found -> found.isToNote(now)).isPresent());
    }

    /** Note that vectors of a space are in use. */
    public void noteUse(Session session, VectorSpace space, Instant now) {
        spaces.find(session, space).ifPresent(found -> spaces.note(session, found, now));
    }

    private PassageHits nearest(Session session, PassageQuery query, long space, Optional<Long> only) {
        Optional<Long> scope = scopes.find(session, query.owner(), ScopeTable.ALL_THREADS);
        if (scope.isEmpty()) {
            return NOTHING;
        }
        String leftOut = query.among().leftOut();
        VectorForm.Found found = form.nearest(
                session,
                new PassageRows(
                        query,
                        scope.get(),
                        space,
                        only,
                        leftOut == null ? Optional.empty() : threads.number(session, leftOut)));
        List<PassageHits.Hit> hits = new ArrayList<>();
        found.nearest().forEach(near -> hit(session, near).ifPresent(hits::add));
        return new PassageHits(hits, found.complete());
    }

    /** Return a hit with the owner that its thread names, or nothing if the thread has been deleted meanwhile. */
    private static Optional<PassageHits.Hit> hit(Session session, NearestMessages.Near near) {
        return session.sql("SELECT thread_id, resource_id, agent_path FROM threads WHERE id = :thread")
                .bind("thread", near.message().thread())
                .first(row -> new PassageHits.Hit(
                        OwnedThreads.owner(row),
                        row.text("thread_id"),
                        near.message().position(),
                        near.score()));
    }

    /** Delete the vectors of an owner in a space, and which messages had theirs; returns how many vectors. */
    public long delete(Session session, ThreadOwner owner, VectorSpace space) {
        Optional<Long> scope = scopes.find(session, owner, ScopeTable.ALL_THREADS);
        Optional<Long> number = spaces.find(session, space).map(SpaceTable.Found::id);
        if (scope.isEmpty() || number.isEmpty()) {
            return 0;
        }
        // The cursors first: this waits for an indexer at work, and deletes its vectors too.
        int ignored = deleteFrom(session, "memory_cursors", scope.get(), number.get());
        return deleteFrom(session, "vectors", scope.get(), number.get());
    }

    /** Delete vectors of spaces that were not used since a moment, of all tenants, and which messages had theirs; returns how many rows. */
    public int deleteUnused(Session session, Instant before, int limit) {
        int deleted = 0;
        for (Optional<Long> space = spaces.unused(session, before);
                deleted < limit && space.isPresent();
                space = spaces.unused(session, before)) {
            int some = deleteOf(session, space.get(), limit - deleted);
            if (some == 0) {
                SpaceTable.empty(session, space.get());
            }
            deleted += some;
        }
        return deleted;
    }

    private static int deleteOf(Session session, long space, int limit) {
        List<Long> found = session.sql("""
                        SELECT thread FROM memory_cursors WHERE space = :space AND kind = :kind ORDER BY thread LIMIT :limit""")
                .bind("space", space)
                .bind("kind", KIND)
                .bind("limit", limit)
                .list(row -> row.number("thread"));
        int deleted = 0;
        for (long thread : found) {
            deleted += deleted < limit ? deleteOf(session, space, thread, limit - deleted) : 0;
        }
        return deleted;
    }

    /** The range becomes smaller with what is deleted: a message in it has all its vectors, at any time. */
    private static int deleteOf(Session session, long space, long thread, int limit) {
        long next = of(
                        session,
                        "SELECT position FROM vectors WHERE space = :space AND thread = :thread"
                                + " ORDER BY position, part LIMIT 1 OFFSET :limit",
                        space,
                        thread)
                .bind("limit", limit - 1)
                .first(row -> row.number("position") + 1)
                .orElse(Long.MAX_VALUE);
        // The row of the range first, in the order in which the vectors of an owner are deleted.
        boolean isLast = next == Long.MAX_VALUE;
        String change = isLast
                ? "DELETE FROM memory_cursors"
                : "UPDATE memory_cursors SET low = CASE WHEN high < :next THEN high ELSE :next END";
        BoundSql range = of(session, change + OF_THREAD, space, thread).bind("kind", KIND);
        int ranges = (isLast ? range : range.bind("next", next)).update();
        int vectors = of(
                        session,
                        "DELETE FROM vectors WHERE space = :space AND thread = :thread AND position < :next",
                        space,
                        thread)
                .bind("next", next)
                .update();
        return isLast ? ranges + vectors : vectors;
    }

    private static BoundSql of(Session session, String sql, long space, long thread) {
        return session.sql(sql).bind("space", space).bind("thread", thread);
    }

    /** Delete the vectors of a message. */
    void deleteAt(Session session, long thread, long position) {
        session.sql("DELETE FROM vectors WHERE thread = :thread AND position = :position")
                .bind("thread", thread)
                .bind("position", position)
                .update();
    }

    private static int deleteFrom(Session session, String table, long scope, long space) {
        return session.sql("DELETE FROM " + table + " WHERE scope = :scope AND space = :space")
                .bind("scope", scope)
                .bind("space", space)
                .update();
    }

    /** Return the scope for the vectors of a copy, or {@link #NO_SCOPE} if the thread has none. */
    private long scopeOf(Session session, ThreadTable.Copied copied) {
        Optional<Long> own = session.sql(
                        "SELECT scope FROM memory_cursors WHERE thread = :thread AND kind = :kind LIMIT 1")
                .bind("thread", copied.from())
                .bind("kind", KIND)
                .first(row -> row.number("scope"));
        ThreadOwner newOwner = copied.newOwner();
        return own.isEmpty() || newOwner == null
                ? own.orElse(NO_SCOPE)
                : scopes.findOrMake(session, newOwner, ScopeTable.ALL_THREADS);
    }

    /** Copy the vectors of the messages of a thread before a position, and which messages have theirs. */
    void copy(Session session, ThreadTable.Copied copied, long before) {
        spaces.keep(session, copied.from());
        long scope = scopeOf(session, copied);
        if (scope == NO_SCOPE) {
            return;
        }
        session.sql("""
                        INSERT INTO vectors (space, scope, thread, position, part, said_at, %1$s)
                        SELECT space, :scope, :copy, position, part, said_at, %1$s FROM vectors
                        WHERE thread = :thread AND position < :before""".formatted(form.column()))
                .bind("scope", scope)
                .bind("copy", copied.to())
                .bind("thread", copied.from())
                .bind("before", before)
                .update();
        session.sql("""
                        INSERT INTO memory_cursors (thread, kind, space, scope, low, high, tries, retry_at)
                        SELECT :copy, kind, space, :scope, low, CASE WHEN high < :before THEN high ELSE :before END, 0, NULL
                        FROM memory_cursors WHERE thread = :thread AND kind = :kind AND low < :before""")
                .bind("scope", scope)
                .bind("copy", copied.to())
                .bind("thread", copied.from())
                .bind("kind", KIND)
                .bind("before", before)
                .update();
    }
}
