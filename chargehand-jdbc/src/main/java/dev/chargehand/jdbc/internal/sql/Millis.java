package dev.chargehand.jdbc.internal.sql;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Writes moments as a column has them: milliseconds since 1970, as far as a number goes. */
public final class Millis {

    private Millis() {}

    /** Return a moment's number; one that is further away than a number goes has the last. */
    public static long of(Instant moment) {
        try {
            return moment.toEpochMilli();
        } catch (ArithmeticException e) {
            return moment.isBefore(Instant.EPOCH) ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
    }

    /** Return the number of the moment after a while; one that is further away than a number goes has the last. */
    public static long after(Instant moment, Duration time) {
        try {
            return Math.addExact(moment.toEpochMilli(), time.toMillis());
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE;
        }
    }

    public static @Nullable Long ofNullable(@Nullable Instant moment) {
        return moment == null ? null : of(moment);
    }
}
