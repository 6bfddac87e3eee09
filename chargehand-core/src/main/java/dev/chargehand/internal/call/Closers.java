package dev.chargehand.internal.call;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What closes the connections of one call. Each is used once: when the call is given up, or at once if it was before. Thread-safe. */
public final class Closers {

    private final Consumer<Runnable> caller;
    private final List<Runnable> waiting = new ArrayList<>(1);
    private boolean closed;

    /**
     * Make it for a call.
     *
     * @param caller calls a closer, which is foreign code, without waiting for it
     */
    public Closers(Consumer<Runnable> caller) {
        this.caller = caller;
    }

    /** Add what closes a connection. */
    public void add(Runnable closer) {
        synchronized (waiting) {
            if (!closed) {
                waiting.add(closer);
                return;
            }
        }
        caller.accept(closer);
    }

    /** Keep the connections of a call that has returned: they may be used again. */
    public void forget() {
        synchronized (waiting) {
            waiting.clear();
        }
    }

    /** Close all connections, also those that are opened later. */
    public void close() {
        List<Runnable> now;
        synchronized (waiting) {
            closed = true;
            now = List.copyOf(waiting);
            waiting.clear();
        }
        now.forEach(caller);
    }

    /** Return whether the connections were closed. */
    public boolean isClosed() {
        synchronized (waiting) {
            return closed;
        }
    }
}
