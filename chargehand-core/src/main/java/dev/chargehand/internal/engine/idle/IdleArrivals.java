package dev.chargehand.internal.engine.idle;

import dev.chargehand.event.BackgroundTaskEvent;
import dev.chargehand.event.EventId;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The events of an until-idle call that have arrived and were not read: those of its turn, which waits for the reader, and those of its
 * tasks, which do not. An event of a task may come from this process and from the store; it is given once. Thread-safe.
 */
final class IdleArrivals {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition arrived = lock.newCondition();
    private final Condition taken = lock.newCondition();
    private final ArrayDeque<RunEvent> ofTurn = new ArrayDeque<>(1);
    private final ArrayDeque<RunEvent> ofTasks = new ArrayDeque<>();

    /** The last event of each task that has arrived; its events arrive in their order from each source. */
    private final Map<RunId, EventId> last = new HashMap<>();

    /** The tasks whose last event that was read from the store had arrived before. */
    private final Set<RunId> repeated = new HashSet<>();

    private final Set<RunId> ended = new HashSet<>();
    private boolean woken;
    private boolean closed;

    /** Put an event of the turn, waiting until the one before is taken; returns false if nothing is taken any more. */
    boolean putOfTurn(RunEvent event) {
        lock.lock();
        try {
            while (!ofTurn.isEmpty() && !closed) {
                taken.awaitUninterruptibly();
            }
            if (!closed) {
                ofTurn.add(event);
                arrived.signal();
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Put an event of a task that this process executes, unless it has arrived already or says nothing about how the task stands. */
    void putOfTask(RunEvent event) {
        lock.lock();
        try {
            put(event, isNew(event));
        } finally {
            lock.unlock();
        }
    }

    /** Put the next event of a task as the store has it; one without an id has arrived if the one before it has. */
    void putStored(RunEvent event) {
        lock.lock();
        try {
            boolean hasId = event.origin().id().isPresent();
            boolean isNew = hasId ? isNew(event) : !repeated.contains(event.runId());
            if (isNew) {
                repeated.remove(event.runId());
            } else {
                repeated.add(event.runId());
            }
            put(event, isNew);
        } finally {
            lock.unlock();
        }
    }

    private void put(RunEvent event, boolean isNew) {
        if (event instanceof BackgroundTaskEvent && isNew && !closed) {
            noteEnd(event);
            ofTasks.add(event);
            arrived.signal();
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

    private void noteEnd(RunEvent event) {
        if (event instanceof BackgroundTaskEvent.BackgroundTaskCompleted
                || event instanceof BackgroundTaskEvent.BackgroundTaskFailed
                || event instanceof BackgroundTaskEvent.BackgroundTaskCancelled) {
            ended.add(event.runId());
        }
    }

    /** Return whether the last event of the run of a task has arrived. */
    boolean hasEnd(RunId task) {
        lock.lock();
        try {
            return ended.contains(task);
        } finally {
            lock.unlock();
        }
    }

    /** Take the next event, those of tasks first; null if none has arrived. */
    @Nullable
    RunEvent poll() {
        lock.lock();
        try {
            RunEvent event = ofTasks.poll();
            if (event == null) {
                event = ofTurn.poll();
                taken.signal();
            }
            return event;
        } finally {
            lock.unlock();
        }
    }

    /** Return whether an event can be taken. */
    boolean hasEvents() {
        lock.lock();
        try {
            return !ofTasks.isEmpty() || !ofTurn.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Have the reader look at what is not an event. */
    void wake() {
        lock.lock();
        try {
            woken = true;
            arrived.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Wait until something arrives; returns false if nothing did. */
    boolean await(Duration most) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = most.toNanos();
            while (ofTurn.isEmpty() && ofTasks.isEmpty() && !woken && !closed && left > 0) {
                left = arrived.awaitNanos(left);
            }
            woken = false;
            return left > 0;
        } finally {
            lock.unlock();
        }
    }

    /** Give nothing more: threads that wait are woken. */
    void close() {
        lock.lock();
        try {
            closed = true;
            ofTurn.clear();
            ofTasks.clear();
            arrived.signalAll();
            taken.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
