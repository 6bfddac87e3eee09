package dev.chargehand.store;

import dev.chargehand.annotation.CheckReturnValue;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message of a thread as a store keeps it.
 *
 * @param messageId unique within the thread; appending an id that exists already changes nothing
 * @param text the message as JSON, which the store never interprets
 * @param position its place in the thread, from 0; of a message to append -1, since it gets its place from the store, or the place that it
 *     must get; see {@link ThreadAppend#requireLength}
 * @param at when it was stored; null if an earlier version stored it, and of a message to append for the moment of that
 */
public record ThreadEntry(
        String messageId,
        String text,
        long position,
        @Nullable Instant at) {

    /** Create a message to append. */
    public ThreadEntry(String messageId, String text) {
        this(messageId, text, -1, null);
    }

    /** Return this message with a place in a thread and a moment. */
    @CheckReturnValue
    public ThreadEntry placed(long newPosition, @Nullable Instant newAt) {
        return new ThreadEntry(messageId, text, newPosition, newAt);
    }
}
