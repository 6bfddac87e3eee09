package dev.chargehand.jdbc.internal.sql;

import dev.chargehand.jdbc.internal.session.Session;
import java.time.Duration;
import java.time.Instant;

/** Which processes are alive, in SQL. */
public final class OwnerTable {

    private OwnerTable() {}

    /**
     * Store until when an owner is alive, and forget those whose lease has run out so long ago that their runs have lost
     * their threads.
     *
     * @param timeToLive zero if the owner is gone; it is so from the first time on that this is said, or from the end of
     *     its lease
     * @param leaseTime the time by which the leases of others are judged
     * @param threadGrace how long its runs keep their threads after that
     */
    public static void heartbeat(
            Session session, String owner, Duration timeToLive, Instant now, Instant leaseTime, Duration threadGrace) {
        if (!timeToLive.isPositive()) {
            session.sql("""
                            UPDATE owners SET alive_until = 0,
                                ended_at = CASE WHEN alive_until > :now THEN :now ELSE alive_until END
                            WHERE owner = :owner AND alive_until > 0""")
                    .bind("owner", owner)
                    .bind("now", leaseTime.toEpochMilli())
                    .update();
            return;
        }
        long until = Millis.after(now, timeToLive);
        int renewed = session.sql("UPDATE owners SET alive_until = :until WHERE owner = :owner")
                .bind("owner", owner)
                .bind("until", until)
                .update();
        if (renewed == 0) {
            session.sql("INSERT INTO owners (owner, alive_until) VALUES (:owner, :until) ON CONFLICT DO NOTHING")
                    .bind("owner", owner)
                    .bind("until", until)
                    .update();
        }
        session.sql("DELETE FROM owners WHERE alive_until <= :past AND ended_at <= :past")
                .bind("past", leaseTime.minus(threadGrace).toEpochMilli())
                .update();
    }

    public static boolean isAlive(Session session, String owner, Instant leaseTime) {
        return session.sql("SELECT count(*) FROM owners WHERE owner = :owner AND alive_until > :now")
                        .bind("owner", owner)
                        .bind("now", leaseTime.toEpochMilli())
                        .one(row -> row.number(1))
                > 0;
    }
}
