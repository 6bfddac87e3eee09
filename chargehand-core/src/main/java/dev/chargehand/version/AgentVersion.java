package dev.chargehand.version;

import dev.chargehand.annotation.Experimental;
import java.time.Instant;
import java.util.Objects;

/**
 * A version of an agent that is saved in the store of a runtime. Immutable.
 *
 * @param agentId the agent
 * @param id names the version, such as {@code stored-3}; see {@link Version#id(String)}
 * @param document the text that was saved, which does not change
 * @param createdAt when it was saved
 * @param published whether it is the published one
 * @param latest whether it was saved last, of those that are kept
 */
@Experimental
public record AgentVersion(
        String agentId, String id, String document, Instant createdAt, boolean published, boolean latest) {

    public AgentVersion {
        Objects.requireNonNull(agentId, "agentId");
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(document, "document");
        Objects.requireNonNull(createdAt, "createdAt");
    }
}
