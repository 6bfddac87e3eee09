package dev.chargehand.store.memory;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The messages of a thread that have their vectors in a space: those from one position to another, and which attempt
 * failed last.
 *
 * @param low the first position, from 0
 * @param high the position after the last one
 * @param tries how often the next messages were tried in vain
 * @param retryAt when they may be tried again, or null for at once
 */
public record IndexedRange(
        long low, long high, int tries, @Nullable Instant retryAt) {

    public IndexedRange {
        if (low < 0 || high < low || tries < 0) {
            throw new IllegalArgumentException("Not a range: " + low + " to " + high + ", " + tries + " tries.");
        }
    }

    /** Return the range of messages from one position to another, of which no attempt has failed. */
    public static IndexedRange of(long low, long high) {
        return new IndexedRange(low, high, 0, null);
    }
}
