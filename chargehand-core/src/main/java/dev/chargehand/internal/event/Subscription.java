package dev.chargehand.internal.event;

import dev.chargehand.event.RunEvent;
import dev.chargehand.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;

/** One taker of a sink's events, with a queue of its own. */
public final class Subscription {

    private final EventSink sink;
    private final Stall stall;
    private final Condition arrived;
    private final ArrayDeque<RunEvent> queue = new ArrayDeque<>();
    private long taken;
    private boolean discarding;

    /**
     * What happens when nothing is taken while the run waits.
     *
     * @param limit how long the run waits
     * @param action gives the taker up; must not block
     */
    public record Stall(Duration limit, Runnable action) {}

    Subscription(EventSink sink, Stall stall) {
        this.sink = sink;
        this.stall = stall;
        this.arrived = sink.lock.newCondition();
    }

    /**
     * Take the next event, waiting for it.
     *
     * @return nothing once the run has ended and everything was taken, or events are discarded
     * @throws InterruptedException if the thread was interrupted while it waited
     */
    public Optional<RunEvent> take() throws InterruptedException {
        sink.lock.lockInterruptibly();
        try {
            while (queue.isEmpty() && !sink.isEnded() && !discarding) {
                arrived.await();
            }
            RunEvent event = queue.poll();
            taken++;
            sink.roomMade();
            return Optional.ofNullable(event);
        } finally {
            sink.lock.unlock();
        }
    }

    /** Discard the queued and all later events. */
    public void discard() {
        sink.lock.lock();
        try {
            discarding = true;
            queue.clear();
            sink.roomMade();
            signal();
        } finally {
            sink.lock.unlock();
        }
    }

    void put(RunEvent event) {
        boolean droppable = event instanceof RunEvent.TextDelta
                || event instanceof RunEvent.ReasoningDelta
                || event instanceof RunEvent.ToolCallDelta;
        if (!discarding && !(droppable && isFull())) {
            queue.add(event);
            arrived.signal();
        }
    }

    boolean isFull() {
        return queue.size() >= EventSink.CAPACITY;
    }

    void signal() {
        arrived.signalAll();
    }

    /** Give the taker up if it has taken nothing when its limit is over. */
    TimeSource.Alarm watch(TimeSource time) {
        long seen = taken;
        return time.schedule(stall.limit(), () -> {
            if (isStalledSince(seen)) {
                stall.action().run();
            }
        });
    }

    private boolean isStalledSince(long seen) {
        sink.lock.lock();
        try {
            return taken == seen;
        } finally {
            sink.lock.unlock();
        }
    }
}
