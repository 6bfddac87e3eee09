package dev.chargehand.internal.event;

import dev.chargehand.event.RunEvent;
import dev.chargehand.spi.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;

/**
 * One taker of a sink's events, with a queue of its own.
 *
 * <p>The taker gets all queued events as one batch, so that a taker that is awake costs no lock and no wake-up for each
 * event. The events of the batch that were not taken yet count as queued.
 */
public final class Subscription implements LiveRunStream.Source {

    private final EventSink sink;
    private final Stall stall;
    private final Condition arrived;
    private final AtomicLong taken = new AtomicLong();
    private ArrayDeque<RunEvent> queue = new ArrayDeque<>(1);

    /** The events that the taker has; used by the taker only. */
    private ArrayDeque<RunEvent> batch = new ArrayDeque<>(1);

    /** How many events were queued, of which as many were taken as {@code taken} says. */
    private long queued;

    private volatile boolean discarding;

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

    @Override
    public Optional<RunEvent> take() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (batch.isEmpty()) {
            nextBatch();
        }
        RunEvent event = batch.poll();
        if (event == null || discarding) {
            return Optional.empty();
        }
        taken.setRelease(taken.getPlain() + 1);
        if (batch.size() == EventSink.CAPACITY / 2) {
            sink.lookForRoom(); // a run that waits need not wait until all of so many are taken
        }
        return Optional.of(event);
    }

    private void nextBatch() throws InterruptedException {
        sink.lock.lockInterruptibly();
        try {
            sink.roomMade();
            while (queue.isEmpty() && !sink.isEnded() && !discarding) {
                arrived.await();
            }
            ArrayDeque<RunEvent> empty = batch;
            batch = queue;
            queue = empty;
        } finally {
            sink.lock.unlock();
        }
    }

    @Override
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
            queued++;
        }
    }

    boolean isFull() {
        return !discarding && queued - taken.get() >= EventSink.CAPACITY;
    }

    void signal() {
        arrived.signalAll();
    }

    /** Give the taker up if it has taken nothing when its limit is over; if it has, let the run look again. */
    TimeSource.Alarm watch(TimeSource time) {
        long seen = taken.get();
        return time.schedule(stall.limit(), () -> {
            if (taken.get() == seen) {
                stall.action().run();
            } else {
                sink.lookForRoom();
            }
        });
    }
}
