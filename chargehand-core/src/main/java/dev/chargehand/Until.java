package dev.chargehand;

import dev.chargehand.run.RunStatus;
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

    /** How a call of {@link AgentRuntime#advance} has left its run. Later versions may add types. */
    sealed interface Advanced {

        /**
         * The run has ended.
         *
         * @param status how
         */
        record Ended(RunStatus status) implements Advanced {}

        /**
         * The run waits for an answer or for a time; it is to be advanced when an answer arrives, or at the latest then.
         *
         * @param wakesAt when the first of what it waits for comes or expires
         */
        record Suspended(Instant wakesAt) implements Advanced {}

        /** The run was released at a safe point; any process may advance it further, at once. */
        record Released() implements Advanced {}

        /**
         * Another run uses the thread of the run, or waits for it before; or the run is a background task, and this runtime executes as
         * many of these as it may. The run is to be advanced when one of them has ended.
         */
        record Queued() implements Advanced {}
    }
}
