package dev.chargehand.server.internal.api;

import dev.chargehand.RunHandle;
import dev.chargehand.server.ServerLimit;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** Counts the runs that the server has started and that are executed: all of them, and those of each tenant. Thread-safe. */
final class Slots {

    private final ServerState state;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Integer> ofTenants = new HashMap<>();
    private int all;

    Slots(ServerState state) {
        this.state = state;
    }

    /** Take a slot for a run of a tenant; return whether there was one. */
    boolean take(String tenantId) {
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

    /** Give a slot back. */
    void free(String tenantId) {
        lock.lock();
        try {
            all--;
            ofTenants.merge(tenantId, -1, (count, change) -> count + change == 0 ? null : count + change);
        } finally {
            lock.unlock();
        }
    }

    /** Give a slot back when a run has ended, or waits. */
    void freeAfter(RunHandle run, String tenantId) {
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
