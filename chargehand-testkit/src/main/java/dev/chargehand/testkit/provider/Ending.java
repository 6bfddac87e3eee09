package dev.chargehand.testkit.provider;

/** Say how a reply came to its end. */
public enum Ending {
    /** The whole reply was handed to the socket before the client was seen to leave. */
    COMPLETE,
    /** The script cut it: a reset, or a connection closed in the middle of the body. */
    CUT_BY_SCRIPT,
    /** The client closed its connection first; a stalled or held reply can only end this way or the next. */
    CUT_BY_CLIENT,
    /** The provider was closed, or disconnected all clients. */
    CUT_BY_PROVIDER
}
