package dev.chargehand.document;

/**
 * Something that is wrong with a file.
 *
 * @param at where
 * @param message what is wrong, what was allowed, and what was probably meant
 */
public record Mistake(Position at, String message) {

    @Override
    public String toString() {
        return at + ": " + message;
    }
}
