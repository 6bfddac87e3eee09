package dev.chargehand.jdbc.internal.sql.memory;

import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.thread.ThreadOwner;

/** From which message on runs with a bound of tokens see their thread, in SQL. */
public final class HistoryTable {

    private final OwnedThreads threads;

    HistoryTable(OwnedThreads threads) {
        this.threads = threads;
    }

    /** Return the position of the first message; 0 if none is stored. */
    public long from(Session session, ThreadOwner owner, String threadId, int tokens) {
        return threads.find(session, threadId, owner)
                .flatMap(thread -> session.sql(
                                "SELECT first FROM history_starts WHERE thread = :thread AND tokens = :tokens")
                        .bind("thread", thread)
                        .bind("tokens", tokens)
                        .first(row -> row.number("first")))
                .orElse(0L);
    }

    /** Store the position of the first message, unless a later one is stored, or the thread is shorter. */
    public void move(Session session, ThreadOwner owner, String threadId, int tokens, long from) {
        threads.kept(session, threadId, owner).ifPresent(thread -> {
            int ignored = session.sql("""
                            INSERT INTO history_starts (thread, tokens, first)
                            SELECT id, :tokens, :first FROM threads WHERE id = :thread AND length >= :first
                            ON CONFLICT (thread, tokens) DO UPDATE SET first = excluded.first
                            WHERE history_starts.first < excluded.first""")
                    .bind("thread", thread)
                    .bind("tokens", tokens)
                    .bind("first", from)
                    .update();
        });
    }
}
