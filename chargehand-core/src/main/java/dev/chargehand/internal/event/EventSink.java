package dev.chargehand.internal.event;

import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.spi.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where a root run and all its descendants put their events, in one order for all listeners.
 *
 * <p>A subscriber that is behind by {@link #CAPACITY} events makes the run wait; one that does not take anything for
 * its limit is given up, each in its own way. After {@link #release} no thread waits any more: deltas that find a full
 * queue are dropped, everything else is kept.
 */
public final class EventSink implements EventTarget {

    /** How many events a subscriber may be behind. */
    public static final int CAPACITY = 256;

    private final TimeSource time;
    private final RunId root;
    private final boolean network;
    final ReentrantLock lock = new ReentrantLock();
    private final Condition roomOrReleased = lock.newCondition();
    private final List<Subscription> subscriptions = new ArrayList<>();
    private long lastId;
    private boolean released;
    private boolean ended;

    /** Make a sink without subscribers for a root run, whose end is its last event, and which may be a network. */
    public EventSink(TimeSource time, RunId root, boolean network) {
        this.network = network;
        this.time = time;
        this.root = root;
    }

    /** Add a receiver of events; before the run starts. */
    public Subscription subscribe(Subscription.Stall stall) {
        lock.lock();
        try {
            Subscription subscription = new Subscription(this, stall);
            subscriptions.add(subscription);
            return subscription;
        } finally {
            lock.unlock();
        }
    }

    /** Put an event, waiting while a subscriber is too far behind. */
    @Override
    public void emit(RunId runId, AgentPath path, int step, Function<Origin, RunEvent> event) {
        lock.lock();
        try {
            awaitRoom();
            if (!ended) {
                RunEvent made = event.apply(new Origin(++lastId, runId, path, step, time.now(), network));
                subscriptions.forEach(subscription -> subscription.put(made));
                if (made instanceof RunEvent.RunFinish && runId.equals(root)) {
                    end();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void awaitRoom() {
        for (Subscription slow = full(); slow != null && !released; slow = full()) {
            TimeSource.Alarm alarm = slow.watch(time);
            try {
                roomOrReleased.awaitUninterruptibly();
            } finally {
                alarm.cancel();
            }
        }
    }

    private @Nullable Subscription full() {
        for (Subscription subscription : subscriptions) {
            if (subscription.isFull()) {
                return subscription;
            }
        }
        return null;
    }

    /** Release all threads that wait for room: the run ends. */
    public void release() {
        lock.lock();
        try {
            released = true;
            roomOrReleased.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Say that no event follows. */
    public void end() {
        lock.lock();
        try {
            ended = true;
            released = true;
            roomOrReleased.signalAll();
            subscriptions.forEach(Subscription::signal);
        } finally {
            lock.unlock();
        }
    }

    boolean isEnded() {
        return ended;
    }

    void roomMade() {
        roomOrReleased.signalAll();
    }
}
