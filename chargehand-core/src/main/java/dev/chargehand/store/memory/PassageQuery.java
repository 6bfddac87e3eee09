package dev.chargehand.store.memory;

import dev.chargehand.thread.ThreadOwner;
import org.jspecify.annotations.Nullable;

/**
 * Which messages to look for among those of one owner.
 *
 * @param owner whose threads are searched
 * @param space the space of the vector
 * @param vector the vector
 * @param among which messages may be found
 * @param most how many messages at most
 * @param threshold the least similarity
 */
public record PassageQuery(
        ThreadOwner owner, VectorSpace space, UnitVector vector, Among among, int most, double threshold) {

    /** How many of the passages that may be found are searched at most: those of the messages said last. */
    public static final int MOST_PASSAGES = 50_000;

    public PassageQuery {
        vector = space.require(vector);
        if (most < 0) {
            throw new IllegalArgumentException("A search finds 0 messages or more, not " + most + ".");
        }
    }

    /**
     * The messages that may be found.
     *
     * @param onlyThread the only thread that is searched, or null for all of the owner
     * @param leftOut a thread whose messages from a position on are left out, because the conversation has them, or null
     *     for none
     * @param from that position
     */
    public record Among(
            @Nullable String onlyThread, @Nullable String leftOut, long from) {

        /** All messages of the owner. */
        public static final Among ALL = new Among(null, null, 0);
    }
}
