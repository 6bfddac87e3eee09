package dev.chargehand.thread;

import org.jspecify.annotations.Nullable;

/** What gave a thread its title. A later one of these replaces the title of an earlier one, and never the reverse. */
public enum TitleSource {

    /** The first words of the first text of its user. */
    FIRST_WORDS,

    /** A model, after the first answer; see {@code Memory.Builder.title}. */
    MODEL,

    /** The application, or an earlier version of this library. */
    USER;

    /**
     * Return whether a title of this source replaces another one.
     *
     * @param before the source of the other one, or null if there is none
     */
    public boolean replaces(@Nullable TitleSource before) {
        return before == null || before.compareTo(this) < 0;
    }
}
