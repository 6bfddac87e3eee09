package dev.chargehand.store.version;

import dev.chargehand.annotation.Experimental;
import java.time.Instant;
import java.util.Objects;

/**
 * A saved version of an agent. Immutable.
 *
 * @param agentId the agent
 * @param number from 1, the next one for each version that is saved of the agent; never used again
 * @param document what was saved, which does not change
 * @param createdAt when it was saved
 * @param published whether it is the published one
 * @param latest whether it was saved last, of those that are kept
 */
@Experimental
public record SavedVersion(
        String agentId, long number, String document, Instant createdAt, boolean published, boolean latest) {

    public SavedVersion {
        Objects.requireNonNull(agentId, "agentId");
        Objects.requireNonNull(document, "document");
        Objects.requireNonNull(createdAt, "createdAt");
    }
}
