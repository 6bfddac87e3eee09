package dev.chargehand.internal.engine.task;

import dev.chargehand.background.BackgroundLimits;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.run.RunId;
import java.util.HashMap;
import java.util.Map;

/** The background tasks that a runtime executes, and how many that may be. Thread-safe. */
public final class TaskPlaces {

    private final BackgroundLimits limits;
    private final boolean claims;

    /** The tasks that are executed, by what works on them. */
    private final Map<RunId, String> held = new HashMap<>();

    /** The tasks that are about to be stored. */
    private final Map<RunId, String> reserved = new HashMap<>();

    private volatile Dispatched listener = (runId, definition, options) -> {};

    /** Receives the tasks that were stored. */
    @FunctionalInterface
    public interface Dispatched {

        /** Keep what a stored task needs that this process is to execute. */
        void stored(RunId runId, RunDefinition definition, OptionValues options);
    }

    /**
     * Make the places of a runtime.
     *
     * @param claims whether the runtime executes the tasks that it stores
     */
    public TaskPlaces(BackgroundLimits limits, boolean claims) {
        this.limits = limits;
        this.claims = claims;
    }

    /** Return how many tasks may be executed at once. */
    public BackgroundLimits limits() {
        return limits;
    }

    /** Return whether the runtime executes the tasks that it stores. */
    public boolean claims() {
        return claims;
    }

    /** Set what receives the tasks that are stored. */
    public void onDispatch(Dispatched value) {
        listener = value;
    }

    /**
     * Reserve a place for a task until it is stored; returns whether one was free.
     *
     * @param waiting the stored tasks that wait for this process
     */
    public synchronized boolean tryReserve(RunId runId, String agentId, Map<RunId, String> waiting) {
        Map<RunId, String> all = new HashMap<>(waiting);
        all.putAll(held);
        all.putAll(reserved);
        boolean free = hasRoom(agentId, all);
        if (free) {
            reserved.put(runId, agentId);
        }
        return free;
    }

    /** Note that a task is stored, or will not be. */
    public synchronized void stored(RunId runId) {
        reserved.remove(runId);
    }

    /** Have a stored task executed here, if the runtime does that. */
    public void dispatched(RunId runId, RunDefinition definition, OptionValues options) {
        if (claims) {
            listener.stored(runId, definition, options);
        }
    }

    /** Take a place for a task; returns false if none is free. */
    public synchronized boolean tryEnter(RunId runId, String agentId) {
        boolean free = hasRoom(agentId, held);
        if (free) {
            held.put(runId, agentId);
        }
        return free;
    }

    /** Give the place of a task back. */
    public synchronized void leave(RunId runId) {
        held.remove(runId);
    }

    private boolean hasRoom(String agentId, Map<RunId, String> tasks) {
        long same = tasks.values().stream().filter(agentId::equals).count();
        return tasks.size() < limits.concurrency() && same < limits.perAgent();
    }
}
