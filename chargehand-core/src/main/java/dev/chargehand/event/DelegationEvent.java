package dev.chargehand.event;

import dev.chargehand.run.RunId;
import org.jspecify.annotations.Nullable;

/** An event about a delegation whose run exists. */
public sealed interface DelegationEvent permits RunEvent.DelegationStart, RunEvent.DelegationEnd {

    /** Return the call of the sub-agent. */
    DelegatedCall call();

    /** Return Chargehand's id of the call. */
    default String callId() {
        return call().callId();
    }

    /** Return the sub-agent's id. */
    default String agentId() {
        return call().agentId();
    }

    /** Return the sub-agent's name; its id if it has no name of its own. */
    default String agentName() {
        return call().agentName();
    }

    /** Return the version of the sub-agent; null if it has none. */
    default @Nullable String version() {
        return call().version();
    }

    /** Return the id of the sub-agent's run. */
    default RunId childRunId() {
        return call().childRunId();
    }
}
