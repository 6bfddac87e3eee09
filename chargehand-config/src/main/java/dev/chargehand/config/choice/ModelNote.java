package dev.chargehand.config.choice;

/**
 * A choice of a model that may surprise a user.
 *
 * @param kind the reason for the choice
 * @param text the choice and its reason, for the user
 */
public record ModelNote(Kind kind, String text) {

    /** The reason for a choice. */
    public enum Kind {

        /** The key of a provider is set, and the file names a model only by default. */
        KEY_FOUND,

        /** The stand-in is the default, and no key of a provider is set. */
        OFFLINE_BY_DEFAULT,

        /** The stand-in was named. */
        OFFLINE
    }
}
