package dev.chargehand.server;

import java.time.Duration;

/** A bound of time of the server, with its default. Later versions add bounds. */
public enum ServerTimeLimit {
    /**
     * How long the head of a request may take to arrive, from when its connection was accepted or, for a later request, from its first
     * byte; and its body after the head; 15 seconds each. After that the connection is closed. {@link HttpBinding#JDK} has no limit for
     * heads.
     */
    READ("read", Duration.ofSeconds(15)),
    /** How long one write to a reader may take; 15 seconds. After that its connection is closed. */
    WRITE("write", Duration.ofSeconds(15)),
    /** After how long without an event a stream sends a comment; 10 seconds. This is how a lost reader is noticed. */
    HEARTBEAT("heartbeat", Duration.ofSeconds(10)),
    /** How long a stream stays open; one hour. Its reader then continues with its cursor. */
    STREAM("stream", Duration.ofHours(1)),
    /** How long requests that are in progress may take after {@link ChargehandServer#close()}; 20 seconds. */
    DRAIN("drain", Duration.ofSeconds(20));

    private final String key;
    private final Duration byDefault;

    ServerTimeLimit(String key, Duration byDefault) {
        this.key = key;
        this.byDefault = byDefault;
    }

    /** Return the name in configuration and problems. */
    public String key() {
        return key;
    }

    /** Return the value that counts if none is set. */
    public Duration byDefault() {
        return byDefault;
    }
}
