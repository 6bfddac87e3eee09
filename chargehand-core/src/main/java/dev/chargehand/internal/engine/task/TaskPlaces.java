package dev.chargehand.internal.engine.task;

import dev.chargehand.background.BackgroundLimits;
import dev.chargehand.internal.definition.RunDefinition;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.run.RunId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The background tasks that a runtime executes, and how many that may be. Thread-safe. */
public final class TaskPlaces {

    private final BackgroundLimits limits;
    private final boolean claims;

    /** The tasks that are executed, by what works on them. */
    private final Map<RunId, String> held = new HashMap<>();

    /** The tasks that are to be executed as soon as they have a place, in the order in which they get one. */
    private final Map<RunId, Waiting> waiting = new LinkedHashMap<>();

    /** The tasks that this process tries to execute, in a place or after a pause. */
    private final Set<RunId> tried = new HashSet<>();

    /** The tasks that are about to be stored. */
    private final Map<RunId, String> reserved = new HashMap<>();

    private final IdleCalls idleCalls = new IdleCalls();

    private volatile @Nullable Dispatched listener;

    private record Waiting(String agentId, Runnable entered) {}

    /** Receives what was stored for this process to execute. */
    public interface Dispatched {

        /** Keep what a stored task needs. */
        void stored(RunId runId, RunDefinition definition, OptionValues options);

        /** Look whether the next turn of an until-idle call waits. */
        void turnMayWait(String tenantId, RunId first);
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

    /** Return the until-idle calls that are open here. */
    public IdleCalls idleCalls() {
        return idleCalls;
    }

    /** Have a stored task executed here, if the runtime does that. */
    public void dispatched(RunId runId, RunDefinition definition, OptionValues options) {
        Dispatched receiver = listener;
        if (claims && receiver != null) {
            receiver.stored(runId, definition, options);
        }
    }

    /** Note that a turn or a task of an until-idle call has ended here, so that its next turn may wait in the store. */
    public void turnMayWait(String tenantId, RunId first) {
        Dispatched receiver = listener;
        if (receiver != null) {
            receiver.turnMayWait(tenantId, first);
        }
    }

    /** Take a place for a task; returns false if none is free, or the task has one. */
    public synchronized boolean tryEnter(RunId runId, String agentId) {
        boolean free = !held.containsKey(runId) && hasRoom(agentId, held);
        if (free) {
            held.put(runId, agentId);
            waiting.remove(runId);
        }
        return free;
    }

    /**
     * Take a place for a task now or, if none is free, as soon as one is, before tasks that only try.
     *
     * @param entered called on a thread of its own if the task gets its place later; it gives the place back
     * @return whether the task has a place now
     */
    public synchronized boolean enterOrWait(RunId runId, String agentId, Runnable entered) {
        boolean free = tryEnter(runId, agentId);
        if (!free) {
            waiting.put(runId, new Waiting(agentId, entered));
        }
        return free;
    }

    /** Note whether this process tries to execute a task until it has ended or is executed elsewhere. */
    public synchronized void tries(RunId runId, boolean tries) {
        if (tries) {
            tried.add(runId);
        } else {
            tried.remove(runId);
        }
    }

    /** Return whether a task has a place, gets one as soon as one is free, or is tried again after a pause. */
    public synchronized boolean has(RunId runId) {
        return held.containsKey(runId) || waiting.containsKey(runId) || tried.contains(runId);
    }

    /** Give the place of a task back. */
    public void leave(RunId runId) {
        entering(runId)
                .forEach((next, task) -> Thread.ofVirtual().name("task " + next).start(task.entered()));
    }

    /** Take a place back, and give it to those that wait; returns who has one now. */
    private synchronized Map<RunId, Waiting> entering(RunId left) {
        held.remove(left);
        Map<RunId, Waiting> entering = new LinkedHashMap<>();
        for (Map.Entry<RunId, Waiting> next : List.copyOf(waiting.entrySet())) {
            if (tryEnter(next.getKey(), next.getValue().agentId())) {
                entering.put(next.getKey(), next.getValue());
            }
        }
        return entering;
    }

    private boolean hasRoom(String agentId, Map<RunId, String> tasks) {
        long same = tasks.values().stream().filter(agentId::equals).count();
        return tasks.size() < limits.concurrency() && same < limits.perAgent();
    }
}
