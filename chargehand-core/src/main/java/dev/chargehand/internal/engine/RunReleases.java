package dev.chargehand.internal.engine;

import dev.chargehand.error.StoreException;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
public final class RunReleases {

    private static final Logger LOG = LoggerFactory.getLogger(RunReleases.class);

    private static final Duration BETWEEN_TRIES = Duration.ofSeconds(1);

    /**
     * How often a run is looked for whose first facts may still arrive, after a write with an unknown outcome.
     */
    private static final int MOST_LOOKS = 60;

    private final Store store;
    private final TimeSource time;
    private final RuntimeEnvironment environment;
    private final Ending ending;
    private final Map<RunId, GivenUp> runs = new ConcurrentHashMap<>();
    private final AtomicBoolean trying = new AtomicBoolean();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile TimeSource.@Nullable Alarm next;
    private volatile boolean closed;

    /**
     * Make it for a runtime.
     *
     * @param ending ends a run that was cancelled, instead of releasing it
     */
    RunReleases(RuntimeEnvironment environment, Ending ending) {
        this.store = environment.store();
        this.time = environment.time();
        this.environment = environment;
        this.ending = ending;
    }

    /** Ends a run where it is in the store. */
    @FunctionalInterface
    interface Ending {
        void end(RunRecord seen, StopReason reason);
    }

    private static final class GivenUp {
        private final RunId root;
        private final String owner;
        private final boolean mayArrive;
        private final StopReason.@Nullable Cancelled cancelled;
        private int looks;

        private GivenUp(RunId root, String owner, boolean mayArrive, StopReason.@Nullable Cancelled cancelled) {
            this.root = root;
            this.owner = owner;
            this.mayArrive = mayArrive;
            this.cancelled = cancelled;
        }
    }

    /**
     * Release a run that is not live here as soon as the store answers, or end it if it was cancelled; returns at once.
     */
    void add(RunId root, StopReason.@Nullable Cancelled cancelled) {
        add(new GivenUp(root, environment.ownerOf(root), false, cancelled));
    }

    /** Do the same for a run that this runtime may own, or may come to own by a write that is still on its way. */
    public void addIfOwned(RunId root) {
        add(new GivenUp(root, environment.ownerOf(root), true, null));
    }

    private void add(GivenUp run) {
        runs.put(run.root, run);
        if (!closed && trying.compareAndSet(false, true)) {
            tryOnThread();
        }
    }

    /**
     * Leave a run to the caller, who claims it: no release is on its way from then on. Returns whether it was given up.
     */
    public boolean forget(RunId root) {
        boolean givenUp = runs.containsKey(root);
        if (givenUp) {
            locked(() -> runs.remove(root));
        }
        return givenUp;
    }

    /** Try now, and wait for it; does nothing for a run that is not given up. */
    public void tryNow(RunId root) {
        GivenUp run = runs.get(root);
        if (run != null) {
            locked(() -> release(run));
        }
    }

    /** Try all now, and wait for it. */
    public void tryNow() {
        if (!runs.isEmpty()) {
            locked(this::releaseAll);
        }
    }

    /** Try all for the last time. */
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

    /** Return whether the store answered. */
    private boolean release(GivenUp run) {
        if (runs.get(run.root) != run) {
            return true;
        }
        try {
            Optional<RunRecord> owned =
                    store.find(run.root).filter(seen -> seen.owner().equals(run.owner));
            if (owned.isPresent()) {
                release(run, owned.get());
            } else if (run.mayArrive && ++run.looks < MOST_LOOKS) {
                return true;
            }
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.FENCED && e.kind() != StoreException.Kind.NOT_FOUND) {
                LOG.debug("run {}: could not be released: {}", run.root, e.getMessage());
                return false;
            }
        }
        boolean ignored = runs.remove(run.root, run);
        return true;
    }

    private void release(GivenUp run, RunRecord seen) {
        if (run.cancelled != null && !seen.status().isEnded()) {
            ending.end(seen, run.cancelled);
        }
        store.release(run.root, seen.epoch());
        LOG.info("run {}: released after its store had failed; any process may resume it", run.root);
    }
}
