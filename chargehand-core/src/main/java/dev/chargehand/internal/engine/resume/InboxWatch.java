package dev.chargehand.internal.engine.resume;

import dev.chargehand.internal.log.Log;
import dev.chargehand.store.Store;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * The thread of a runtime that looks into the store after changes, as long as the runtime executes runs or waits
 * for some. Thread-safe.
 */
public final class InboxWatch {

    private static final Log LOG = Log.of(InboxWatch.class);

    /** How long a look is put off if nothing changes: time passes, and processes die, without a change. */
    private static final Duration LONGEST = Duration.ofSeconds(1);

    /** How long the thread stays when it is not needed, since the next run is often near; and a pause after a failure. */
    private static final long LINGER = TimeUnit.SECONDS.toNanos(1);

    /**
     * How long the thread rests after a look, and between two checks of whether it is needed. Nothing wakes it then, so that of many short
     * runs not each one costs two changes of threads. Whether something arrives is seen after that.
     */
    private static final long REST = TimeUnit.MILLISECONDS.toNanos(5);

    private final Store store;
    private final BooleanSupplier needed;
    private final Runnable look;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition over = lock.newCondition();
    private volatile boolean watching;
    private volatile boolean closed;

    /**
     * Make it for a runtime; nothing looks yet.
     *
     * @param needed returns whether the runtime executes runs or waits for some; quick
     * @param look reads what there is to do, and does it
     */
    public InboxWatch(Store store, BooleanSupplier needed, Runnable look) {
        this.store = store;
        this.needed = needed;
        this.look = look;
    }

    /** Look from now on, as long as it is needed. */
    public void begin() {
        if (watching || closed) {
            return;
        }
        lock.lock();
        try {
            if (!watching && !closed) {
                watching = true;
                Thread ignored =
                        Thread.ofPlatform().daemon().name("chargehand-inbox").start(this::watch);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Look no more. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            over.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void watch() {
        long seen = 0;
        while (isNeeded()) {
            try {
                seen = store.awaitChange(seen, LONGEST);
                if (!closed) {
                    look.run();
                    pause(REST, () -> closed);
                }
            } catch (RuntimeException | Error e) {
                if (!closed) {
                    LOG.warn("The store could not be looked into for what has arrived: {}", e.getMessage());
                    pause(LINGER, () -> closed);
                }
            }
        }
    }

    /** Return whether to look again; a run that starts after the answer no is not missed. */
    private boolean isNeeded() {
        if (needed.getAsBoolean() && !closed) {
            return true;
        }
        pause(LINGER, () -> closed || needed.getAsBoolean());
        watching = false;
        if (!needed.getAsBoolean() || closed) {
            return false;
        }
        lock.lock();
        try {
            boolean other = watching;
            watching = true;
            return !other;
        } finally {
            lock.unlock();
        }
    }

    private void pause(long nanos, BooleanSupplier ends) {
        lock.lock();
        try {
            long left = nanos;
            while (left > 0 && !ends.getAsBoolean()) {
                left -= REST - over.awaitNanos(REST);
            }
        } catch (InterruptedException e) {
            closed = true; // nothing of ours interrupts it
        } finally {
            lock.unlock();
        }
    }
}
