package dev.chargehand.jdbc.internal.sql.memory;

import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.sql.Millis;
import dev.chargehand.store.memory.DueThread;
import dev.chargehand.thread.ThreadOwner;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The threads that have memory work to do, and the owners that do it, in SQL. */
public final class MemoryWorkTable {

    private final OwnedThreads threads;

    MemoryWorkTable(OwnedThreads threads) {
        this.threads = threads;
    }

    /**
     * Return threads of all tenants that have work to do and that no worker has.
     *
     * @param leaseTime the time by which it is judged whether leases have run out
     */
    public List<DueThread> due(Session session, long after, int limit, Instant now, Instant leaseTime) {
        return session.sql("""
                        SELECT id, tenant_id, thread_id, resource_id, agent_path, memory_agent FROM threads
                        WHERE memory_due IS NOT NULL AND memory_due <= :now AND id > :after
                            AND (memory_owner IS NULL OR memory_until <= :lease)
                        ORDER BY id LIMIT :limit""")
                .bind("now", Millis.of(now))
                .bind("lease", Millis.of(leaseTime))
                .bind("after", after)
                .bind("limit", Math.max(0, limit))
                .list(row -> new DueThread(
                        row.number("id"),
                        row.text("tenant_id"),
                        row.text("thread_id"),
                        OwnedThreads.owner(row),
                        row.text("memory_agent")));
    }

    /** Return the ids of threads of an owner, those after one of them. */
    public List<String> threads(Session session, ThreadOwner owner, String after, int limit) {
        return threads.after(session, owner, after, limit);
    }

    /** Take the work of a thread, or keep it for longer; returns whether this worker has it. */
    public boolean take(
            Session session,
            ThreadOwner owner,
            String threadId,
            String worker,
            Duration lease,
            Instant now,
            Instant leaseTime) {
        return threads.find(session, threadId, owner)
                .filter(thread -> session.sql("""
                                        UPDATE threads SET memory_owner = :worker, memory_until = :until
                                        WHERE id = :thread
                                            AND (memory_owner IS NULL OR memory_owner = :worker OR memory_until <= :lease)""")
                                .bind("worker", worker)
                                .bind("until", Millis.after(now, lease))
                                .bind("thread", thread)
                                .bind("lease", Millis.of(leaseTime))
                                .update()
                        > 0)
                .isPresent();
    }

    /** Give the work of a thread back, and say whether there is more to do, unless the thread has grown meanwhile. */
    public void giveBack(
            Session session,
            ThreadOwner owner,
            String threadId,
            String worker,
            long length,
            @Nullable Instant dueAgain) {
        threads.find(session, threadId, owner).ifPresent(thread -> {
            int ignored = session.sql("""
                            UPDATE threads SET memory_owner = NULL, memory_until = NULL,
                                memory_due = CASE WHEN memory_agent IS NULL THEN NULL
                                    WHEN length = :length OR memory_due IS NULL THEN CAST(:again AS bigint)
                                    ELSE memory_due END
                            WHERE id = :thread AND memory_owner = :worker""")
                    .bind("length", length)
                    .bind("again", Millis.ofNullable(dueAgain))
                    .bind("thread", thread)
                    .bind("worker", worker)
                    .update();
        });
    }

    /** Let a copy of a thread have the work to do that the thread has. */
    void copy(Session session, long from, long to) {
        session.sql("""
                        UPDATE threads SET memory_due = (SELECT other.memory_due FROM threads other WHERE other.id = :other),
                            memory_agent = (SELECT other.memory_agent FROM threads other WHERE other.id = :other)
                        WHERE id = :thread""").bind("other", from).bind("thread", to).update();
    }
}
