package dev.chargehand.step;

import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import java.util.List;
import java.util.Optional;

/**
 * The end of a delegation, with details in addition to the result that its supervisor's model received.
 *
 * <p>Implemented by Chargehand only: later versions may add accessors. Thread-safe.
 */
public interface DelegationOutcome {

    /** Return the id of the sub-agent's run. */
    RunId runId();

    /** Return the sub-agent's id. */
    String agentId();

    /** Return the sub-agent's name; its id if it has no name of its own. */
    String agentName();

    /** Return why the sub-agent's run ended. */
    StopReason stopReason();

    /** Return the sub-agent's answer; the part that exists if it is not complete. */
    String text();

    /** Return the tokens of the sub-agent's run and its descendants. */
    Usage usage();

    /**
     * Return the sub-agent's thread, if it has one; read from the store when it is first called.
     *
     * @throws dev.chargehand.error.StoreException if the store fails
     */
    Optional<String> threadId();

    /**
     * Return the outcomes of the sub-agent's own tool calls, in order; read from the store when it is first called.
     * Empty if the sub-agent's run has never started or is no longer stored.
     *
     * @throws dev.chargehand.error.StoreException if the store fails
     */
    List<ToolOutcome> toolResults();
}
