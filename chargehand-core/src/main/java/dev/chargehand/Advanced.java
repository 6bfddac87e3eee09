package dev.chargehand;

import dev.chargehand.run.RunStatus;
import java.time.Instant;

/** How a call of {@link AgentRuntime#advance} has left its run. Later versions may add types. */
public sealed interface Advanced {

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

    /** Another run uses the thread of the run, or waits for it before; it is to be advanced when that has ended. */
    record Queued() implements Advanced {}
}
