package dev.chargehand.jdbc.internal.sql.memory;

import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.jdbc.internal.sql.ThreadTable;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.TitleSource;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The titles of threads that the application has not given, in SQL. */
public final class TitleColumns {

    private final Dialect dialect;
    private final OwnedThreads threads;

    TitleColumns(Dialect dialect, OwnedThreads threads) {
        this.dialect = dialect;
        this.threads = threads;
    }

    /**
     * Set the title of a thread, unless it has one that stays, or lacks one of the messages that the title is of; returns whether
     * it was set.
     */
    public boolean title(
            Session session,
            ThreadOwner owner,
            String threadId,
            String title,
            TitleSource source,
            List<String> messageIds) {
        return threads.locked(session, threadId, owner)
                .filter(thread -> messageIds.stream().allMatch(message -> isThere(session, thread, message)))
                .filter(thread -> session.sql("""
                                        UPDATE threads SET title = :title, title_source = :source
                                        WHERE id = :thread AND (title_source IS NULL%s)""".formatted(replaced(source)))
                                .bindText("title", title)
                                .bind("source", source.name())
                                .bind("thread", thread)
                                .update()
                        > 0)
                .isPresent();
    }

    private boolean isThere(Session session, long thread, String messageId) {
        return session.sql("SELECT 1 FROM thread_messages m WHERE %s = %s AND %s"
                        .formatted(
                                dialect.pair("thread", "message_id"),
                                dialect.pair(":thread", ":message"),
                                ThreadTable.hasText("m")))
                .bind("thread", thread)
                .bind("message", messageId)
                .hasRow();
    }

    /** Return the condition for titles of sources that a source replaces, if there are some; the names are fixed texts. */
    private static String replaced(TitleSource by) {
        String names = Arrays.stream(TitleSource.values())
                .filter(by::replaces)
                .map(source -> "'" + source.name() + "'")
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "" : " OR title_source IN (" + names + ")";
    }
}
