package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.StoreException.Kind;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.jdbc.internal.session.BoundSql;
import dev.chargehand.jdbc.internal.session.Row;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.json.Json;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.thread.ThreadChange;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import dev.chargehand.thread.TitleSource;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The threads of a tenant and their messages, in SQL. */
public final class ThreadTable {

    /** The columns that {@link #found} reads, by name for the same reason as those of {@link RunRows}. */
    private static final String COLUMNS =
            "id, thread_id, resource_id, agent_path, parent_run_id, parent_call_id, length,"
                    + " title, title_source, metadata, created_at, updated_at, copy_of, copied_length";

    private static final String NO_METADATA = "{}";

    /**
     * A row of threads.
     *
     * @param thread the record, without the thread that it was copied from
     * @param copyOf the number of that thread; null if there is none, or it was deleted
     */
    private record Found(
            long id, ThreadRecord thread, @Nullable Long copyOf) {}

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
    public void append(Session session, List<ThreadAppend> appends, Instant at, LargeTexts large) {
        // All writers take the threads in one order, so that two of them never wait for each other.
        appends.stream()
                .sorted(Comparator.comparing(ThreadAppend::threadId))
                .forEach(append -> append(session, append, at, large));
    }

    private void append(Session session, ThreadAppend append, Instant at, LargeTexts large) {
        Found found = lockedOrNew(session, append, at);
        long length = found.thread().length();
        append.requireLength(length);
        List<String> leftOut = new ArrayList<>();
        for (ThreadEntry entry : append.entries()) {
            String payload = large.hashOf(entry.text());
            int added = session.sql("""
                            INSERT INTO thread_messages (thread, position, message_id, text, payload, created_at)
                            VALUES (:thread, :position, :message, :text, :payload, :created)
                            ON CONFLICT %s DO NOTHING""".formatted(dialect.messageOnce()))
                    .bind("thread", found.id())
                    .bind("position", length)
                    .bind("message", entry.messageId())
                    .bindText("text", large.inPlace(entry.text()))
                    .bind("payload", payload)
                    .bind("created", (entry.at() == null ? at : entry.at()).toEpochMilli())
                    .update();
            length += added;
            if (added == 0 && payload != null) {
                leftOut.add(payload);
            }
        }
        payloads.deleteUnused(session, leftOut);
        if (length > found.thread().length()) {
            setLength(session, found.id(), length, at);
        }
        Optional<TitleSource> titled = found.thread().titleSource();
        if (append.title() != null && titled.isEmpty()) {
            setFirstWords(session, found.id(), append.title());
            titled = Optional.of(TitleSource.FIRST_WORDS);
        }
        append.due(titled).ifPresent(agent -> makeMemoryDue(session, found.id(), agent));
    }

    private static void setFirstWords(Session session, long thread, String title) {
        session.sql("UPDATE threads SET title = :title, title_source = :source WHERE id = :thread")
                .bindText("title", title)
                .bind("source", TitleSource.FIRST_WORDS.name())
                .bind("thread", thread)
                .update();
    }

    /** At once by any clock: that of the process may be ahead of the one by which it is read. */
    private static void makeMemoryDue(Session session, long thread, String agentPath) {
        session.sql("UPDATE threads SET memory_due = 0, memory_agent = :agent WHERE id = :thread")
                .bind("agent", agentPath)
                .bind("thread", thread)
                .update();
    }

    private static void setLength(Session session, long thread, long length, Instant at) {
        session.sql("UPDATE threads SET length = :length, updated_at = :at WHERE id = :thread")
                .bind("length", length)
                .bind("at", at.toEpochMilli())
                .bind("thread", thread)
                .update();
    }

    /** Return the thread, locked until the end of the transaction. */
    private Found lockedOrNew(Session session, ThreadAppend append, Instant at) {
        while (true) {
            Optional<Found> there = owned(session, append.threadId(), append.owner(), dialect.rowLock());
            if (there.isPresent()) {
                return there.get();
            }
            Optional<Found> made = insert(
                    session,
                    ThreadRecord.builder(append.threadId(), append.owner(), at)
                            .parent(append.parentRunId(), append.parentCallId())
                            .build());
            if (made.isPresent()) {
                return made.get();
            }
            // Another writer made it in between.
        }
    }

