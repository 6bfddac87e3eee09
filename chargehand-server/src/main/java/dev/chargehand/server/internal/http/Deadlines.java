package dev.chargehand.server.internal.http;

import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Expires the deadlines that are open, on one thread. Nearly all are ended long before, and have the same length, so the thread is woken only
 * for one that comes before its next look: a timer for each would wake a thread for nearly every request. Thread-safe.
 */
final class Deadlines {

    private static final long FAR = Long.MAX_VALUE / 2;

    private static final Set<Deadline> OPEN = ConcurrentHashMap.newKeySet();

    private static @Nullable Thread watch;

    /** When the thread looks next; it is set before each look, so that what is added meanwhile wakes the thread. */
    private static volatile long nextLook = System.nanoTime() + FAR;

    private Deadlines() {}

    static void add(Deadline deadline) {
        OPEN.add(deadline);
        if (deadline.nanoTime() - nextLook < 0) {
            wake();
        }
    }

    static void remove(Deadline deadline) {
        OPEN.remove(deadline);
    }

    private static void wake() {
        synchronized (Deadlines.class) {
            if (watch == null) {
                watch = Thread.ofPlatform()
                        .name("chargehand-server-deadlines")
                        .daemon()
                        .start(Deadlines::look);
            } else {
                LockSupport.unpark(watch);
            }
        }
    }

    /** Look until none is open. */
    private static void look() {
        while (true) {
            nextLook = System.nanoTime() + FAR;
            long now = System.nanoTime();
            long pause = FAR;
            for (Iterator<Deadline> open = OPEN.iterator(); open.hasNext(); ) {
                Deadline deadline = open.next();
                long left = deadline.nanoTime() - now;
                if (left <= 0) {
                    open.remove();
                    deadline.expire();
                } else {
                    pause = Math.min(pause, left);
                }
            }
            if (pause == FAR && isOver()) {
                return;
            }
            if (pause != FAR) {
                nextLook = now + pause;
                LockSupport.parkNanos(Deadlines.class, pause);
            }
        }
    }

    private static boolean isOver() {
        synchronized (Deadlines.class) {
            boolean over = OPEN.isEmpty();
            if (over) {
                watch = null;
            }
            return over;
        }
    }
}
