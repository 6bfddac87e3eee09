package dev.chargehand.internal.thread;

import dev.chargehand.internal.log.Log;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Adds carriers when virtual threads that could run find none, and takes them back when they are free.
 *
 * <p>A virtual thread that has nothing to do, the probe, is started with every look. It did not run although it had
 * time to, and nothing that waited with it ran either: then all carriers are stuck, and as many are added. Thread-safe.
 */
final class CarrierRescue {

    private static final Log LOG = Log.of(CarrierRescue.class);

    private static final int MOST = 256;
    private static final long PATIENCE = TimeUnit.MILLISECONDS.toNanos(100);

    /** Once some were not enough, it is known what the carriers are stuck with. */
    private static final long PATIENCE_AGAIN = TimeUnit.MILLISECONDS.toNanos(50);

    /** Carriers that are stuck compute; if the process hardly did, other processes keep them from it. */
    private static final long COMPUTED = TimeUnit.MILLISECONDS.toNanos(40);

    /**
     * So long is waited when something does run, only not the probe: much to do is no reason for more carriers. A carrier first executes what
     * was continued on it, and new threads wait as long; then one more takes them.
     */
    private static final long LONG_PATIENCE = TimeUnit.SECONDS.toNanos(1);

    /** After that the scheduler is opened, to see whether what waits becomes less. */
    private static final long HICCUP = TimeUnit.MILLISECONDS.toNanos(50);

    /** Carriers are taken back when they have been free for so long. */
    private static final long FREE = TimeUnit.SECONDS.toNanos(1);

    private static final int PROBES_AT_ONCE = 1_000;

    private Probe probe = new Probe();
    private @Nullable CarrierScheduler scheduler;
    private boolean broken;
    private long stoodStill;
    private long lastQueued;
    private long addedAt;
    private long computedBefore;

    /** How many carriers there were before any was added, and then; 0 while none is added. */
    private int before;

    private int after;

    private boolean reported;
    private long watchedSince;
    private int leastMounted = MOST;

    private static final class Probe implements Runnable {
        private final long sentAt = System.nanoTime();
        private volatile boolean hasRun;

        @Override
        public void run() {
            hasRun = true;
        }

        private void send() {
            Thread.ofVirtual().name("chargehand-probe").start(this);
        }
    }

    CarrierRescue() {
        probe.hasRun = true;
    }

    /** Return whether there are carriers to take back. */
    synchronized boolean hasAdded() {
        return before > 0;
    }

    /**
     * Look once.
     *
     * @param hasMoved whether a virtual thread is known to have run since the last look
     */
    synchronized void look(boolean hasMoved) {
        if (broken) {
            return;
        }
        try {
            if (probe.hasRun) {
                takeBack();
                probe = new Probe();
                probe.send();
                lastQueued = 0;
                addedAt = probe.sentAt;
                computedBefore = -1;
            } else if (System.nanoTime() - probe.sentAt > HICCUP) {
                rescue(opened(), System.nanoTime(), hasMoved);
            }
        } catch (RuntimeException | LinkageError e) {
            broken = true;
            LOG.warn("Virtual threads cannot be given more carriers; code that computes without end may stop them.", e);
        }
    }

    private CarrierScheduler opened() {
        CarrierScheduler known = scheduler;
        if (known == null) {
            known = CarrierScheduler.open();
            scheduler = known;
        }
        return known;
    }

    private void rescue(CarrierScheduler carriers, long now, boolean hasMoved) {
        if (hasMoved || carriers.queued() < lastQueued || computedBefore < 0) {
            stoodStill = now;
            computedBefore = carriers.computedNanos();
        }
        long patience = before == 0 ? PATIENCE - HICCUP : PATIENCE_AGAIN;
        boolean isStuck = now - stoodStill >= patience && carriers.computedNanos() - computedBefore >= COMPUTED;
        int parallelism = carriers.parallelism();
        if ((isStuck || now - addedAt >= LONG_PATIENCE) && parallelism < MOST) {
            add(carriers, parallelism, isStuck ? Math.clamp(carriers.mounted(), 1, parallelism) : 1);
            addedAt = now;
            stoodStill = now;
            computedBefore = carriers.computedNanos();
        }
        if (before > 0 && carriers.mounted() < carriers.parallelism()) {
            wakeCarriers();
        }
        lastQueued = carriers.queued();
    }

    private void add(CarrierScheduler carriers, int parallelism, int more) {
        if (before == 0 || parallelism != after) {
            before = parallelism;
        }
        after = Math.min(parallelism + more, MOST);
        carriers.parallelism(after);
        watchFrom(System.nanoTime());
        LOG.debug("The carriers of virtual threads were raised from {} to {}.", parallelism, after);
    }

    /**
     * Start virtual threads until one has run. The pool wakes or makes a carrier when a thread is put into a queue that
     * looks empty or is full, and the queues of a pool that is stuck are neither.
     */
    private void wakeCarriers() {
        for (int i = 0; i < PROBES_AT_ONCE && !probe.hasRun; i++) {
            probe.send();
        }
    }

    /**
     * A thread that stays mounted for several checks is stuck; the other additional carriers are free.
     */
    private void takeBack() {
        CarrierScheduler carriers = scheduler;
        if (before == 0 || carriers == null) {
            return;
        }
        leastMounted = Math.min(leastMounted, carriers.mounted());
        long now = System.nanoTime();
        if (now - watchedSince >= FREE) {
            report();
            shrinkTo(carriers, before + leastMounted);
            watchFrom(now);
        }
    }

    private void report() {
        if (!reported && leastMounted >= before && leastMounted < after) {
            reported = true;
            LOG.warn(
                    "Virtual threads waited for a carrier, and {} carriers were held for a second, by code that computes"
                            + " without a pause or by much work; there were {} carriers, and there are {} now. A thread dump"
                            + " shows that code; let it check for interrupts.",
                    leastMounted,
                    before,
                    after);
        }
    }

    private void watchFrom(long now) {
        watchedSince = now;
        leastMounted = MOST;
    }

    private void shrinkTo(CarrierScheduler carriers, int needed) {
        if (carriers.parallelism() != after) {
            before = 0; // something else has set it
            reported = false;
        } else if (needed < after) {
            carriers.parallelism(needed);
            after = needed;
            if (needed == before) {
                before = 0;
                reported = false;
            }
        }
    }

    /** Take back free carriers at once, because the watch has ended. */
    synchronized void end() {
        CarrierScheduler carriers = scheduler;
        if (before > 0 && carriers != null) {
            shrinkTo(carriers, before + carriers.mounted());
        }
    }
}
