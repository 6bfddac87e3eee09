package dev.chargehand.run;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which run a hook or a scorer is asked about.
 *
 * @param runId the run
 * @param path its agent, from the root
 * @param agentId its agent's id
 * @param thread the conversation's id, or null
 * @param resource whom the conversation belongs to, or null
 * @param requestContext the values of the request
 */
public record RunInfo(
        RunId runId,
        AgentPath path,
        String agentId,
        @Nullable String thread,
        @Nullable String resource,
        RequestContext requestContext) {

    /** Returns the conversation's id, if the run has one. */
    public Optional<String> threadId() {
        return Optional.ofNullable(thread);
    }

    /** Returns the id of whom the conversation belongs to, if it is known. */
    public Optional<String> resourceId() {
        return Optional.ofNullable(resource);
    }
}
