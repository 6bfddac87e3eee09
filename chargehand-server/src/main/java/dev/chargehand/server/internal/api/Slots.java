package dev.chargehand.server.internal.api;

import dev.chargehand.RunHandle;
import dev.chargehand.server.ServerLimit;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Counts the runs that the server has started and that are executed: all of them, and those of each tenant. Thread-safe. */
public final class Slots {

    private final ServerState state;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Integer> ofTenants = new HashMap<>();
    private int all;

    Slots(ServerState state) {
        this.state = state;
    }

    /**
     * Start a run if there is a slot for it, and store it for later otherwise.
     *
     * @param start starts it here
     * @param submit stores it
     */
    public RunHandle start(String tenantId, Supplier<RunHandle> start, Supplier<RunHandle> submit) {
        if (!take(tenantId)) {
            return submit.get();
        }
        try {
            RunHandle run = start.get();
            freeAfter(run, tenantId);
            return run;
        } catch (RuntimeException e) {
            free(tenantId);
            throw e;
        }
    }

    private boolean take(String tenantId) {
        lock.lock();
        try {
            int ofTenant = ofTenants.getOrDefault(tenantId, 0);
            boolean free = all < state.limit(ServerLimit.RUNS) && ofTenant < state.limit(ServerLimit.RUNS_OF_TENANT);
            if (free) {
                all++;
                ofTenants.put(tenantId, ofTenant + 1);
            }
            return free;
        } finally {
            lock.unlock();
        }
    }

    private void free(String tenantId) {
        lock.lock();
        try {
            all--;
            ofTenants.merge(tenantId, -1, (count, change) -> count + change == 0 ? null : count + change);
        } finally {
            lock.unlock();
        }
    }

    /** Give a slot back when a run has ended, or waits. */
    private void freeAfter(RunHandle run, String tenantId) {
        Thread.ofVirtual().name("chargehand-server-slot").start(() -> {
            try {
                run.result();
            } catch (RuntimeException e) {
                // how the run ended is in its record
            } finally {
                free(tenantId);
            }
        });
    }
}
