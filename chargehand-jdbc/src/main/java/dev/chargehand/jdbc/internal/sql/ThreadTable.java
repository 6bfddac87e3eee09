package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.StoreException.Kind;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.json.Json;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.thread.ThreadChange;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.argument.Argument;

/** The threads of a tenant and their messages, in SQL. */
public final class ThreadTable {

    private static final String NO_METADATA = "{}";

    private record Found(long id, ThreadRecord thread) {}

    private final Dialect dialect;
    private final String tenant;
    private final PayloadTable payloads;

    public ThreadTable(Dialect dialect, String tenant, PayloadTable payloads) {
        this.dialect = dialect;
        this.tenant = tenant;
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
                            INSERT INTO thread_messages (thread, position, message_id, text, payload, created_at)
                            VALUES (:thread, :position, :message, :text, :payload, :created)
                            ON CONFLICT %s DO NOTHING""".formatted(dialect.messageOnce()))
                    .bind("thread", found.id())
                    .bind("position", length)
                    .bind("message", entry.messageId())
                    .bind("text", dialect.anyText(large.inPlace(entry.text())))
                    .bind("payload", payload)
                    .bind("created", (entry.at() == null ? at : entry.at()).toEpochMilli())
                    .execute();
            length += added;
            if (added == 0 && payload != null) {
                leftOut.add(payload);
            }
        }
        payloads.deleteUnused(handle, leftOut);
        if (length > found.thread().length()) {
            setLength(handle, found.id(), length, at);
        }
    }

    private static void setLength(Handle handle, long thread, long length, Instant at) {
        handle.createUpdate("UPDATE threads SET length = :length, updated_at = :at WHERE id = :thread")
                .bind("length", length)
                .bind("at", at.toEpochMilli())
                .bind("thread", thread)
                .execute();
    }

    /** Return the thread, locked until the end of the transaction. */
    private Found lockedOrNew(Handle handle, ThreadAppend append, Instant at) {
        while (true) {
            Optional<Found> there = owned(handle, append.threadId(), append.owner(), dialect.rowLock());
            if (there.isPresent()) {
                return there.get();
            }
            Optional<Found> made = insert(
                    handle,
                    ThreadRecord.builder(append.threadId(), append.owner(), at)
                            .parent(append.parentRunId(), append.parentCallId())
                            .build());
            if (made.isPresent()) {
                return made.get();
            }
            // Another writer made it in between.
        }
    }

    private Optional<Found> insert(Handle handle, ThreadRecord thread) {
        return handle.createQuery("""
                        INSERT INTO threads (tenant_id, thread_id, resource_id, agent_path, parent_run_id, parent_call_id, length,
                            title, metadata, created_at, updated_at)
                        VALUES (:tenant, :thread, :resource, :path, :run, :call, 0, :title, :metadata, :created, :updated)
                        ON CONFLICT DO NOTHING
                        RETURNING *""")
                .bind("tenant", tenant)
                .bind("thread", thread.threadId())
                .bind("resource", thread.owner().resourceId())
                .bind("path", thread.owner().agentPath())
                .bind("run", thread.parentRunId().orElse(null))
                .bind("call", thread.parentCallId().orElse(null))
                .bind("title", dialect.anyTextOrNull(thread.title().orElse(null)))
                .bind("metadata", metadata(thread))
                .bind("created", thread.createdAt().toEpochMilli())
                .bind("updated", thread.updatedAt().toEpochMilli())
                .map((rs, context) -> found(new Row(rs, dialect)))
                .findOne();
    }

    private Argument metadata(ThreadRecord thread) {
        String text = thread.metadata().text();
        return dialect.anyTextOrNull(text.equals(NO_METADATA) ? null : text);
    }

    /** Make a thread; returns false if there is one of its id. */
    public boolean create(Handle handle, ThreadRecord thread) {
        return insert(handle, thread).isPresent();
    }

    /** Change the title and the metadata of a thread. */
    public ThreadRecord change(Handle handle, String threadId, ThreadOwner owner, ThreadChange change, Instant at) {
        Found found = required(handle, threadId, owner);
        ThreadRecord changed = found.thread().changed(change, at);
        handle.createUpdate(
                        "UPDATE threads SET title = :title, metadata = :metadata, updated_at = :at WHERE id = :thread")
                .bind("title", dialect.anyTextOrNull(changed.title().orElse(null)))
                .bind("metadata", metadata(changed))
                .bind("at", at.toEpochMilli())
                .bind("thread", found.id())
                .execute();
        return changed;
    }

    /** Make a thread of the first messages of another one; large texts are not copied, but referred to. */
    public boolean copy(Handle handle, String from, long before, ThreadRecord to) {
        Found source = required(handle, from, to.owner());
        Optional<Found> copy = insert(handle, to);
        copy.ifPresent(made -> {
            long copied = handle.createUpdate("""
                            INSERT INTO thread_messages (thread, position, message_id, text, payload, created_at)
                            SELECT :copy, position, message_id, text, payload, created_at
                            FROM thread_messages WHERE thread = :thread AND position < :before""")
                    .bind("copy", made.id())
                    .bind("thread", source.id())
                    .bind("before", before)
                    .execute();
            setLength(handle, made.id(), copied, to.updatedAt());
        });
        return copy.isPresent();
    }

    private Found required(Handle handle, String threadId, ThreadOwner owner) {
        return owned(handle, threadId, owner, dialect.rowLock())
                .orElseThrow(() -> new StoreException(
                        Kind.NOT_FOUND, "There is no thread '" + threadId + "' in the store.", null));
    }

    public Optional<ThreadRecord> find(Handle handle, String threadId) {
        return find(handle, threadId, "").map(Found::thread);
    }

    public List<ThreadEntry> read(Handle handle, String threadId, ThreadOwner owner, long before, int last) {
        return owned(handle, threadId, owner, "")
                .map(found -> tail(handle, found, before, last).reversed())
                .orElse(List.of());
    }

    public List<ThreadEntry> readFrom(Handle handle, String threadId, ThreadOwner owner, long from, int limit) {
        return owned(handle, threadId, owner, "")
                .map(found -> page(handle, found, "m.position >= :at ORDER BY m.position", from, limit))
                .orElse(List.of());
    }

    /** Read newest first. */
    private List<ThreadEntry> tail(Handle handle, Found found, long before, int last) {
        return page(handle, found, "m.position < :at ORDER BY m.position DESC", before, last);
    }

    /** The condition is a fixed text. A negative limit would mean none to SQLite. */
    private List<ThreadEntry> page(Handle handle, Found found, String condition, long at, int limit) {
        return handle.createQuery("""
                        SELECT m.position, m.message_id, m.text, m.payload, m.created_at, p.text AS payload_text
                        FROM thread_messages m LEFT JOIN payloads p ON p.hash = m.payload
                        WHERE m.thread = :thread AND %s LIMIT :limit""".formatted(condition))
                .bind("thread", found.id())
                .bind("at", at)
                .bind("limit", Math.max(0, limit))
                .map((rs, context) -> entry(new Row(rs, dialect), found.thread().threadId()))
                .list();
    }

    public List<ThreadRecord> list(Handle handle, String resourceId, int offset, int limit) {
        return handle.createQuery("""
                        SELECT * FROM threads WHERE tenant_id = :tenant AND %s AND agent_path IS NULL
                        ORDER BY updated_at DESC, thread_id DESC LIMIT :limit OFFSET :offset""".formatted(dialect.equality("resource_id", ":resource")))
                .bind("tenant", tenant)
                .bind("resource", resourceId)
                .bind("limit", Math.max(0, limit))
                .bind("offset", offset)
                .map((rs, context) -> found(new Row(rs, dialect)).thread())
                .list();
    }

    public boolean delete(Handle handle, String threadId, ThreadOwner owner) {
        Optional<Found> found = owned(handle, threadId, owner, dialect.rowLock());
        found.ifPresent(thread -> {
            requireEnded(handle, threadId);
            delete(handle, thread.id());
        });
        return found.isPresent();
    }

    private void requireEnded(Handle handle, String threadId) {
        dialect.lockThread(handle, tenant, threadId);
        handle.createQuery("""
                        SELECT run_id FROM runs
                        WHERE tenant_id = :tenant AND %s AND root_run_id = run_id
                            AND status NOT IN ('COMPLETED', 'INCOMPLETE', 'ABORTED', 'FAILED')
                        LIMIT 1""".formatted(dialect.equality("thread_id", ":thread")))
                .bind("tenant", tenant)
                .bind("thread", threadId)
                .map((rs, context) -> new Row(rs, dialect).text("run_id"))
                .findOne()
                .ifPresent(run -> {
                    throw ThreadBusyException.notDeleted(threadId, run);
                });
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
        return handle.createQuery("SELECT * FROM threads WHERE " + dialect.threadOfTenant() + lock)
                .bind("tenant", tenant)
                .bind("thread", threadId)
                .map((rs, context) -> found(new Row(rs, dialect)))
                .findOne();
    }

    private static ThreadEntry entry(Row row, String threadId) throws SQLException {
        String text = PayloadTable.text(row, "message " + row.number("position") + " of thread '" + threadId + "'");
        return new ThreadEntry(row.text("message_id"), text, row.number("position"), row.timeIfThere("created_at"));
    }

    private static Found found(Row row) throws SQLException {
        String metadata = row.textIfThere("metadata");
        return new Found(
                row.number("id"),
                ThreadRecord.builder(
                                row.text("thread_id"),
                                new ThreadOwner(row.textIfThere("resource_id"), row.textIfThere("agent_path")),
                                row.time("created_at"))
                        .parent(row.textIfThere("parent_run_id"), row.textIfThere("parent_call_id"))
                        .length(row.number("length"))
                        .title(row.textIfThere("title"))
                        .metadata(Json.parse(metadata == null ? NO_METADATA : metadata))
                        .updatedAt(row.time("updated_at"))
                        .build());
    }
}
