package dev.chargehand.jdbc.internal.sql;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Writes moments as a column has them: milliseconds since 1970, as far as a number goes. */
final class Millis {

    private Millis() {}

    /** Return a moment's number; one that is further away than a number goes has the last. */
    static long of(Instant moment) {
        try {
            return moment.toEpochMilli();
        } catch (ArithmeticException e) {
            return moment.isBefore(Instant.EPOCH) ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    static @Nullable Long ofNullable(@Nullable Instant moment) {
        return moment == null ? null : of(moment);
    }
}
