package dev.chargehand.jdbc.internal.sql.memory;

import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.jdbc.internal.sql.Millis;
import dev.chargehand.store.memory.VectorSpace;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The spaces of vectors, in SQL; they are common to all tenants. A row stays when its vectors are deleted. */
final class SpaceTable {

    /** Not each time: all users of a space would wait for each other. */
    private static final Duration NOTED_AGAIN = Duration.ofDays(1);

    /** When a space was used that has no vectors any more. */
    private static final long NEVER = Long.MIN_VALUE;

    private final Dialect dialect;

    SpaceTable(Dialect dialect) {
        this.dialect = dialect;
    }

    /**
     * A space.
     *
     * @param usedAt when it was used, to within a day
     */
    record Found(long id, Instant usedAt) {

        /** Return whether a use has to be noted now; a time after now is from before the clock was set back. */
        boolean isToNote(Instant now) {
            return usedAt.isBefore(now.minus(NOTED_AGAIN)) || usedAt.isAfter(now.plus(NOTED_AGAIN));
        }
    }

    /** Return a space, if it exists. */
    Optional<Found> find(Session session, VectorSpace space) {
        return find(session, space, "");
    }

    private static Optional<Found> find(Session session, VectorSpace space, String lock) {
        return session.sql("SELECT id, used_at FROM spaces WHERE name = :name" + lock)
                .bind("name", space.name())
                .first(row -> new Found(row.number("id"), row.time("used_at")));
    }

    /**
     * Return the number of a space, which is made if it is missing, and note that it is in use. Its vectors are not deleted as unused until
     * the transaction is over.
     */
    long use(Session session, VectorSpace space, Instant now) {
        while (true) {
            Optional<Found> found =
                    find(session, space, dialect.sharedRowLock()).or(() -> make(session, space, now));
            if (found.isPresent()) {
                note(session, found.get(), now);
                return found.get().id();
            }
            // Another writer made it in between.
        }
    }

    private static Optional<Found> make(Session session, VectorSpace space, Instant now) {
        return session.sql("""
                        INSERT INTO spaces (name, dimensions, used_at) VALUES (:name, :dimensions, :now)
                        ON CONFLICT DO NOTHING
                        RETURNING id, used_at""")
                .bind("name", space.name())
                .bind("dimensions", space.dimensions())
                .bind("now", Millis.of(now))
                .first(row -> new Found(row.number("id"), row.time("used_at")));
    }

    /** Note that a space is in use, unless that was noted within a day. */
    void note(Session session, Found space, Instant now) {
        if (space.isToNote(now)) {
            session.sql("UPDATE spaces SET used_at = :now WHERE id = :space AND used_at = :before")
                    .bind("now", Millis.of(now))
                    .bind("space", space.id())
                    .bind("before", Millis.of(space.usedAt()))
                    .update();
        }
    }

    /** Keep the vectors that a thread has from being deleted as unused until the transaction is over. */
    void keep(Session session, long thread) {
        List<Long> ignored = session.sql(
                        "SELECT id FROM spaces WHERE id IN (SELECT space FROM memory_cursors WHERE thread = :thread)"
                                + dialect.sharedRowLock())
                .bind("thread", thread)
                .list(row -> row.number("id"));
    }

    /** Return a space with vectors that was not used since a moment, which no one uses until the transaction is over. */
    Optional<Long> unused(Session session, Instant before) {
        return session.sql("""
                        SELECT id FROM spaces WHERE used_at < :before AND used_at > :never
                        ORDER BY used_at, id LIMIT 1""" + dialect.freeRows())
                .bind("before", Millis.of(before))
                .bind("never", NEVER)
                .first(row -> row.number("id"));
    }

    /** Note that a space has no vectors any more. */
    static void empty(Session session, long space) {
        session.sql("UPDATE spaces SET used_at = :never WHERE id = :space")
                .bind("never", NEVER)
                .bind("space", space)
                .update();
    }
}
