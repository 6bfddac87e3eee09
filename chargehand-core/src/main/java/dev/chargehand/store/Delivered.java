package dev.chargehand.store;

/** What a store answers to a delivery. */
public sealed interface Delivered {

    /** It is stored, and the run will read it. */
    record Accepted() implements Delivered {}

    /**
     * A delivery with this id is stored already; nothing was changed.
     *
     * @param digest the digest of the stored delivery
     */
    record Duplicate(String digest) implements Delivered {}

    /** The run is missing or has ended, or the call does not wait; nothing was stored. */
    record NotWaiting() implements Delivered {}
}
