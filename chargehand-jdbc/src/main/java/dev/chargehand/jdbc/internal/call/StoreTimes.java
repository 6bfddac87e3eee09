package dev.chargehand.jdbc.internal.call;

import dev.chargehand.run.TimeLimit;
import java.time.Duration;

/** Checks the times that the options of all databases have. */
public final class StoreTimes {

    private StoreTimes() {}

    /**
     * Check them.
     *
     * @throws IllegalArgumentException if one is out of its bounds
     */
    public static void require(Duration callLimit, Duration threadGrace) {
        String most = TimeLimit.LONGEST.toDays() + " days";
        if (!callLimit.isPositive() || callLimit.compareTo(TimeLimit.LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "The call limit of a store must be above zero and at most " + most + ", not " + callLimit + ".");
        }
        if (threadGrace.isNegative() || threadGrace.compareTo(TimeLimit.LONGEST) > 0) {
            throw new IllegalArgumentException("A run keeps its thread for zero or more, and at most " + most
                    + ", after its process left it, not for " + threadGrace + ".");
        }
    }
}
