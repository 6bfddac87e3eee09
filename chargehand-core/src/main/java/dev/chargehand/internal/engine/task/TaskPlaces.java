package dev.chargehand.internal.engine.task;

import dev.chargehand.background.BackgroundLimits;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.run.RunId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The background tasks that a runtime executes, or has stored to execute, and how many that may be. Thread-safe. */
public final class TaskPlaces {

    private final BackgroundLimits limits;
    private final boolean claims;

    /** The tasks that hold a place, and those that wait for one, with what works on them. */
    private final Map<RunId, String> held = new HashMap<>();

    private final Map<RunId, String> waiting = new HashMap<>();

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

    /** Let a task wait for a place if one is free for it; returns whether it does. */
    public synchronized boolean tryReserve(RunId runId, String agentId) {
        return waiting.containsKey(runId) || (hasRoom(agentId, Set.of()) && reserve(runId, agentId));
    }

    private boolean reserve(RunId runId, String agentId) {
        waiting.put(runId, agentId);
        return true;
    }

    /** Note that a task is stored. */
    public void dispatched(RunId runId, RunDefinition definition, OptionValues options) {
        if (claims) {
            listener.stored(runId, definition, options);
        }
    }

    /** Take a place for a task; returns false if none is free. */
    public synchronized boolean tryEnter(RunId runId, String agentId) {
        if (!hasRoom(agentId, waiting.keySet())) {
            return false;
        }
        waiting.remove(runId);
        held.put(runId, agentId);
        return true;
    }

    /** Give the place of a task back. */
    public synchronized void leave(RunId runId) {
        held.remove(runId);
        waiting.remove(runId);
    }

    private boolean hasRoom(String agentId, Set<RunId> without) {
        Set<RunId> all = new HashSet<>(held.keySet());
        all.addAll(waiting.keySet());
        all.removeAll(without);
        long same = all.stream()
                .filter(run -> agentId.equals(held.getOrDefault(run, waiting.get(run))))
                .count();
        return all.size() < limits.concurrency() && same < limits.perAgent();
    }
}
