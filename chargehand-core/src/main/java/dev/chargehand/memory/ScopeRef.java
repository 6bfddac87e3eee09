package dev.chargehand.memory;

import dev.chargehand.thread.ThreadOwner;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A part of what is remembered: that of all conversations of an owner, or that of one conversation.
 *
 * @param owner whom the conversations belong to
 * @param threadId the conversation, or null for all of the owner
 */
public record ScopeRef(ThreadOwner owner, @Nullable String threadId) {

    public ScopeRef {
        Objects.requireNonNull(owner, "owner");
    }

    /** Return the scope of all conversations of a resource. */
    public static ScopeRef resource(String resourceId) {
        return new ScopeRef(ThreadOwner.of(Objects.requireNonNull(resourceId, "resourceId")), null);
    }

    /** Return the scope of one conversation. */
    public static ScopeRef thread(ThreadOwner owner, String threadId) {
        return new ScopeRef(owner, Objects.requireNonNull(threadId, "threadId"));
    }
}
