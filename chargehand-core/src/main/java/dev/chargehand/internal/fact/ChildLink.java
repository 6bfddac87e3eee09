package dev.chargehand.internal.fact;

import dev.chargehand.message.Message;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The run of a delegation, under the id that was minted for it, and what the hooks decided about it.
 *
 * @param agentName the sub-agent's name, or null if it is the id
 * @param version the version of the sub-agent, or null if it has none
 * @param prompt the task of the sub-agent
 * @param instructions what is added to the sub-agent's own instructions, or null
 * @param maxSteps the most steps, where that is fewer than the sub-agent's own, or null
 * @param requestContext values of the request that are the delegation's own, or null; transient ones are lost when
 *     the fact is read back
 * @param forwarded what a filter passed of the conversation, or null if none was called
 */
public record ChildLink(
        RunId runId,
        String agentId,
        @Nullable String agentName,
        @Nullable String version,
        String prompt,
        @Nullable String instructions,
        @Nullable Integer maxSteps,
        @Nullable RequestContext requestContext,
        @Nullable List<Message> forwarded) {
    public ChildLink {
        Parts.require(runId, agentId, prompt);
        agentName = agentId.equals(agentName) ? null : agentName;
        forwarded = forwarded == null ? null : List.copyOf(forwarded);
    }

    /** Return the sub-agent's name; its id if it has none of its own. */
    public String displayName() {
        return agentName == null ? agentId : agentName;
    }
}
