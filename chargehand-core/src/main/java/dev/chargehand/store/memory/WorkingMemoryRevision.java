package dev.chargehand.store.memory;

import java.time.Instant;

/**
 * A text of a working memory.
 *
 * @param revision its number, from 1
 * @param text the whole text
 * @param at when it was stored
 */
public record WorkingMemoryRevision(long revision, String text, Instant at) {

    /** How many texts of a working memory are kept: the newest. */
    public static final int KEPT = 20;
}
