package dev.chargehand.jdbc;

import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.ThreadOwner;
import dev.chargehand.store.ThreadRecord;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Threads and their messages, in SQL. */
final class ThreadTable {

    private record Found(long id, ThreadRecord thread) {}

    private final Dialect dialect;

    ThreadTable(Dialect dialect) {
        this.dialect = dialect;
    }

    /** Adds messages to threads, each of which is made if there is none, and a message whose id is there is left out. */
    void append(Handle handle, List<ThreadAppend> appends, Instant at) {
        // All writers take the threads in one order, so that two of them never wait for each other.
        appends.stream()
                .sorted(Comparator.comparing(ThreadAppend::threadId))
                .forEach(append -> append(handle, append, at));
    }

    private void append(Handle handle, ThreadAppend append, Instant at) {
        Found found = lockedOrNew(handle, append, at);
        long length = found.thread().length();
        for (ThreadEntry entry : append.entries()) {
            length += handle.createUpdate("""
                            INSERT INTO thread_messages (thread, position, message_id, text)
                            VALUES (:thread, :position, :message, :text)
                            ON CONFLICT %s DO NOTHING""".formatted(dialect.messageOnce()))
                    .bind("thread", found.id())
                    .bind("position", length)
                    .bind("message", entry.messageId())
                    .bind("text", dialect.anyText(entry.text()))
                    .execute();
        }
        handle.createUpdate("UPDATE threads SET length = :length WHERE id = :thread")
                .bind("length", length)
                .bind("thread", found.id())
                .execute();
    }

    /** Returns the thread, which nobody else changes until the transaction is over. */
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

    Optional<ThreadRecord> find(Handle handle, String threadId) {
        return find(handle, threadId, "").map(Found::thread);
    }

    List<ThreadEntry> read(Handle handle, String threadId, ThreadOwner owner, long before, int last) {
        return owned(handle, threadId, owner, "")
                .map(found -> tail(handle, found.id(), before, last).reversed())
                .orElse(List.of());
    }

    /** Reads newest first. A negative limit would mean none to SQLite. */
    private List<ThreadEntry> tail(Handle handle, long thread, long before, int last) {
        return handle.createQuery("""
                        SELECT message_id, text FROM thread_messages WHERE thread = :thread AND position < :before
                        ORDER BY position DESC LIMIT :last""")
                .bind("thread", thread)
                .bind("before", before)
                .bind("last", Math.max(0, last))
                .map((rs, context) -> entry(new Row(rs, dialect)))
                .list();
    }

    List<ThreadRecord> list(Handle handle, String resourceId, int offset, int limit) {
        return handle.createQuery("""
                        SELECT * FROM threads WHERE %s AND agent_path IS NULL
                        ORDER BY created_at DESC, thread_id DESC LIMIT :limit OFFSET :offset""".formatted(dialect.equality("resource_id", ":resource")))
                .bind("resource", resourceId)
                .bind("limit", Math.max(0, limit))
                .bind("offset", offset)
                .map((rs, context) -> found(new Row(rs, dialect)).thread())
                .list();
    }

    boolean delete(Handle handle, String threadId, ThreadOwner owner) {
        return owned(handle, threadId, owner, dialect.rowLock())
                .map(found -> handle.createUpdate("DELETE FROM threads WHERE id = :thread")
                        .bind("thread", found.id())
                        .execute())
                .isPresent();
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

    private static ThreadEntry entry(Row row) throws SQLException {
        return new ThreadEntry(row.text("message_id"), row.text("text"));
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
