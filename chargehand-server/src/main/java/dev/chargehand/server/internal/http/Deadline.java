package dev.chargehand.server.internal.http;

import java.time.Duration;

/**
 * A time by which the thread that has made this must have done something, such as read a part of a request or got a result. The thread is
 * interrupted then; as it is a virtual one, that closes a socket that it reads. Thread-safe.
 */
public final class Deadline {

    private final Thread thread = Thread.currentThread();
    private final long nanoTime;
    private boolean ended;
    private boolean expired;

    private Deadline(Duration time) {
        this.nanoTime = System.nanoTime() + time.toNanos();
    }

    /** Start the time of this thread. */
    public static Deadline within(Duration time) {
        Deadline deadline = new Deadline(time);
        Deadlines.add(deadline);
        return deadline;
    }

    /** End it, and return whether its thread was in time; it is not interrupted from then on. */
    public boolean end() {
        Deadlines.remove(this);
        synchronized (this) {
            ended = true;
            return !expired;
        }
    }

    /** Interrupt its thread now, unless it was ended. */
    public void expire() {
        synchronized (this) {
            if (!ended && !expired) {
                expired = true;
                thread.interrupt();
            }
        }
    }

    /** Return when it expires, by {@link System#nanoTime()}. */
    long nanoTime() {
        return nanoTime;
    }
}
