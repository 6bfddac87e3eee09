package dev.chargehand.internal.event;

import dev.chargehand.event.RunEvent;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;

/**
 * What a reader takes of a live tree that never makes it wait. Deltas are merged if the reader is behind; one that is
 * far behind loses all, and reads the store instead. Of a tree that its store forgets, it loses deltas only.
 * Thread-safe.
 */
public final class LiveFeed implements AutoCloseable {

    private static final int CAPACITY = 1_024;
    private static final int MERGED_FROM = 64;
    private static final int LONGEST_MERGED = 8_192;

    private final EventSink sink;
    private final long epoch;
    private final boolean forgotten;
    private final Condition arrived;
    private final ArrayDeque<Item> queue = new ArrayDeque<>();
    private Runnable onSignal = () -> {};
    private boolean lost;
    private boolean closed;

    /**
     * An event.
     *
     * @param follows the tree position of the fact of its run that it follows, or that it reports
     */
    public record Item(RunEvent event, long follows) {}

    LiveFeed(EventSink sink, long epoch, boolean forgotten) {
        this.sink = sink;
        this.epoch = epoch;
        this.forgotten = forgotten;
        this.arrived = sink.lock.newCondition();
    }

    /** Return the epoch of the root run in which the tree is executed. */
    public long epoch() {
        return epoch;
    }

    /** Return whether a fact of the tree was reported, which is stored then. */
    public boolean hasStarted() {
        return sink.hasStarted();
    }

    /** Return whether events were lost, once. */
    public boolean takeLost() {
        sink.lock.lock();
        try {
            boolean was = lost;
            lost = false;
            return was;
        } finally {
            sink.lock.unlock();
        }
    }

    /**
     * Take the next event, waiting for it.
     *
     * @return nothing if events were lost, or if none will follow here
     */
    public Optional<Item> take() throws InterruptedException {
        sink.lock.lockInterruptibly();
        try {
            while (!isReady()) {
                arrived.await();
            }
            return lost ? Optional.empty() : Optional.ofNullable(queue.poll());
        } finally {
            sink.lock.unlock();
        }
    }

    private boolean isReady() {
        return !queue.isEmpty() || lost || closed || sink.isEnded();
    }

    /** Return whether {@link #take} does not wait now. */
    public boolean isTakenAtOnce() {
        sink.lock.lock();
        try {
            return isReady();
        } finally {
            sink.lock.unlock();
        }
    }

    /** Set what is called, by a thread of the run, when a reader that does not wait may take something; it must not block. */
    public void onSignal(Runnable call) {
        sink.lock.lock();
        try {
            onSignal = call;
        } finally {
            sink.lock.unlock();
        }
    }

    /** Take no more; a thread that waits gets nothing. */
    @Override
    public void close() {
        sink.lock.lock();
        try {
            closed = true;
            queue.clear();
            sink.leave(this);
            arrived.signalAll();
        } finally {
            sink.lock.unlock();
        }
    }

    void put(RunEvent event, long follows) {
        if (lost && !forgotten) {
            return;
        }
        if (queue.size() >= CAPACITY) {
            boolean provisional = event.origin().id().isEmpty();
            lost = !forgotten || provisional;
            if (!forgotten) {
                queue.clear();
            }
            if (lost) {
                signal();
                return;
            }
        }
        if (!isMerged(event)) {
            queue.add(new Item(event, follows));
        }
    }

    private boolean isMerged(RunEvent event) {
        if (queue.size() >= MERGED_FROM
                && event instanceof RunEvent.TextDelta more
                && queue.getLast().event() instanceof RunEvent.TextDelta last
                && last.textId().equals(more.textId())
                && last.text().length() < LONGEST_MERGED) {
            long follows = queue.removeLast().follows();
            queue.add(
                    new Item(new RunEvent.TextDelta(last.origin(), last.textId(), last.text() + more.text()), follows));
            return true;
        }
        return false;
    }

    void signal() {
        arrived.signalAll();
        onSignal.run();
    }
}
