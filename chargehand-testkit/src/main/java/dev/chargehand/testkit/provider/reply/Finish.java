package dev.chargehand.testkit.provider.reply;

/** What happens after the last action of a reply. */
public enum Finish {
    /** No last step: the body is ended by its framing; the connection takes the next request where that allows it. */
    KEEP_OPEN,
    /** The body is ended by its framing, then the connection is closed. */
    CLOSE,
    /** The connection is closed, the body has no end. */
    HANG_UP,
    /** The connection is reset. */
    RESET,
    /** Nothing, until the client closes. */
    STALL
}
