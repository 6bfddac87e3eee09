package dev.chargehand.server;

/** A server of HTTP under {@link ChargehandServer}. */
public enum HttpBinding {
    /**
     * Helidon: for production. A connection without a request is closed after five minutes, unless nothing was ever sent on it.
     */
    HELIDON,
    /**
     * The server of the JDK: starts faster; for tests, and for callers that are trusted: a caller that sends half of the headers
     * and then nothing keeps its connection.
     */
    JDK
}
