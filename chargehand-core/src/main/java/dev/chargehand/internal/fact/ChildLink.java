package dev.chargehand.internal.fact;

import dev.chargehand.message.Message;
import dev.chargehand.run.Budget;
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
 * @param grant what a background task may use of the budget of the run above, or null
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
        @Nullable List<Message> forwarded,
        @Nullable Budget grant) {
    public ChildLink {
        Parts.require(runId, agentId, prompt);
        agentName = agentId.equals(agentName) ? null : agentName;
        forwarded = forwarded == null ? null : List.copyOf(forwarded);
    }

    /** Make the link of a nested run, which shares the budget of the run above. */
    public ChildLink(
            RunId runId,
            String agentId,
            @Nullable String agentName,
            @Nullable String version,
            String prompt,
            @Nullable String instructions,
            @Nullable Integer maxSteps,
            @Nullable RequestContext requestContext,
            @Nullable List<Message> forwarded) {
        this(runId, agentId, agentName, version, prompt, instructions, maxSteps, requestContext, forwarded, null);
    }

    /** Return this link of a background task that may use so much. */
    public ChildLink granted(Budget value) {
        return new ChildLink(
                runId, agentId, agentName, version, prompt, instructions, maxSteps, requestContext, forwarded, value);
    }

    /** Return the sub-agent's name; its id if it has none of its own. */
    public String displayName() {
        return agentName == null ? agentId : agentName;
    }
}
