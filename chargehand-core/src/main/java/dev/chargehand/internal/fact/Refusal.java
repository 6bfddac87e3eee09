package dev.chargehand.internal.fact;

import org.jspecify.annotations.Nullable;

/**
 * A hook rejected a call.
 *
 * @param agentId the sub-agent that was not called, or null if the call was one of a tool
 * @param agentName the sub-agent's name, or null if it is the id
 * @param reason what it said
 */
public record Refusal(@Nullable String agentId, @Nullable String agentName, String reason) {
    public Refusal {
        Parts.require(reason);
        agentName = agentName == null || agentName.equals(agentId) ? null : agentName;
    }
}
