package dev.chargehand.jdbc.internal.sql;

import java.time.Duration;
import java.time.Instant;
import org.jdbi.v3.core.Handle;

/** Which processes are alive, in SQL. */
public final class OwnerTable {

    private OwnerTable() {}

    /**
     * Store until when an owner is alive, and forget those whose lease has run out, and this one if it has none left.
     *
     * @param leaseTime the time by which the leases of others are judged
     */
    public static void heartbeat(Handle handle, String owner, Duration timeToLive, Instant now, Instant leaseTime) {
        if (!timeToLive.isPositive()) {
            handle.createUpdate("DELETE FROM owners WHERE owner = :owner")
                    .bind("owner", owner)
                    .execute();
            return;
        }
        long until = until(now, timeToLive);
        int renewed = handle.createUpdate("UPDATE owners SET alive_until = :until WHERE owner = :owner")
                .bind("owner", owner)
                .bind("until", until)
                .execute();
        if (renewed == 0) {
            handle.createUpdate(
                            "INSERT INTO owners (owner, alive_until) VALUES (:owner, :until) ON CONFLICT DO NOTHING")
                    .bind("owner", owner)
                    .bind("until", until)
                    .execute();
        }
        handle.createUpdate("DELETE FROM owners WHERE alive_until <= :now")
                .bind("now", leaseTime.toEpochMilli())
                .execute();
    }

    public static boolean isAlive(Handle handle, String owner, Instant leaseTime) {
        return handle.createQuery("SELECT count(*) FROM owners WHERE owner = :owner AND alive_until > :now")
                        .bind("owner", owner)
                        .bind("now", leaseTime.toEpochMilli())
                        .mapTo(Long.class)
                        .one()
                > 0;
    }

    /** Return a moment; a time to live that goes beyond what a number can say is for ever. */
    private static long until(Instant now, Duration timeToLive) {
        try {
            return Math.addExact(now.toEpochMilli(), timeToLive.toMillis());
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }
}
