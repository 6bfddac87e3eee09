package dev.chargehand.thread;

/** What gave a thread its title. A later one of these replaces the title of an earlier one, and never the reverse. */
public enum TitleSource {

    /** The first words of the first text of its user. */
    FIRST_WORDS,

    /** A model, after the first answer; see {@code Memory.Builder.title}. */
    MODEL,

    /** The application, or an earlier version of this library. */
    USER
}
