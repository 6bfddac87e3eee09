package dev.chargehand.internal.thread;

import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Looks, while a runtime waits for foreign code, whether virtual threads find a carrier, and has {@link CarrierRescue}
 * add some if they do not.
 *
 * <p>One per process, since the scheduler is one: all runtimes share it, and its thread ends with the last of them.
 * While nothing is in progress it sleeps. Thread-safe.
 */
final class CarrierWatch {

    private static final long NANOS_BETWEEN_LOOKS = 20_000_000;
    private static final long NANOS_BETWEEN_IDLE_LOOKS = 1_000_000_000;
    private static final long MILLIS_TO_END = 2_000;

    /** It stays awake for so many looks without work: what starts meanwhile need not wake it. */
    private static final int LOOKS_WITHOUT_WORK = 50;

    private final LongAdder started = new LongAdder();
    private final LongAdder over = new LongAdder();
    private final CarrierRescue rescue = new CarrierRescue();

    /** Whether a virtual thread has moved since the last look: then not all carriers are stuck. */
    private volatile boolean moved;

    /** Guards the number of runtimes and which watcher is theirs. */
    private final ReentrantLock lock = new ReentrantLock();

    private int runtimes;
    private volatile @Nullable Watcher watcher;

    private static final class Process {
        private static final CarrierWatch WATCH = new CarrierWatch();
    }

    /** Return the one of this process. */
    static CarrierWatch ofProcess() {
        return Process.WATCH;
    }

    /** Count a runtime that needs the watch. */
    void open() {
        lock.lock();
        try {
            runtimes++;
        } finally {
            lock.unlock();
        }
    }

    /** End the watch if no other runtime needs it. */
    void close() {
        Watcher last = null;
        lock.lock();
        try {
            runtimes--;
            if (runtimes == 0) {
                last = watcher;
                watcher = null;
            }
        } finally {
            lock.unlock();
        }
        if (last != null) {
            last.join();
        }
    }

    /** Count work that has started. */
    void enter() {
        started.increment();
        noteMove();
        Watcher watching = watcher;
        if (watching == null) {
            start();
        } else if (watching.asleep) {
            LockSupport.unpark(watching.thread);
        }
    }

    /** Count work that is over. */
    void leave() {
        over.increment();
        noteMove();
    }

    private void noteMove() {
        if (!moved && Thread.currentThread().isVirtual()) {
            moved = true;
        }
    }

    /** Return whether work has started or ended on a virtual thread since the last call. */
    boolean takeMoved() {
        boolean hasMoved = moved;
        moved = false;
        return hasMoved;
    }

    private void start() {
        lock.lock();
        try {
            if (watcher == null && runtimes > 0) {
                Watcher made = new Watcher();
                watcher = made;
                made.thread.start();
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean isAtWork() {
        long ended = over.sum(); // read first: what has ended has started
        return started.sum() > ended;
    }

    private final class Watcher implements Runnable {

        private final Thread thread =
                Thread.ofPlatform().daemon().name("chargehand-carriers").unstarted(this);
        private volatile boolean asleep;

        @Override
        public void run() {
            long seen = -1;
            int idle = 0;
            while (isNeeded()) {
                long now = started.sum();
                idle = now == seen && !isAtWork() ? idle + 1 : 0;
                seen = now;
                if (idle > LOOKS_WITHOUT_WORK) {
                    sleep();
                } else {
                    rescue.look(takeMoved());
                    LockSupport.parkNanos(CarrierWatch.this, NANOS_BETWEEN_LOOKS);
                }
            }
            rescue.end();
        }

        private boolean isNeeded() {
            return equals(watcher);
        }

        /** Sleep until work starts; while there are carriers to return, looks once in a while. */
        private void sleep() {
            asleep = true;
            if (isNeeded() && !isAtWork()) {
                if (rescue.hasAdded()) {
                    LockSupport.parkNanos(CarrierWatch.this, NANOS_BETWEEN_IDLE_LOOKS);
                    rescue.look(takeMoved());
                } else {
                    LockSupport.park(CarrierWatch.this);
                }
            }
            asleep = false;
        }

        private void join() {
            LockSupport.unpark(thread);
            try {
                thread.join(MILLIS_TO_END);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