    private Optional<Found> insert(Session session, ThreadRecord thread) {
        return session.sql("""
                        INSERT INTO threads (tenant_id, thread_id, resource_id, agent_path, parent_run_id, parent_call_id, length,
                            title, title_source, metadata, created_at, updated_at)
                        VALUES (:tenant, :thread, :resource, :path, :run, :call, 0, :title, :source, :metadata, :created,
                            :updated)
                        ON CONFLICT DO NOTHING
                        RETURNING\s""" + COLUMNS)
                .bind("tenant", tenant)
                .bind("thread", thread.threadId())
                .bind("resource", thread.owner().resourceId())
                .bind("path", thread.owner().agentPath())
                .bind("run", thread.parentRunId().orElse(null))
                .bind("call", thread.parentCallId().orElse(null))
                .bindText("title", thread.title().orElse(null))
                .bind("source", source(thread))
                .bindText("metadata", metadata(thread))
                .bind("created", thread.createdAt().toEpochMilli())
                .bind("updated", thread.updatedAt().toEpochMilli())
                .first(ThreadTable::found);
    }

    private static @Nullable String source(ThreadRecord thread) {
        return thread.titleSource().map(TitleSource::name).orElse(null);
    }

    private static @Nullable String metadata(ThreadRecord thread) {
        String text = thread.metadata().text();
        return text.equals(NO_METADATA) ? null : text;
    }

    /** Make a thread; returns false if there is one of its id. */
    public boolean create(Session session, ThreadRecord thread) {
        return insert(session, thread).isPresent();
    }

    /** Change the title and the metadata of a thread. */
    public ThreadRecord change(Session session, String threadId, ThreadOwner owner, ThreadChange change, Instant at) {
        Found found = required(session, threadId, owner);
        ThreadRecord changed = shown(session, found).changed(change, at);
        session.sql("""
                        UPDATE threads SET title = :title, title_source = :source, metadata = :metadata, updated_at = :at
                        WHERE id = :thread""")
                .bindText("title", changed.title().orElse(null))
                .bind("source", source(changed))
                .bindText("metadata", metadata(changed))
                .bind("at", at.toEpochMilli())
                .bind("thread", found.id())
                .update();
        return changed;
    }

    /**
     * A copy that was made.
     *
     * @param from the number of the thread that was copied
     * @param to the number of the copy
     * @param newOwner whom the copy belongs to; null if it is the owner of the thread
     */
    public record Copied(long from, long to, @Nullable ThreadOwner newOwner) {}

    /**
     * Make a thread of the first messages of another one; large texts are not copied, but referred to. Returns nothing if
     * there is one of its id.
     */
    public Optional<Copied> copy(Session session, ThreadRecord.Source from, long before, ThreadRecord to) {
        Found source = required(session, from.threadId(), from.owner());
        Optional<Found> copy = insert(session, to.copiedFrom(source.thread(), 0));
        copy.ifPresent(made -> {
            long copied = session.sql("""
                            INSERT INTO thread_messages (thread, position, message_id, text, payload, created_at)
                            SELECT :copy, position, message_id, text, payload, created_at
                            FROM thread_messages WHERE thread = :thread AND position < :before""")
                    .bind("copy", made.id())
                    .bind("thread", source.id())
                    .bind("before", before)
                    .update();
            session.sql("""
                            UPDATE threads SET length = :length, copied_length = :length, copy_of = :source, updated_at = :at
                            WHERE id = :copy""")
                    .bind("length", copied)
                    .bind("source", source.id())
                    .bind("at", to.updatedAt().toEpochMilli())
                    .bind("copy", made.id())
                    .update();
        });
        return copy.map(
                made -> new Copied(source.id(), made.id(), from.owner().equals(to.owner()) ? null : to.owner()));
    }

    private Found required(Session session, String threadId, ThreadOwner owner) {
        return owned(session, threadId, owner, dialect.rowLock())
                .orElseThrow(() -> new StoreException(
                        Kind.NOT_FOUND, "There is no thread '" + threadId + "' in the store.", null));
    }

    public Optional<ThreadRecord> find(Session session, String threadId) {
        return find(session, threadId, "").map(found -> shown(session, found));
    }

    /** Return the record of a thread with the thread that it was copied from. Few are copies, so that is read apart. */
    private static ThreadRecord shown(Session session, Found found) {
        return found.copyOf() == null ? found.thread() : withSource(found, source(session, found.copyOf()));
    }

    private static ThreadRecord withSource(Found found, Optional<ThreadRecord.Source> source) {
        return found.thread().ofSource(source.orElse(null));
    }

    private static Optional<ThreadRecord.Source> source(Session session, long thread) {
        return session.sql("SELECT thread_id, resource_id, agent_path FROM threads WHERE id = :thread")
                .bind("thread", thread)
                .first(row -> new ThreadRecord.Source(
                        row.text("thread_id"),
                        new ThreadOwner(row.textIfThere("resource_id"), row.textIfThere("agent_path"))));
    }

    public List<ThreadEntry> read(Session session, String threadId, ThreadOwner owner, long before, int last) {
        return owned(session, threadId, owner, "")
                .map(found -> tail(session, found, before, last).reversed())
                .orElse(List.of());
    }

