package dev.chargehand.internal.fact;

import dev.chargehand.thread.ThreadOwner;
import org.jspecify.annotations.Nullable;

/**
 * The working memory of the root run, as a nested run sees it.
 *
 * @param resourceId the resource of the conversation, or null
 * @param threadId the thread whose text it is, or null if it is that of all threads of the resource
 * @param revision the revision that is seen; 0 if nothing was noted
 */
public record RootNotes(
        @Nullable String resourceId, @Nullable String threadId, long revision) {

    /** Return whom the text belongs to. */
    public ThreadOwner owner() {
        return ThreadOwner.of(resourceId);
    }

    /** Return another revision of the same text. */
    public RootNotes at(long other) {
        return new RootNotes(resourceId, threadId, other);
    }
}
