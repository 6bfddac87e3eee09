package dev.chargehand;

import java.time.Instant;
import java.util.function.BooleanSupplier;

/**
 * How long {@link AgentRuntime#advance} executes a run. It is tested at safe points only: between the steps of a run
 * and between its calls, when everything that has happened is stored. A call in flight is not interrupted.
 */
@FunctionalInterface
public interface Until {

    /**
     * Return whether the run is to be released now. Called from a thread of the run, within its time limit for hooks;
     * after an exception, or without an answer in time, the run is released.
     *
     * @param now the time of the runtime
     */
    boolean isReached(Instant now);

    /** Execute the run until it ends or can only wait. */
    static Until never() {
        return now -> false;
    }

    /** Execute the run up to the first safe point at or after a moment. */
    static Until at(Instant moment) {
        return now -> !now.isBefore(moment);
    }

    /** Execute the run up to the first safe point at which a condition holds, such as a request to stop. */
    static Until when(BooleanSupplier condition) {
        return now -> condition.getAsBoolean();
    }
}
