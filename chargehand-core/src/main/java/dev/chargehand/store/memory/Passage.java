package dev.chargehand.store.memory;

/**
 * A passage of a message, by its vector. The text stays in the thread.
 *
 * @param position the place of the message in its thread, from 0
 * @param part which passage of the message it is, from 0
 * @param vector its vector
 */
public record Passage(long position, int part, UnitVector vector) {

    public Passage {
        if (position < 0 || part < 0) {
            throw new IllegalArgumentException("Not a passage: part " + part + " of message " + position + ".");
        }
    }
}
