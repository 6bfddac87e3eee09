package dev.chargehand.internal.run;

import dev.chargehand.error.StoreException;
import dev.chargehand.run.RunId;
import dev.chargehand.run.TimeSource;
import dev.chargehand.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The root runs that this process gives up because it could not store them: it tries to release them in the store every
 * second until the store answers, so that any process may resume them. Thread-safe; between tries it holds no thread.
 */
final class Releases {

    private static final Logger LOG = LoggerFactory.getLogger(Releases.class);

    private static final Duration BETWEEN_TRIES = Duration.ofSeconds(1);

    /** How often a run is looked for whose first facts may still arrive, after a write that nobody knows the end of. */
    private static final int MOST_LOOKS = 60;

    private final Store store;
    private final TimeSource time;
    private final Map<RunId, GivenUp> runs = new ConcurrentHashMap<>();
    private final AtomicBoolean trying = new AtomicBoolean();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile TimeSource.@Nullable Alarm next;
    private volatile boolean closed;

    Releases(Store store, TimeSource time) {
        this.store = store;
        this.time = time;
    }

    private static final class GivenUp {
        private final RunId root;
        private final long epoch;
        private int looks;

        private GivenUp(RunId root, long epoch) {
            this.root = root;
            this.epoch = epoch;
        }
    }

    /** Releases a run as soon as the store answers, unless it is taken over before; returns at once. */
    void add(RunId root, long epoch) {
        runs.put(root, new GivenUp(root, epoch));
        if (!closed && trying.compareAndSet(false, true)) {
            tryOnThread();
        }
    }

    /** Tries now, and waits for it; does nothing for a run that is not given up. */
    void tryNow(RunId root) {
        GivenUp run = runs.get(root);
        if (run != null) {
            locked(() -> release(run));
        }
    }

    /** Tries all now, and waits for it. */
    void tryNow() {
        if (!runs.isEmpty()) {
            locked(this::releaseAll);
        }
    }

    /** Tries all for the last time. */
    void close() {
        closed = true;
        TimeSource.Alarm alarm = next;
        if (alarm != null) {
            alarm.cancel();
        }
        tryNow();
    }

    private void locked(Runnable work) {
        lock.lock();
        try {
            work.run();
        } finally {
            lock.unlock();
        }
    }

    private void tryOnThread() {
        Thread.ofVirtual().name("release runs").start(() -> {
            try {
                locked(this::releaseAll);
            } finally {
                tryLater();
            }
        });
    }

    private void tryLater() {
        trying.set(false);
        if (!closed && !runs.isEmpty() && trying.compareAndSet(false, true)) {
            next = time.schedule(BETWEEN_TRIES, this::tryOnThread);
        }
    }

    /** A store that does not answer for one run is not asked for the others. */
    private void releaseAll() {
        for (GivenUp run : List.copyOf(runs.values())) {
            if (!release(run)) {
                return;
            }
        }
    }

    /** Tells whether the store answered. */
    private boolean release(GivenUp run) {
        if (runs.get(run.root) != run) {
            return true;
        }
        try {
            store.release(run.root, run.epoch);
            LOG.info("run {}: released after its store had failed; any process may resume it", run.root);
        } catch (StoreException e) {
            boolean absent = e.kind() == StoreException.Kind.NOT_FOUND;
            if (absent && ++run.looks < MOST_LOOKS) {
                return true;
            }
            if (!absent && e.kind() != StoreException.Kind.FENCED) {
                LOG.debug("run {}: could not be released: {}", run.root, e.getMessage());
                return false;
            }
        }
        boolean ignored = runs.remove(run.root, run);
        return true;
    }
}
