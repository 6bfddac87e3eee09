package dev.chargehand.store.memory;

import java.time.Instant;
import java.util.List;

/**
 * An observation that is to be stored.
 *
 * @param from the position of the first message that it is about: the one after those observed before
 * @param to the position after the last one
 * @param messageIds the ids of the messages that the model saw, in their order: all from {@code from} to {@code to} that have not
 *     been deleted
 * @param text what the model wrote; not blank
 * @param tokens how many tokens the text has
 * @param at when it was written
 */
public record NewObservation(long from, long to, List<String> messageIds, String text, int tokens, Instant at) {

    public NewObservation {
        messageIds = List.copyOf(messageIds);
        if (from < 0 || to <= from || text.isBlank() || tokens < 0) {
            throw new IllegalArgumentException("Not an observation: messages " + from + " to " + to + ", " + tokens
                    + " tokens, " + text.length() + " characters.");
        }
    }
}
