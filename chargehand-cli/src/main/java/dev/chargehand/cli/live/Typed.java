package dev.chargehand.cli.live;

/** The action of the user at a prompt. */
public sealed interface Typed {

    /** They typed one; it may have several lines. */
    record Message(String text) implements Typed {}

    /**
     * They threw away what they had typed.
     *
     * @param nothing whether there was nothing to throw away
     */
    record Cleared(boolean nothing) implements Typed {}

    /** The user left, or the input ended. */
    record Left() implements Typed {}
}
