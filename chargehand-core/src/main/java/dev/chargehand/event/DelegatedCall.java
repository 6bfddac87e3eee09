package dev.chargehand.event;

import dev.chargehand.run.RunId;
import org.jspecify.annotations.Nullable;

/**
 * The call of a sub-agent that an event is about.
 *
 * @param callId Chargehand's id of the call
 * @param agentId the sub-agent's id
 * @param agentName the sub-agent's name; its id if it has no name of its own
 * @param version the version of the sub-agent, or null if it has none
 * @param childRunId the id of the sub-agent's run
 */
public record DelegatedCall(
        String callId,
        String agentId,
        String agentName,
        @Nullable String version,
        RunId childRunId) {}
