package dev.chargehand.server;

/** A server of HTTP under {@link ChargehandServer}. */
public enum HttpBinding {
    /** Helidon: for production. */
    HELIDON,
    /** The server of the JDK: starts faster, serves HTTP 1.1 only; for tests and small tools. */
    JDK
}
