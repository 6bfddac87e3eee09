package dev.chargehand.internal.engine;

import dev.chargehand.error.StoreException;
import dev.chargehand.internal.engine.tree.RuntimeEnvironment;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.RunRecord;
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
 * second until the store answers, so that any process may resume them. One that is suspended there needs no release, and
 * stays the process's own, so that its wake-ups resume it for an answer that it has. Thread-safe; between tries it holds no thread.
 */
public final class RunReleases {

    private static final Logger LOG = LoggerFactory.getLogger(RunReleases.class);

    private static final Duration BETWEEN_TRIES = Duration.ofSeconds(1);

    /**
     * How often a run is looked for whose first facts may still arrive, after a write with an unknown outcome.
     */
    private static final int MOST_LOOKS = 60;

    private final RuntimeEnvironment environment;
    private final Settling settling;
    private final Tries tries;

    /**
     * Make it for a tenant of a runtime, the first.
     *
     * @param settling settles runs of the tenant in another way than by a release
     */
    RunReleases(RuntimeEnvironment environment, Settling settling) {
        this(environment, settling, new Tries(environment.time()));
    }

    private RunReleases(RuntimeEnvironment environment, Settling settling, Tries tries) {
        this.environment = environment;
        this.settling = settling;
        this.tries = tries;
    }

    /** Return that of another tenant of the same runtime. */
    RunReleases forTenant(RuntimeEnvironment other, Settling its) {
        return new RunReleases(other, its, tries);
    }

    /** Settles a run in another way than by a release. */
    interface Settling {

        /** End a run that was cancelled, where it is in the store. */
        void end(RunRecord seen, StopReason reason);

        /** Keep a run that is suspended in the store. */
        void keepSuspended(RunRecord seen);
    }

    private final class GivenUp {
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

        private boolean isOf(String tenantId) {
            return environment.tenantId().equals(tenantId);
        }

        /** Return whether the store answered. */
        private boolean release() {
            if (tries.runs.get(root) != this) {
                return true;
            }
            try {
                Optional<RunRecord> owned = environment.store().find(root).filter(seen -> seen.owner()
                        .equals(owner));
                if (owned.isPresent()) {
                    settle(owned.get());
                } else if (mayArrive && ++looks < MOST_LOOKS) {
                    return true;
                }
            } catch (StoreException e) {
                if (e.kind() != StoreException.Kind.FENCED && e.kind() != StoreException.Kind.NOT_FOUND) {
                    LOG.debug("run {}: could not be released: {}", root, e.getMessage());
                    return false;
                }
            }
            boolean ignored = tries.runs.remove(root, this);
            return true;
        }

        private void settle(RunRecord seen) {
            if (cancelled != null && !seen.status().isEnded()) {
                settling.end(seen, cancelled);
            } else if (seen.status() == RunStatus.SUSPENDED) {
                settling.keepSuspended(seen);
                return;
            }
            environment.store().release(root, seen.epoch());
            LOG.info("run {}: released after its store had failed; any process may resume it", root);
        }
    }

    /** The runs of all tenants, and the tries to release them. */
    private static final class Tries {
        private final TimeSource time;
        private final Map<RunId, GivenUp> runs = new ConcurrentHashMap<>();
        private final AtomicBoolean trying = new AtomicBoolean();
        private final ReentrantLock lock = new ReentrantLock();
        private TimeSource.@Nullable Alarm next;
        private volatile boolean closed;

        private Tries(TimeSource time) {
            this.time = time;
        }

        private void add(GivenUp run) {
            runs.put(run.root, run);
            if (!closed && trying.compareAndSet(false, true)) {
                tryOnThread();
            }
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
            Thread.ofVirtual()
                    .name("release runs")
                    .start(() -> locked(() -> {
                        try {
                            releaseAll();
                        } finally {
                            tryLater();
                        }
                    }));
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
                if (!run.release()) {
                    return;
                }
            }
        }

        /** Try for the last time; the lock is what makes an alarm that is being set the last one too. */
        private void close() {
            closed = true;
            locked(() -> {
                releaseAll();
                if (next != null) {
                    next.cancel();
                }
            });
        }
    }

    /**
     * Release a run that is not live here as soon as the store answers, or end it if it was cancelled; returns at once.
     */
    void add(RunId root, StopReason.@Nullable Cancelled cancelled) {
        tries.add(new GivenUp(root, environment.ownerOf(root), false, cancelled));
    }

    /** Do the same for a run that this runtime may own, or may come to own by a write that is still on its way. */
    public void addIfOwned(RunId root) {
        tries.add(new GivenUp(root, environment.ownerOf(root), true, null));
    }

    /**
     * Leave a run to the caller, who claims it: no release is on its way from then on. Returns whether it was given up.
     */
    public boolean forget(RunId root) {
        boolean givenUp = tries.runs.containsKey(root);
        if (givenUp) {
            tries.locked(() -> tries.runs.remove(root));
        }
        return givenUp;
    }

    /** Try now, and wait for it; does nothing for a run that is not given up, or is another tenant's. */
    public void tryNow(RunId root) {
        GivenUp run = tries.runs.get(root);
        if (run != null && run.isOf(environment.tenantId())) {
            tries.locked(run::release);
        }
    }

    /** Try those of all tenants now, and wait for it. */
    public void tryNow() {
        if (!tries.runs.isEmpty()) {
            tries.locked(tries::releaseAll);
        }
    }

    /** Try those of all tenants for the last time. */
    void close() {
        tries.close();
    }
}