    public List<ThreadEntry> readFrom(Session session, String threadId, ThreadOwner owner, long from, int limit) {
        return owned(session, threadId, owner, "")
                .map(found -> page(session, found, "m.position >= :at ORDER BY m.position", from, limit))
                .orElse(List.of());
    }

    /** Read newest first. */
    private List<ThreadEntry> tail(Session session, Found found, long before, int last) {
        return page(session, found, "m.position < :at ORDER BY m.position DESC", before, last);
    }

    /** Return a condition on a row of messages: its message was not deleted. */
    public static String hasText(String row) {
        return "(%1$s.text <> '' OR %1$s.payload IS NOT NULL)".formatted(row);
    }

    /** The condition is a fixed text. A negative limit would mean none to SQLite. */
    private List<ThreadEntry> page(Session session, Found found, String condition, long at, int limit) {
        return session.sql("""
                        SELECT m.position, m.message_id, m.text, m.payload, m.created_at, p.text AS payload_text
                        FROM thread_messages m LEFT JOIN payloads p ON p.hash = m.payload
                        WHERE m.thread = :thread AND %s AND %s LIMIT :limit""".formatted(hasText("m"), condition))
                .bind("thread", found.id())
                .bind("at", at)
                .bind("limit", Math.max(0, limit))
                .list(row -> entry(row, found.thread().threadId()));
    }

    public List<ThreadRecord> list(Session session, ThreadRecord.Filter filter) {
        String resource = filter.owner().resourceId();
        String path = filter.owner().agentPath();
        BoundSql sql = session.sql("""
                        SELECT %s FROM threads WHERE tenant_id = :tenant AND %s AND %s%s
                        ORDER BY updated_at DESC, thread_id DESC LIMIT :limit OFFSET :offset""".formatted(
                        COLUMNS,
                        resource == null
                                ? dialect.absence("resource_id")
                                : dialect.equality("resource_id", ":resource"),
                        path == null ? "agent_path IS NULL" : "agent_path = :path",
                        filter.copyOf() == null
                                ? ""
                                : " AND copy_of = (SELECT id FROM threads WHERE " + dialect.threadOfTenant() + ")"))
                .bind("tenant", tenant)
                .bind("limit", Math.max(0, filter.limit()))
                .bind("offset", filter.offset());
        if (resource != null) {
            sql.bind("resource", resource);
        }
        if (path != null) {
            sql.bind("path", path);
        }
        if (filter.copyOf() != null) {
            sql.bind("thread", filter.copyOf());
        }
        Map<Long, Optional<ThreadRecord.Source>> sources = new HashMap<>();
        return sql.list(ThreadTable::found).stream()
                .map(found -> found.copyOf() == null
                        ? found.thread()
                        : withSource(found, sources.computeIfAbsent(found.copyOf(), number -> source(session, number))))
                .toList();
    }

    /** Return the number of a thread, locked until the end of the transaction. */
    public Optional<Long> locked(Session session, String threadId, ThreadOwner owner) {
        return owned(session, threadId, owner, dialect.rowLock()).map(Found::id);
    }

    private Optional<Found> owned(Session session, String threadId, ThreadOwner owner, String lock) {
        Optional<Found> found = find(session, threadId, lock);
        if (found.isPresent() && !found.get().thread().owner().equals(owner)) {
            throw new ThreadOwnershipException(threadId);
        }
        return found;
    }

    private Optional<Found> find(Session session, String threadId, String lock) {
        return session.sql("SELECT " + COLUMNS + " FROM threads WHERE " + dialect.threadOfTenant() + lock)
                .bind("tenant", tenant)
                .bind("thread", threadId)
                .first(ThreadTable::found);
    }

    private static ThreadEntry entry(Row row, String threadId) throws SQLException {
        String text = PayloadTable.text(row, "message " + row.number("position") + " of thread '" + threadId + "'");
        return new ThreadEntry(row.text("message_id"), text, row.number("position"), row.timeIfThere("created_at"));
    }

    private static Found found(Row row) throws SQLException {
        String metadata = row.textIfThere("metadata");
        String source = row.textIfThere("title_source");
        return new Found(
                row.number("id"),
                ThreadRecord.builder(
                                row.text("thread_id"),
                                new ThreadOwner(row.textIfThere("resource_id"), row.textIfThere("agent_path")),
                                row.time("created_at"))
                        .parent(row.textIfThere("parent_run_id"), row.textIfThere("parent_call_id"))
                        .length(row.number("length"))
                        .title(row.textIfThere("title"), source == null ? null : TitleSource.valueOf(source))
                        .metadata(Json.parse(metadata == null ? NO_METADATA : metadata))
                        .updatedAt(row.time("updated_at"))
                        .copied(null, row.numberIfThere("copied_length"))
                        .build(),
                row.numberIfThere("copy_of"));
    }
}
