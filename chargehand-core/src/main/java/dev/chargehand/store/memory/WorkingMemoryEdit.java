package dev.chargehand.store.memory;

/** The result of an edit of a working memory. */
public sealed interface WorkingMemoryEdit {

    /**
     * The text is stored as a new revision.
     *
     * @param revision its number
     */
    record Stored(long revision) implements WorkingMemoryEdit {}

    /**
     * An edit with the same key was stored before, and nothing is changed.
     *
     * @param revision the number of the revision that it made
     */
    record Known(long revision) implements WorkingMemoryEdit {}

    /**
     * Another revision has been stored since, and nothing is changed.
     *
     * @param newest the number of the newest revision
     */
    record Conflict(long newest) implements WorkingMemoryEdit {}
}
