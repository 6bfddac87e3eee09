package dev.chargehand.thread;

import org.jspecify.annotations.Nullable;

/**
 * Whom a thread belongs to. Two owners are the same only if both parts are.
 *
 * @param resourceId the user or thing the conversation is about, or null if the caller named none
 * @param agentPath the path of the sub-agent whose own thread this is, or null for a conversation
 */
public record ThreadOwner(
        @Nullable String resourceId, @Nullable String agentPath) {

    /**
     * Return the owner of the conversations of a resource.
     *
     * @param resourceId the resource, or null for conversations without one
     */
    public static ThreadOwner of(@Nullable String resourceId) {
        return new ThreadOwner(resourceId, null);
    }
}
