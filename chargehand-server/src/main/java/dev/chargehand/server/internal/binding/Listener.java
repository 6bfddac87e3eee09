package dev.chargehand.server.internal.binding;

/** A server of HTTP that listens. */
public interface Listener {

    /** Return the port on which it listens. */
    int port();

    /** Accept no further connections, wait for exchanges in progress within the grace period, and close the rest. */
    void stop();
}
