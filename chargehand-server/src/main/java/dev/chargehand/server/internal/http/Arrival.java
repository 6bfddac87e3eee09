package dev.chargehand.server.internal.http;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A part of a request that the thread which has made this reads. If it takes too long the thread is interrupted, which closes its socket, as
 * the thread is a virtual one. Thread-safe.
 */
public final class Arrival {

    private final Thread reader = Thread.currentThread();
    private final CompletableFuture<Boolean> read = new CompletableFuture<>();

    private Arrival() {}

    /** Start to wait for a part, at most for a time. */
    public static Arrival within(Duration time) {
        Arrival arrival = new Arrival();
        CompletableFuture<Void> ignored = arrival.read
                .completeOnTimeout(false, time.toMillis(), TimeUnit.MILLISECONDS)
                .thenAccept(inTime -> {
                    if (!inTime) {
                        arrival.reader.interrupt();
                    }
                });
        return arrival;
    }

    /** End the wait, and return whether the part was read in time; if not, the socket is closed. */
    public boolean end() {
        return read.complete(true);
    }
}
