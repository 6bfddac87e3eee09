package dev.chargehand.server.internal.binding;

import java.time.Duration;

/**
 * How a server of HTTP listens.
 *
 * @param host the address, or a name of one
 * @param port the port; 0 for any that is free
 * @param readTime how long the headers of a request may take
 * @param grace how long {@link Listener#stop()} waits for exchanges in progress
 */
public record ListenOptions(String host, int port, Duration readTime, Duration grace) {

    /** How much a connection takes of what its reader does not read, in bytes. */
    public static final int SEND_BUFFER = 64 * 1024;

    /** How large the headers of a request may be, in bytes. */
    public static final int HEADERS = 16 * 1024;

    /**
     * How many connections the system queues until the server accepts them; it may allow fewer. The JDK's default is 50, and Linux
     * resets connections beyond that whose request arrives in more than one segment.
     */
    public static final int BACKLOG = 1024;
}
