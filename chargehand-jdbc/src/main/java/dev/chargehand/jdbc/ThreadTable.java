package dev.chargehand.jdbc;

import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.ThreadOwner;
import dev.chargehand.store.ThreadRecord;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Threads and their messages, in SQL. */
final class ThreadTable {

    private record Row(long id, ThreadRecord thread) {}

    private ThreadTable() {}

    /** Adds messages whose ids are not there yet, and makes the thread if there is none. */
    static void append(Handle handle, ThreadAppend append, Instant at) {
        Row row = owned(handle, append.threadId(), append.owner()).orElseGet(() -> insert(handle, append, at));
        long length = row.thread().length();
        for (ThreadEntry entry : append.entries()) {
            length += handle.createUpdate("""
                            INSERT INTO thread_messages (thread, position, message_id, text)
                            VALUES (:thread, :position, :message, :text)
                            ON CONFLICT (thread, message_id) DO NOTHING""")
                    .bind("thread", row.id())
                    .bind("position", length)
                    .bind("message", entry.messageId())
                    .bind("text", IdArgument.anyText(entry.text()))
                    .execute();
        }
        handle.createUpdate("UPDATE threads SET length = :length WHERE id = :thread")
                .bind("length", length)
                .bind("thread", row.id())
                .execute();
    }

    private static Row insert(Handle handle, ThreadAppend append, Instant at) {
        return handle.createQuery("""
                        INSERT INTO threads (thread_id, resource_id, agent_path, parent_run_id, parent_call_id, length,
                            created_at)
                        VALUES (:thread, :resource, :path, :run, :call, 0, :created)
                        RETURNING *""")
                .bind("thread", append.threadId())
                .bind("resource", append.owner().resourceId())
                .bind("path", append.owner().agentPath())
                .bind("run", append.parentRunId())
                .bind("call", append.parentCallId())
                .bind("created", at.toEpochMilli())
                .map((rs, context) -> row(rs))
                .one();
    }

    static Optional<ThreadRecord> find(Handle handle, String threadId) {
        return row(handle, threadId).map(Row::thread);
    }

    static List<ThreadEntry> read(Handle handle, String threadId, ThreadOwner owner, long before, int last) {
        return owned(handle, threadId, owner)
                .map(row -> tail(handle, row.id(), before, last).reversed())
                .orElse(List.of());
    }

    /** Reads newest first. A negative limit would mean none to SQLite. */
    private static List<ThreadEntry> tail(Handle handle, long thread, long before, int last) {
        return handle.createQuery("""
                        SELECT message_id, text FROM thread_messages WHERE thread = :thread AND position < :before
                        ORDER BY position DESC LIMIT :last""")
                .bind("thread", thread)
                .bind("before", before)
                .bind("last", Math.max(0, last))
                .map((rs, context) -> new ThreadEntry(rs.getString(1), rs.getString(2)))
                .list();
    }

    static List<ThreadRecord> list(Handle handle, String resourceId, int offset, int limit) {
        return handle.createQuery("""
                        SELECT * FROM threads WHERE resource_id = :resource AND agent_path IS NULL
                        ORDER BY created_at DESC, thread_id DESC LIMIT :limit OFFSET :offset""")
                .bind("resource", resourceId)
                .bind("limit", Math.max(0, limit))
                .bind("offset", offset)
                .map((rs, context) -> row(rs).thread())
                .list();
    }

    static boolean delete(Handle handle, String threadId, ThreadOwner owner) {
        return owned(handle, threadId, owner)
                .map(row -> handle.createUpdate("DELETE FROM threads WHERE id = :thread")
                        .bind("thread", row.id())
                        .execute())
                .isPresent();
    }

    private static Optional<Row> owned(Handle handle, String threadId, ThreadOwner owner) {
        Optional<Row> row = row(handle, threadId);
        if (row.isPresent() && !row.get().thread().owner().equals(owner)) {
            throw new ThreadOwnershipException(threadId);
        }
        return row;
    }

    private static Optional<Row> row(Handle handle, String threadId) {
        return handle.createQuery("SELECT * FROM threads WHERE thread_id = :thread")
                .bind("thread", threadId)
                .map((rs, context) -> row(rs))
                .findOne();
    }

    private static Row row(ResultSet rs) throws SQLException {
        return new Row(
                rs.getLong("id"),
                new ThreadRecord(
                        rs.getString("thread_id"),
                        new ThreadOwner(rs.getString("resource_id"), rs.getString("agent_path")),
                        rs.getString("parent_run_id"),
                        rs.getString("parent_call_id"),
                        rs.getLong("length"),
                        Instant.ofEpochMilli(rs.getLong("created_at"))));
    }
}
