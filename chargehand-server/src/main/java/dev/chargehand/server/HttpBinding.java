package dev.chargehand.server;

/** A server of HTTP under {@link ChargehandServer}. */
public enum HttpBinding {
    /** Helidon: for production. A connection on which a request does not arrive is closed after {@link ServerTimeLimit#READ}. */
    HELIDON,
    /**
     * The server of the JDK: starts faster; for tests, and for callers that are trusted: a caller that sends half of the headers
     * and then nothing keeps its connection.
     */
    JDK
}
