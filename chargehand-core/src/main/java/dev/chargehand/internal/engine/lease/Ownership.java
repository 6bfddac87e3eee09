package dev.chargehand.internal.engine.lease;

import dev.chargehand.error.StoreException;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.log.Log;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.spi.IdSource;
import dev.chargehand.spi.Lease;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Says in the store that this runtime is alive, and finds out which other owners are not, and which runs of any tenant they
 * have left. Thread-safe.
 *
 * <p>An owner is dead when its lease has run out. That its process is gone shortens this only when it is certain; what
 * cannot be seen counts as alive.
 */
public final class Ownership {

    private static final Log LOG = Log.of(Ownership.class);

    private static final Duration TIME_TO_LIVE = Duration.ofSeconds(30);
    private static final Duration BETWEEN_HEARTBEATS = Duration.ofSeconds(10);

    /** How soon a heartbeat that could not be stored is tried again: the owner may have expired by then. */
    private static final Duration BETWEEN_TRIES = Duration.ofSeconds(1);

    /** How many looks at a run there are for one at its owner. */
    private static final int LOOKS = 4;

    private final Store store;
    private final TimeSource time;
    private final String owner;
    private final OwnerNames names;
    private final AtomicBoolean kept = new AtomicBoolean();
    private volatile boolean released;
    private final AtomicLong lapses = new AtomicLong();
    private volatile long renewedAt;
    private volatile Instant renewed = Instant.EPOCH;
    private volatile TimeSource.@Nullable Alarm alarm;

    /**
     * Make the ownership of a runtime; nothing is written before {@link #startHeartbeat}.
     *
     * @param lease names the owners of runs, or null for the process
     */
    public Ownership(Store store, TimeSource time, IdSource ids, @Nullable Lease lease, BoundedCalls callouts) {
        this.store = store;
        this.time = time;
        this.owner = Owner.nameInThisProcess(ProcessTable.OF_THIS_MACHINE, ids.next(""));
        this.names = new OwnerNames(owner, lease == null ? null : new BoundedLease(lease, callouts));
    }

    /** Return the name of this owner. */
    public String owner() {
        return owner;
    }

    /** Return the name under which a root run is, or would be, executed here. */
    public String ownerOf(RunId root) {
        return names.of(root);
    }

    /** Return whether runs have names of their own. */
    public boolean isLeased() {
        return names.areLeased();
    }

    /** Take the name for a root run that is about to be executed here. */
    public String enter(RunId root) {
        startHeartbeat();
        names.enter(root).ifPresent(name -> store.heartbeat(name, TIME_TO_LIVE));
        return names.of(root);
    }

    /** Keep the name of a root run that is suspended, by which wake-ups know that it is one of this runtime. */
    public void keepSuspended(RunId root, String name) {
        names.keepSuspended(root, name);
    }

    /** Return whether this runtime executes a root run, or has executed it last; also if it is to start it. */
    public boolean hadLast(RunRecord root) {
        return names.hadLast(root);
    }

    /** Give up the name of a root run that is not executed here any more. */
    public void leave(RunId root) {
        names.leave(root).ifPresent(this::end);
    }

    /** Start to say that this owner is alive, if it does not yet. */
    public void startHeartbeat() {
        if (kept.get()) {
            return;
        }
        renew(); // the next caller tries again if this one fails
        if (kept.compareAndSet(false, true)) {
            beatLater(BETWEEN_HEARTBEATS);
        }
    }

    private void renew() {
        long startedAt = time.nanoTime();
        Instant now = time.now();
        store.heartbeat(owner, TIME_TO_LIVE);
        Set<String> used = names.inUse();
        for (String name : used) {
            store.heartbeat(name, TIME_TO_LIVE);
        }
        if (isOver(startedAt, now)) {
            lapses.incrementAndGet();
        }
        renewedAt = startedAt;
        renewed = now;
        names.keepAside(used);
    }

    private boolean isOver(long nanos, Instant now) {
        return nanos - renewedAt >= TIME_TO_LIVE.toNanos() || !now.isBefore(renewed.plus(TIME_TO_LIVE));
    }

    /**
     * Return how often the lease has run out before it was renewed, because this process was stopped, or its clock was
     * set: each time another owner may have taken runs. The lease is renewed if it has run out now.
     */
    public long lapses() {
        if (kept.get() && isOver(time.nanoTime(), time.now())) {
            renew();
        }
        return lapses.get();
    }

    /** Return whether a root run that is in a store is still this owner's. */
    public boolean owns(Store runs, RunId root) {
        return runs.find(root).map(run -> run.owner().equals(ownerOf(root))).orElse(true);
    }

    private void beatLater(Duration after) {
        if (!released) {
            alarm = time.schedule(after, () -> Thread.ofPlatform()
                    .daemon()
                    .name("chargehand-heartbeat")
                    .start(this::beat));
        }
    }

    private void beat() {
        Duration next = BETWEEN_TRIES;
        try {
            if (!released) {
                renew();
            }
            next = BETWEEN_HEARTBEATS;
        } catch (RuntimeException | Error e) {
            LOG.warn("The heartbeat of {} could not be stored: {}", owner, e.getMessage());
        } finally {
            beatLater(next);
        }
    }

