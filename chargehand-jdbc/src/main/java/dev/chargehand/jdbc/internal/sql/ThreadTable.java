package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.ThreadOwner;
import dev.chargehand.store.ThreadRecord;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Threads and their messages, in SQL. */
public final class ThreadTable {

    private record Found(long id, ThreadRecord thread) {}

    private final Dialect dialect;
    private final PayloadTable payloads;

    public ThreadTable(Dialect dialect, PayloadTable payloads) {
        this.dialect = dialect;
        this.payloads = payloads;
    }

    /**
     * Add messages, whose large texts are stored already, to threads, each of which is made if there is none. A message
     * whose id is there is left out.
     */
    public void append(Handle handle, List<ThreadAppend> appends, Instant at, LargeTexts large) {
        // All writers take the threads in one order, so that two of them never wait for each other.
        appends.stream()
                .sorted(Comparator.comparing(ThreadAppend::threadId))
                .forEach(append -> append(handle, append, at, large));
    }

    private void append(Handle handle, ThreadAppend append, Instant at, LargeTexts large) {
        Found found = lockedOrNew(handle, append, at);
        long length = found.thread().length();
        List<String> leftOut = new ArrayList<>();
        for (ThreadEntry entry : append.entries()) {
            String payload = large.hashOf(entry.text());
            int added = handle.createUpdate("""
                            INSERT INTO thread_messages (thread, position, message_id, text, payload)
                            VALUES (:thread, :position, :message, :text, :payload)
                            ON CONFLICT %s DO NOTHING""".formatted(dialect.messageOnce()))
                    .bind("thread", found.id())
                    .bind("position", length)
                    .bind("message", entry.messageId())
                    .bind("text", dialect.anyText(large.inPlace(entry.text())))
                    .bind("payload", payload)
                    .execute();
            length += added;
            if (added == 0 && payload != null) {
                leftOut.add(payload);
            }
        }
        payloads.deleteUnused(handle, leftOut);
        handle.createUpdate("UPDATE threads SET length = :length WHERE id = :thread")
                .bind("length", length)
                .bind("thread", found.id())
                .execute();
    }

    /** Return the thread, locked until the end of the transaction. */
    private Found lockedOrNew(Handle handle, ThreadAppend append, Instant at) {
        while (true) {
            Optional<Found> there = owned(handle, append.threadId(), append.owner(), dialect.rowLock());
            if (there.isPresent()) {
                return there.get();
            }
            Optional<Found> made = insert(handle, append, at);
            if (made.isPresent()) {
                return made.get();
            }
            // Another writer made it in between.
        }
    }

    private Optional<Found> insert(Handle handle, ThreadAppend append, Instant at) {
        return handle.createQuery("""
                        INSERT INTO threads (thread_id, resource_id, agent_path, parent_run_id, parent_call_id, length,
                            created_at)
                        VALUES (:thread, :resource, :path, :run, :call, 0, :created)
                        ON CONFLICT DO NOTHING
                        RETURNING *""")
                .bind("thread", append.threadId())
                .bind("resource", append.owner().resourceId())
                .bind("path", append.owner().agentPath())
                .bind("run", append.parentRunId())
                .bind("call", append.parentCallId())
                .bind("created", at.toEpochMilli())
                .map((rs, context) -> found(new Row(rs, dialect)))
                .findOne();
    }

    public Optional<ThreadRecord> find(Handle handle, String threadId) {
        return find(handle, threadId, "").map(Found::thread);
    }

    public List<ThreadEntry> read(Handle handle, String threadId, ThreadOwner owner, long before, int last) {
        return owned(handle, threadId, owner, "")
                .map(found -> tail(handle, found, before, last).reversed())
                .orElse(List.of());
    }

    /** Read newest first. A negative limit would mean none to SQLite. */
    private List<ThreadEntry> tail(Handle handle, Found found, long before, int last) {
        return handle.createQuery("""
                        SELECT m.position, m.message_id, m.text, m.payload, p.text AS payload_text
                        FROM thread_messages m LEFT JOIN payloads p ON p.hash = m.payload
                        WHERE m.thread = :thread AND m.position < :before
                        ORDER BY m.position DESC LIMIT :last""")
                .bind("thread", found.id())
                .bind("before", before)
                .bind("last", Math.max(0, last))
                .map((rs, context) -> entry(new Row(rs, dialect), found.thread().threadId()))
                .list();
    }

    public List<ThreadRecord> list(Handle handle, String resourceId, int offset, int limit) {
        return handle.createQuery("""
                        SELECT * FROM threads WHERE %s AND agent_path IS NULL
                        ORDER BY created_at DESC, thread_id DESC LIMIT :limit OFFSET :offset""".formatted(dialect.equality("resource_id", ":resource")))
                .bind("resource", resourceId)
                .bind("limit", Math.max(0, limit))
                .bind("offset", offset)
                .map((rs, context) -> found(new Row(rs, dialect)).thread())
                .list();
    }

    public boolean delete(Handle handle, String threadId, ThreadOwner owner) {
        Optional<Found> found = owned(handle, threadId, owner, dialect.rowLock());
        found.ifPresent(thread -> delete(handle, thread.id()));
        return found.isPresent();
    }

    private void delete(Handle handle, long thread) {
        List<String> had = handle.createQuery("""
                        SELECT DISTINCT payload FROM thread_messages
                        WHERE thread = :thread AND payload IS NOT NULL""")
                .bind("thread", thread)
                .mapTo(String.class)
                .list();
        handle.createUpdate("DELETE FROM threads WHERE id = :thread")
                .bind("thread", thread)
                .execute();
        payloads.deleteUnused(handle, had);
    }

    private Optional<Found> owned(Handle handle, String threadId, ThreadOwner owner, String lock) {
        Optional<Found> found = find(handle, threadId, lock);
        if (found.isPresent() && !found.get().thread().owner().equals(owner)) {
            throw new ThreadOwnershipException(threadId);
        }
        return found;
    }

    private Optional<Found> find(Handle handle, String threadId, String lock) {
        return handle.createQuery("SELECT * FROM threads WHERE thread_id = :thread" + lock)
                .bind("thread", threadId)
                .map((rs, context) -> found(new Row(rs, dialect)))
                .findOne();
    }

    private static ThreadEntry entry(Row row, String threadId) throws SQLException {
        String text = PayloadTable.text(row, "message " + row.number("position") + " of thread '" + threadId + "'");
        return new ThreadEntry(row.text("message_id"), text);
    }

    private static Found found(Row row) throws SQLException {
        return new Found(
                row.number("id"),
                new ThreadRecord(
                        row.text("thread_id"),
                        new ThreadOwner(row.textIfThere("resource_id"), row.textIfThere("agent_path")),
                        row.textIfThere("parent_run_id"),
                        row.textIfThere("parent_call_id"),
                        row.number("length"),
                        row.time("created_at")));
    }
}
