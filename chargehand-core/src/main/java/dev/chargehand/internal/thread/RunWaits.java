package dev.chargehand.internal.thread;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the threads of runs wait for: sockets, or other threads of this process. The operating system alone wakes a
 * platform thread that waits for a socket; a virtual one is cheaper to wake for another virtual thread. The last waits
 * count, some ten of them. Thread-safe.
 */
public final class RunWaits {

    /** A wait for a socket gains about twice as much on a platform thread as a wait for a thread loses. */
    private static final int SOCKET = 2;

    private static final int MOST = 24;

    /** Above zero if mostly sockets are waited for; as long as nothing is known, a model is probably a service. */
    private final AtomicInteger balance = new AtomicInteger(MOST);

    /** Count a wait for a socket. */
    public void onSocket() {
        count(SOCKET);
    }

    /** Count a wait for another thread. */
    public void onThread() {
        count(-1);
    }

    private void count(int weight) {
        int before = balance.get();
        int after = Math.clamp(before + weight, -MOST, MOST);
        if (after != before) {
            balance.compareAndSet(before, after); // a count that is lost changes nothing
        }
    }

    /** Return whether runs wait for sockets more than for other threads. */
    boolean areMostlySockets() {
        return balance.get() > 0;
    }
}
