package dev.chargehand.jdbc.internal.sql.memory;

import dev.chargehand.jdbc.internal.session.Row;
import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.sql.Millis;
import dev.chargehand.jdbc.internal.sql.ThreadTable;
import dev.chargehand.store.memory.NewObservation;
import dev.chargehand.store.memory.NewReflection;
import dev.chargehand.store.memory.Observation;
import dev.chargehand.store.memory.ObservationLog;
import dev.chargehand.thread.ThreadOwner;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalLong;

/**
 * The observations of messages of a tenant, in SQL. Of the rows with a text, those of greater numbers are about later messages; so the
 * newest one is found at the end of the primary key.
 */
public final class ObservationTable {

    private final OwnedThreads threads;

    ObservationTable(OwnedThreads threads) {
        this.threads = threads;
    }

    /**
     * Return what stood for the start of a thread when a number was the newest one. One statement reads it, so that no other
     * transaction changes it in between. No reflection has a number between that of the newest one and what that stands for.
     */
    public ObservationLog log(Session session, ThreadOwner owner, String threadId, long number) {
        return threads.find(session, threadId, owner)
                .map(thread -> new ObservationLog(session.sql("""
                                SELECT number, low, high, replaces, text, tokens, created_at FROM observations
                                WHERE thread = :thread AND text IS NOT NULL AND number <= :number
                                    AND number > coalesce((
                                        SELECT r.replaces FROM observations r
                                        WHERE r.thread = :thread AND r.replaces IS NOT NULL AND r.text IS NOT NULL
                                            AND r.number <= :number
                                        ORDER BY r.number DESC LIMIT 1), 0)
                                ORDER BY low""")
                        .bind("thread", thread)
                        .bind("number", number)
                        .list(ObservationTable::observation)))
                .orElse(ObservationLog.EMPTY);
    }

    private static Observation observation(Row row) throws SQLException {
        return new Observation(
                row.number("number"),
                row.number("low"),
                row.number("high"),
                row.numberIfThere("replaces"),
                row.text("text"),
                (int) row.number("tokens"),
                row.time("created_at"));
    }

    /** Return threads of an owner with an observation, those changed last first. */
    public List<String> observedThreads(Session session, ThreadOwner owner, int limit) {
        return threads.ofOwner(
                session,
                owner,
                "EXISTS (SELECT 1 FROM observations o WHERE o.thread = threads.id AND o.text IS NOT NULL)",
                limit);
    }

    /** Store an observation, unless other messages follow those observed before; returns its number. */
    public OptionalLong observe(Session session, ThreadOwner owner, String threadId, NewObservation observation) {
        return threads.locked(session, threadId, owner)
                .filter(thread -> end(session, thread, Long.MAX_VALUE) == observation.from()
                        && hasMessages(session, thread, observation))
                .map(thread -> OptionalLong.of(insert(
                        session,
                        thread,
                        new Observation(
                                next(session, thread),
                                observation.from(),
                                observation.to(),
                                null,
                                observation.text(),
                                observation.tokens(),
                                observation.at()))))
                .orElse(OptionalLong.empty());
    }

    /** Store a reflection, unless what it stands for was deleted or has another one; returns its number. */
    public OptionalLong reflect(Session session, ThreadOwner owner, String threadId, NewReflection reflection) {
        return threads.locked(session, threadId, owner)
                .filter(thread -> isNewest(session, thread, reflection.replaces()))
                .map(thread -> OptionalLong.of(insert(
                        session,
                        thread,
                        new Observation(
                                next(session, thread),
                                0,
                                end(session, thread, reflection.replaces()),
                                reflection.replaces(),
                                reflection.text(),
                                reflection.tokens(),
                                reflection.at()))))
                .orElse(OptionalLong.empty());
    }

    /** Return the position after the last message that was observed up to a number. */
    private static long end(Session session, long thread, long number) {
        return session.sql("""
                        SELECT high FROM observations
                        WHERE thread = :thread AND number <= :number AND replaces IS NULL AND text IS NOT NULL
                        ORDER BY number DESC LIMIT 1""")
                .bind("thread", thread)
                .bind("number", number)
                .first(row -> row.number("high"))
                .orElse(0L);
    }

    /** Return the number after the greatest one that was given; a deleted row keeps its number. */
    private static long next(Session session, long thread) {
        return session.sql("SELECT number FROM observations WHERE thread = :thread ORDER BY number DESC LIMIT 1")
                        .bind("thread", thread)
                        .first(row -> row.number("number"))
                        .orElse(0L)
                + 1;
    }

    private record Message(String id, boolean deleted) {}

    /** Return whether the messages of an observation are those that the model saw. A deleted message keeps its row. */
    private static boolean hasMessages(Session session, long thread, NewObservation observation) {
        List<Message> messages = session.sql("""
                        SELECT m.message_id, CASE WHEN %s THEN 0 ELSE 1 END AS deleted FROM thread_messages m
                        WHERE m.thread = :thread AND m.position >= :low AND m.position < :high
                        ORDER BY m.position""".formatted(ThreadTable.hasText("m")))
                .bind("thread", thread)
                .bind("low", observation.from())
                .bind("high", observation.to())
                .list(row -> new Message(row.text("message_id"), row.number("deleted") == 1));
        return messages.size() == observation.to() - observation.from()
                && messages.stream()
                        .filter(message -> !message.deleted())
                        .map(Message::id)
                        .toList()
                        .equals(observation.messageIds());
    }

    /** Return whether a row was not deleted and no reflection is newer. */
    private static boolean isNewest(Session session, long thread, long number) {
        return session.sql("""
                        SELECT 1 FROM observations o
                        WHERE o.thread = :thread AND o.number = :number AND o.text IS NOT NULL
                            AND NOT EXISTS (
                                SELECT 1 FROM observations r
                                WHERE r.thread = :thread AND r.number > :number AND r.replaces IS NOT NULL
                                    AND r.text IS NOT NULL)""").bind("thread", thread).bind("number", number).hasRow();
    }

    private static long insert(Session session, long thread, Observation row) {
        session.sql("""
                        INSERT INTO observations (thread, number, low, high, replaces, text, tokens, created_at)
                        VALUES (:thread, :number, :low, :high, :replaces, :text, :tokens, :at)""")
                .bind("thread", thread)
                .bind("number", row.number())
                .bind("low", row.from())
                .bind("high", row.to())
                .bind("replaces", row.replaces())
                .bindText("text", row.text())
                .bind("tokens", row.tokens())
                .bind("at", Millis.of(row.at()))
                .update();
        return row.number();
    }

    /** Delete the texts that are about a message or about later ones. */
    void deleteAt(Session session, long thread, long position) {
        session.sql(
                        "UPDATE observations SET text = NULL WHERE thread = :thread AND high > :position AND text IS NOT NULL")
                .bind("thread", thread)
                .bind("position", position)
                .update();
    }

    /**
     * Copy what is about the messages of a thread before a position, with its numbers. The greatest number is copied in any case, so that
     * the copy does not use it again.
     */
    void copy(Session session, long from, long to, long before) {
        session.sql("""
                        INSERT INTO observations (thread, number, low, high, replaces, text, tokens, created_at)
                        SELECT :copy, number, low, high, replaces, CASE WHEN high <= :before THEN text END, tokens, created_at
                        FROM observations
                        WHERE thread = :thread AND (high <= :before AND text IS NOT NULL
                            OR number = (SELECT max(number) FROM observations WHERE thread = :thread))""")
                .bind("copy", to)
                .bind("thread", from)
                .bind("before", before)
                .update();
    }
}
