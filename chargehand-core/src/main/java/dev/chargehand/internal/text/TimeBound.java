package dev.chargehand.internal.text;

import java.time.Duration;
import java.util.function.Function;

/**
 * Bounds the durations that applications give: what is longer than a lifetime cannot be counted in nanoseconds or added to
 * a date, so it is rejected where it is given, and not where it is first used.
 */
public final class TimeBound {

    /** No duration is longer. */
    public static final Duration LONGEST = Duration.ofDays(36_500);

    private TimeBound() {}

    /**
     * Return a duration that is above zero and not too long.
     *
     * @param what names it in the message, such as {@code Tool 'pay': the time limit}
     * @param error makes what is thrown if it is out of these bounds, of a message
     */
    public static Duration aboveZero(String what, Duration value, Function<String, ? extends RuntimeException> error) {
        return aboveZero(what, value, "", error);
    }

    /**
     * Return a duration that is above zero and not too long.
     *
     * @param what names it in the message
     * @param advice what to do, which ends the message; may be empty
     * @param error makes what is thrown if it is out of these bounds, of a message
     */
    public static Duration aboveZero(
            String what, Duration value, String advice, Function<String, ? extends RuntimeException> error) {
        if (!value.isPositive() || value.compareTo(LONGEST) > 0) {
            throw error.apply(what + " must be above zero and at most " + LONGEST.toDays() + " days, but is "
                    + ReadableTime.of(value) + (advice.isEmpty() ? "" : "; " + advice) + ".");
        }
        return value;
    }

    /**
     * Return a duration that is not negative and not too long.
     *
     * @param what names it in the message
     * @param error makes what is thrown if it is out of these bounds, of a message
     */
    public static Duration notNegative(
            String what, Duration value, Function<String, ? extends RuntimeException> error) {
        if (value.isNegative() || value.compareTo(LONGEST) > 0) {
            throw error.apply(what + " must be at least 0 and at most " + LONGEST.toDays() + " days, but is "
                    + ReadableTime.of(value) + ".");
        }
        return value;
    }
}
