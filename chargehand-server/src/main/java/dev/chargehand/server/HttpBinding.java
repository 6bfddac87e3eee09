package dev.chargehand.server;

/** A server of HTTP under {@link ChargehandServer}. */
public enum HttpBinding {
    /** Helidon: for production. */
    HELIDON,
    /**
     * The server of the JDK: starts faster; for tests, and for callers that are trusted: a caller that sends half a request and then
     * nothing keeps a thread.
     */
    JDK
}
