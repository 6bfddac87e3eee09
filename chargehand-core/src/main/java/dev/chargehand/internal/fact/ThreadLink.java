package dev.chargehand.internal.fact;

import dev.chargehand.thread.ThreadOwner;
import org.jspecify.annotations.Nullable;

/**
 * The thread a run appends to.
 *
 * @param position how many messages the thread had before the run; 0 of a submitted run that has not started
 * @param historyFrom the position of the first message that the run may see, as its tokens decided at its start; null if no
 *     bound of tokens did
 */
public record ThreadLink(
        String id,
        ThreadOwner owner,
        long position,
        @Nullable Long historyFrom) {

    public ThreadLink {
        Parts.require(id, owner);
    }

    /** Make the link of a run that no bound of tokens keeps from its thread. */
    public ThreadLink(String id, ThreadOwner owner, long position) {
        this(id, owner, position, null);
    }

    /** Return this link of a run that sees messages from a position on. */
    public ThreadLink from(@Nullable Long value) {
        return new ThreadLink(id, owner, position, value);
    }

    /** Return the position of the first of so many last messages that the run sees. */
    public long first(long lastMessages) {
        return Math.max(historyFrom == null ? 0 : historyFrom, position - lastMessages);
    }
}
