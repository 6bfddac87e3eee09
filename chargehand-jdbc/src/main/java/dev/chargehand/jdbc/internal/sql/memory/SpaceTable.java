package dev.chargehand.jdbc.internal.sql.memory;

import dev.chargehand.jdbc.internal.session.Session;
import dev.chargehand.jdbc.internal.sql.Millis;
import dev.chargehand.store.memory.VectorSpace;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The spaces of vectors, in SQL; they are common to all tenants. */
final class SpaceTable {

    /** Not each time: all writers of a space would wait for each other. */
    private static final Duration NOTED_AGAIN = Duration.ofDays(1);

    private SpaceTable() {}

    private record Found(long id, Instant usedAt) {}

    /** Return the number of a space, if it exists. */
    static Optional<Long> find(Session session, VectorSpace space) {
        return row(session, space).map(Found::id);
    }

    private static Optional<Found> row(Session session, VectorSpace space) {
        return session.sql("SELECT id, used_at FROM spaces WHERE name = :name")
                .bind("name", space.name())
                .first(row -> new Found(row.number("id"), row.time("used_at")));
    }

    /** Return the number of a space, which is made if it is missing, and note that it is in use. */
    static long use(Session session, VectorSpace space, Instant now) {
        while (true) {
            Optional<Found> found = row(session, space).or(() -> make(session, space, now));
            if (found.isPresent()) {
                noteUse(session, found.get(), now);
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

    private static void noteUse(Session session, Found space, Instant now) {
        if (space.usedAt().isBefore(now.minus(NOTED_AGAIN))) {
            session.sql("UPDATE spaces SET used_at = :now WHERE id = :space AND used_at < :now")
                    .bind("now", Millis.of(now))
                    .bind("space", space.id())
                    .update();
        }
    }
}
