package dev.chargehand.jdbc.internal.sql.deletion;

import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.jdbc.internal.sql.PayloadTable;
import dev.chargehand.jdbc.internal.sql.ThreadTable;
import dev.chargehand.jdbc.internal.sql.memory.MemoryTables;
import dev.chargehand.thread.ThreadOwner;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/** Deletes threads and messages with what is remembered of them, in SQL. */
final class ThreadDeletion {

    private final Dialect dialect;
    private final String tenant;
    private final ThreadTable threads;
    private final PayloadTable payloads;
    private final MemoryTables memory;

    ThreadDeletion(Dialect dialect, String tenant, ThreadTable threads, PayloadTable payloads, MemoryTables memory) {
        this.dialect = dialect;
        this.tenant = tenant;
        this.threads = threads;
        this.payloads = payloads;
        this.memory = memory;
    }

    private record Found(long number, String threadId) {}

    /** Delete a thread; returns whether it existed. */
    boolean delete(Session session, String threadId, ThreadOwner owner) {
        Optional<Long> number = threads.locked(session, threadId, owner);
        number.ifPresent(thread -> {
            requireEnded(session, threadId);
            delete(session, List.of(thread));
        });
        return number.isPresent();
    }

    /** Delete threads of a resource and of all agents; returns how many. */
    int deleteOfResource(Session session, String resourceId, int limit) {
        List<Found> found = session.sql("""
                        SELECT id, thread_id FROM threads WHERE tenant_id = :tenant AND %s
                        ORDER BY thread_id LIMIT :limit%s""".formatted(dialect.equality("resource_id", ":resource"), dialect.rowLock()))
                .bind("tenant", tenant)
                .bind("resource", resourceId)
                .bind("limit", Math.max(0, limit))
                .list(row -> new Found(row.number("id"), row.text("thread_id")));
        found.forEach(thread -> requireEnded(session, thread.threadId()));
        delete(session, found.stream().map(Found::number).toList());
        return found.size();
    }

    /** Delete the threads of sub-agents of some ids; a conversation of such an id stays. */
    void deleteOfAgents(Session session, SortedSet<String> threadIds) {
        delete(
                session,
                threadIds.stream()
                        .flatMap(threadId -> ofAgent(session, threadId).stream())
                        .toList());
    }

    private Optional<Long> ofAgent(Session session, String threadId) {
        return session.sql("SELECT id FROM threads WHERE agent_path IS NOT NULL AND " + dialect.threadOfTenant()
                        + dialect.rowLock())
                .bind("tenant", tenant)
                .bind("thread", threadId)
                .first(row -> row.number("id"));
    }

    /** Nested runs count too, whose threads are those of sub-agents, and tasks whose results the thread receives. */
    void requireEnded(Session session, String threadId) {
        dialect.lockThread(session, tenant, threadId);
        open(session, dialect.equality("thread_id", ":value"), threadId)
                .or(() -> open(session, RunDeletion.taskOfThread(dialect), threadId))
                .ifPresent(open -> {
                    throw ThreadBusyException.notDeleted(threadId, open.runId());
                });
    }

    /** Fail if a run of a resource has not ended. */
    void requireResourceEnded(Session session, String resourceId) {
        open(session, dialect.equality("resource_id", ":value"), resourceId).ifPresent(open -> {
            throw ThreadBusyException.notDeleted(Objects.requireNonNullElse(open.threadId(), ""), open.runId());
        });
    }

    private record Open(String runId, @Nullable String threadId) {}

    private Optional<Open> open(Session session, String condition, String value) {
        return session.sql("""
                        SELECT run_id, thread_id FROM runs
                        WHERE tenant_id = :tenant AND %s
                            AND status NOT IN ('COMPLETED', 'INCOMPLETE', 'ABORTED', 'FAILED')
                        LIMIT 1""".formatted(condition))
                .bind("tenant", tenant)
                .bind("value", value)
                .first(row -> new Open(row.text("run_id"), row.textIfThere("thread_id")));
    }

    /** Delete threads, and their large texts together: all writers lock those in one order. */
    private void delete(Session session, List<Long> numbers) {
        List<String> had = new ArrayList<>();
        for (long thread : numbers) {
            had.addAll(session.sql("""
                            SELECT DISTINCT payload FROM thread_messages
                            WHERE thread = :thread AND payload IS NOT NULL""").bind("thread", thread).list(row -> row.text(1)));
            session.sql("DELETE FROM threads WHERE id = :thread")
                    .bind("thread", thread)
                    .update();
            memory.delete(session, thread);
        }
        payloads.deleteUnused(session, had);
    }

    /** Delete messages; a row without a text and without a payload is one of a deleted message. Returns how many. */
    int deleteMessages(Session session, String threadId, ThreadOwner owner, Collection<String> messageIds) {
        Optional<Long> number = threads.locked(session, threadId, owner);
        if (number.isEmpty()) {
            return 0;
        }
        requireEnded(session, threadId);
        List<Text> texts = messageIds.stream()
                .flatMap(message -> text(session, number.get(), message).stream())
                .toList();
        for (Text text : texts) {
            session.sql(
                            "UPDATE thread_messages SET text = '', payload = NULL WHERE thread = :thread AND position = :position")
                    .bind("thread", number.get())
                    .bind("position", text.position())
                    .update();
            memory.deleteAt(session, number.get(), text.position());
        }
        if (!texts.isEmpty()) {
            deleteDerivedTitle(session, number.get());
        }
        payloads.deleteUnused(
                session,
                texts.stream().map(Text::payload).filter(Objects::nonNull).toList());
        return texts.size();
    }

    /** Delete a title that is not the application's: it may have words of a deleted message. */
    private static void deleteDerivedTitle(Session session, long thread) {
        session.sql(
                        "UPDATE threads SET title = NULL, title_source = NULL WHERE id = :thread AND title_source <> 'USER'")
                .bind("thread", thread)
                .update();
    }

    /** The text of a message, in its row or apart. */
    private record Text(long position, @Nullable String payload) {}

    private Optional<Text> text(Session session, long thread, String messageId) {
        return session.sql("SELECT position, payload FROM thread_messages m WHERE %s = %s AND %s"
                        .formatted(
                                dialect.pair("thread", "message_id"),
                                dialect.pair(":thread", ":message"),
                                ThreadTable.hasText("m")))
                .bind("thread", thread)
                .bind("message", messageId)
                .first(row -> new Text(row.number("position"), row.textIfThere("payload")));
    }
}