    /** Say that this owner is gone. */
    public void release() {
        released = true;
        TimeSource.Alarm next = alarm;
        if (next != null) {
            next.cancel();
        }
        if (kept.get()) {
            end(owner);
        }
    }

    private void end(String name) {
        try {
            store.heartbeat(name, Duration.ZERO);
        } catch (StoreException e) {
            LOG.warn("The end of {} could not be stored: {}", name, e.getMessage());
        }
    }

    /**
     * Say of the owner of a run that it is gone, if its process is known to be; return whether the run has none now.
     */
    public boolean markDead(Store runs, RunId runId) {
        Optional<String> gone = runs.find(runId)
                .filter(run -> run.status() != RunStatus.PENDING)
                .map(RunRecord::owner)
                .filter(name -> isReleased(name) || isCertainlyGone(name));
        gone.filter(name -> !isReleased(name) && store.isAlive(name))
                .ifPresent(name -> store.heartbeat(name, Duration.ZERO));
        return gone.isPresent();
    }

    private static boolean isReleased(String name) {
        return name.isEmpty();
    }

    /**
     * Return whether a run is pending, or running and its owner may be alive; costs one read, and periodically another.
     *
     * @param look the how manieth look at this run it is, from 1
     */
    public boolean isRunning(Store runs, RunId runId, int look) {
        RunRecord run = runs.find(runId).orElse(null);
        return run != null
                && (run.status() == RunStatus.PENDING
                        || (run.status() == RunStatus.RUNNING && !isGone(run.owner(), look)));
    }

    private boolean isGone(String name, int look) {
        return isReleased(name) || isCertainlyGone(name) || (look % LOOKS == 0 && !store.isAlive(name));
    }

    /** Return the root runs that are running and whose owner is dead, and those that no process is about to start. */
    public List<RunRecord> abandonedRuns() {
        return RunPages.all(store::listOfAllTenants, RunFilter.ROOTS.statuses(RunStatus.RUNNING, RunStatus.PENDING))
                .stream()
                .filter(this::isFree)
                .toList();
    }

    /** Return the root runs that wait for something that has expired, which is so from the moment of the expiry. */
    public List<RunRecord> expired() {
        Instant now = time.now();
        Instant next = now.plusMillis(1); // a database keeps milliseconds
        return RunPages.all(
                        store::listOfAllTenants,
                        RunFilter.ROOTS.statuses(RunStatus.SUSPENDED).expiringBefore(next))
                .stream()
                .filter(run -> run.expiresAt().filter(at -> !at.isAfter(now)).isPresent())
                .toList();
    }

    /** Return the root runs that wait although something has arrived for which they have to be resumed. */
    public List<RunRecord> woken() {
        return RunPages.all(
                store::listOfAllTenants,
                RunFilter.ROOTS.statuses(RunStatus.SUSPENDED).woken(true));
    }

    /** Return the runs that were left below one that has ended, by an owner that died in between. */
    public List<RunRecord> leftBelow() {
        return RunPages.all(store::listOfAllTenants, RunFilter.ALL.leftBelow(true)).stream()
                .filter(run ->
                        storeOf(run).find(run.rootRunId()).map(this::isFree).orElse(true))
                .toList();
    }

    /** Take a run that waits, or whose owner is dead or is this one; nothing if another may be executing it. */
    public Optional<RunRecord> claimIfFree(RunRecord run) {
        return run.status() == RunStatus.SUSPENDED || isFree(run)
                ? claim(run, name -> storeOf(run).claim(run.runId(), run.epoch(), run.length(), name))
                : Optional.empty();
    }

    /** Do the same for a wake-up, after which the run is not due before a moment. */
    public Optional<RunRecord> claimToWake(RunRecord run, Instant next) {
        return run.status() == RunStatus.SUSPENDED || isFree(run)
                ? claim(run, name -> storeOf(run).claimToWake(run.runId(), run.epoch(), run.length(), name, next))
                : Optional.empty();
    }

    /** Say of an owner that it is gone, if its process is known to be. */
    public void noteIfGone(String name) {
        if (isCertainlyGone(name)) {
            store.heartbeat(name, Duration.ZERO);
        }
    }

    private Store storeOf(RunRecord run) {
        return store.forTenant(run.tenantId());
    }

    /** Take a run as it was seen; nothing if another was faster, or has ended it. */
    private Optional<RunRecord> claim(RunRecord run, Function<String, RunRecord> claim) {
        try {
            return Optional.of(claim.apply(enter(run.runId())));
        } catch (RuntimeException e) {
            leave(run.runId());
            if (e instanceof StoreException store
                    && (store.kind() == StoreException.Kind.FENCED || store.kind() == StoreException.Kind.NOT_FOUND)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Return whether no living owner executes a running run. */
    public boolean isFree(RunRecord run) {
        return run.owner().equals(ownerOf(run.runId()))
                || names.mayTake(run).orElseGet(() -> !store.isAlive(run.owner()) || isCertainlyGone(run.owner()));
    }

    private static boolean isCertainlyGone(String owner) {
        return Owner.parse(owner)
                .filter(process -> process.isGone(ProcessTable.OF_THIS_MACHINE))
                .isPresent();
    }
}
