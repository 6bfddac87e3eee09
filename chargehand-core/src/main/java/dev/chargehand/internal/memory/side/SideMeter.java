package dev.chargehand.internal.memory.side;

/** Sees the calls of models besides the conversation. */
public interface SideMeter {

    /**
     * A model is about to be called.
     *
     * @throws TokensSpentException if it must not be
     */
    default void starts() {}

    /** A model answered, whether or not the answer can be used; its text may be empty. */
    void answered(SideAnswer answer);
}
