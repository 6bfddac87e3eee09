package dev.chargehand.cli.live;

/** What somebody did who was to type a message. */
public sealed interface Typed {

    /** They typed one; it may have several lines. */
    record Message(String text) implements Typed {}

    /**
     * They threw away what they had typed.
     *
     * @param nothing whether there was nothing to throw away
     */
    record Cleared(boolean nothing) implements Typed {}

    /** They left, or are not there any more. */
    record Left() implements Typed {}
}
