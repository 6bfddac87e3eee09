package dev.chargehand.jdbc.internal.sql.memory;

import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.TitleSource;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The titles of threads that the application has not given, in SQL. */
public final class TitleColumns {

    private final OwnedThreads threads;

    TitleColumns(OwnedThreads threads) {
        this.threads = threads;
    }

    /** Set the title of a thread, unless it has one that stays; returns whether it was set. */
    public boolean title(Session session, ThreadOwner owner, String threadId, String title, TitleSource source) {
        return threads.find(session, threadId, owner)
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

    /** Return the condition for titles of sources that a source replaces, if there are some; the names are fixed texts. */
    private static String replaced(TitleSource by) {
        String names = Arrays.stream(TitleSource.values())
                .filter(by::replaces)
                .map(source -> "'" + source.name() + "'")
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "" : " OR title_source IN (" + names + ")";
    }
}
