package dev.chargehand.internal.engine.idle;

import dev.chargehand.event.BackgroundTaskEvent;
import dev.chargehand.event.EventId;
import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.engine.watch.HandOver;
import dev.chargehand.run.RunId;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The events of an until-idle call that have arrived and were not read: those of its turn, which waits for the reader, and those of its
 * tasks, which do not. An event may come from this process and from the store; it is given once. Thread-safe.
 */
final class IdleArrivals {

    private final HandOver<RunEvent> events = new HandOver<>(1);

    /** Held while an event of a task is passed on, so that those of its two sources stay in their order. */
    private final ReentrantLock order = new ReentrantLock();

    /** The last event of each run that has arrived; its events arrive in their order from each source. */
    private final Map<RunId, EventId> last = new HashMap<>();

    /** The runs whose last event that was read from the store had arrived before. */
    private final Set<RunId> repeated = new HashSet<>();

    private final Set<RunId> ended = new HashSet<>();

    /**
     * Put an event of the turn, unless it has arrived already, waiting until the one before is taken; returns false if nothing is taken
     * any more. A turn that slept here and continues in another process is read from its start.
     */
    boolean putOfTurn(RunEvent event) {
        return isRepeated(event) || events.put(event);
    }

    private boolean isRepeated(RunEvent event) {
        order.lock();
        try {
            return !isNewInOrder(event);
        } finally {
            order.unlock();
        }
    }

    /** Put an event of a task that this process executes, unless it has arrived already or says nothing about how the task stands. */
    void putOfTask(RunEvent event) {
        order.lock();
        try {
            put(event, isNew(event));
        } finally {
            order.unlock();
        }
    }

    /** Put the next event of a task as the store has it. */
    void putStored(RunEvent event) {
        order.lock();
        try {
            put(event, isNewInOrder(event));
        } finally {
            order.unlock();
        }
    }

    /** Return whether the next event of a run is new; one without an id has arrived if the one before it has. */
    private boolean isNewInOrder(RunEvent event) {
        boolean hasId = event.origin().id().isPresent();
        boolean isNew = hasId ? isNew(event) : !repeated.contains(event.runId());
        if (isNew) {
            repeated.remove(event.runId());
        } else {
            repeated.add(event.runId());
        }
        return isNew;
    }

    private void put(RunEvent event, boolean isNew) {
        if (event instanceof BackgroundTaskEvent && isNew) {
            noteEnd(event);
            events.add(event);
        }
    }

    private boolean isNew(RunEvent event) {
        EventId id = event.origin().id().orElse(null);
        EventId before = last.get(event.runId());
        if (id == null || before == null || id.compareTo(before) > 0) {
            if (id != null) {
                last.put(event.runId(), id);
            }
            return true;
        }
        return false;
    }

    /** Put an event of a task that comes from one source. */
    void add(RunEvent event) {
        events.add(event);
    }

    /** Return whether an event of a task can be taken. */
    boolean hasOfTask() {
        return events.hasAdded();
    }

    private void noteEnd(RunEvent event) {
        if (event instanceof BackgroundTaskEvent.BackgroundTaskCompleted
                || event instanceof BackgroundTaskEvent.BackgroundTaskFailed
                || event instanceof BackgroundTaskEvent.BackgroundTaskCancelled) {
            ended.add(event.runId());
        }
    }

    /** Return whether the last event of the run of a task has arrived. */
    boolean hasEnd(RunId task) {
        order.lock();
        try {
            return ended.contains(task);
        } finally {
            order.unlock();
        }
    }

    /** Take the next event; null if none has arrived. */
    @Nullable
    RunEvent poll() {
        return events.poll();
    }

    /** Return whether an event can be taken. */
    boolean hasEvents() {
        return !events.isEmpty();
    }

    /** Have the reader look at what is not an event. */
    void wake() {
        events.wake();
    }

    /** Wait until something arrives; returns false if nothing did. */
    boolean await(Duration most) throws InterruptedException {
        return events.await(most);
    }

    /** Give nothing more: threads that wait are woken. */
    void close() {
        events.close();
    }
}
