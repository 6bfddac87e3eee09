package dev.chargehand.internal.event;

import dev.chargehand.event.EventId;
import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunInfo;
import dev.chargehand.spi.TimeSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where a root run and all its descendants put their events, in one order for all listeners.
 *
 * <p>A subscriber that is behind by {@link #CAPACITY} events makes the run wait; one that does not take anything for
 * its limit is given up, each in its own way. The events of parallel runs are in the order of their tree: an event waits
 * here for those before it, and no run waits for another one. After {@link #release} no thread waits any more: deltas
 * that find a full queue are dropped, everything else is kept.
 */
public final class EventSink implements EventTarget {

    /** How many events a subscriber may be behind. */
    public static final int CAPACITY = 256;

    private final TimeSource time;
    private final RunId root;
    private final boolean network;
    private final String tenantId;
    final ReentrantLock lock = new ReentrantLock();
    private final Condition roomOrReleased = lock.newCondition();
    private final List<Subscription> subscriptions = new ArrayList<>(1);
    private final List<LiveFeed> feeds = new ArrayList<>(0);
    private final Map<RunEvents, Integer> inSteps = LinkedHashMap.newLinkedHashMap(2);
    private final TreeOrder<RunEvent> order = new TreeOrder<>(this::hand);
    private volatile boolean watched;
    private @Nullable EventId last;

    /** The position that the last event follows. */
    private long lastPosition;

    /** Whether the last event says that the root run waits, or has left this process. */
    private boolean atRest;

    /** The origin of the last delta that was emitted together with others; null outside. */
    private @Nullable Origin sameOrigin;

    /** Whether what is put wakes no reader. */
    private boolean quiet;

    /** Whether something was put that woke no reader. */
    private volatile boolean unread;

    private boolean released;
    private boolean ended;

    /**
     * Make a sink without subscribers for a root run, whose end is its last event.
     *
     * @param network whether it is a network
     * @param tenantId the tenant that it belongs to
     */
    public EventSink(TimeSource time, RunId root, boolean network, String tenantId) {
        this.tenantId = tenantId;
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
            watched = true;
            return subscription;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean hasReaders() {
        return watched;
    }

    /** Put an event, waiting while a subscriber is too far behind. */
    @Override
    public void emit(RunEvents by, int step, @Nullable Slot slot, int index, Function<Origin, RunEvent> event) {
        lock.lock();
        try {
            awaitRoom();
            if (!ended) {
                order.put(by.position(), event.apply(origin(by, step, slot, index)));
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void emitOfStep(RunEvents by, int step, Function<Origin, RunEvent> event) {
        lock.lock();
        try {
            emitOfStep(by, step, event, open -> open.add(event));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void emitDelta(RunEvents by, int step, String id, String more, BiFunction<Origin, String, RunEvent> delta) {
        lock.lock();
        try {
            emitOfStep(by, step, origin -> delta.apply(origin, more), open -> open.add(id, more, delta));
        } finally {
            lock.unlock();
        }
    }

    /** What is kept and what the readers of now get is one step: a reader that joins gets it once. */
    private void emitOfStep(RunEvents by, int step, Function<Origin, RunEvent> event, Consumer<OpenStep> kept) {
        if (watched) {
            awaitRoom();
        }
        if (by.open().isEmpty()) {
            inSteps.put(by, step);
        }
        kept.accept(by.open());
        if (watched && !ended) {
            order.put(by.position(), event.apply(originOfStep(by, step)));
        }
    }

    @Override
    public void emitQuietly(Runnable action) {
        lock.lock();
        boolean before = quiet;
        try {
            quiet = true;
            action.run();
        } finally {
            quiet = before;
            sameOrigin = null;
            lock.unlock();
        }
    }

    @Override
    public void wakeReaders() {
        if (unread) {
            lock.lock();
            try {
                signalReaders();
            } finally {
                lock.unlock();
            }
        }
    }

    private void signalReaders() {
        unread = false;
        for (Subscription subscription : subscriptions) {
            subscription.signal();
        }
        for (LiveFeed feed : feeds) {
            feed.signal();
        }
    }

    @Override
    public void forgetStep(RunEvents by) {
        lock.lock();
        try {
            by.open().clear();
            inSteps.remove(by);
        } finally {
            lock.unlock();
        }
    }

    /** Events of one step that are emitted together have one origin, and one time. */
    private Origin originOfStep(RunEvents by, int step) {
        if (lock.getHoldCount() == 1) {
            return origin(by, step, null, 0);
        }
        Origin same = sameOrigin;
        if (same == null || same.step() != step || !same.runId().equals(by.runId())) {
            same = origin(by, step, null, 0);
            sameOrigin = same;
        }
        return same;
    }

    private Origin origin(RunEvents by, int step, @Nullable Slot slot, int index) {
        Optional<EventId> id =
                slot == null || by.fact() == 0 ? Optional.empty() : Optional.of(slot.of(by.fact(), index));
        return new Origin(id, by.runId(), by.path(), step, id.isEmpty() ? time.now() : by.at(), network, tenantId);
    }

    @Override
    public void passed(long position) {
        lock.lock();
        try {
            order.pass(position);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Add a reader that never makes the run wait, at any time. It receives what was emitted of the open steps, with their
     * texts so far, and all events of the facts that are stored from now on.
     *
     * @param epoch the epoch of the root run in which the tree is executed
     * @param forgotten whether the store forgets the tree when it ends
     * @return nothing if no event follows
     */
    public Optional<LiveFeed> join(long epoch, boolean forgotten) {
        lock.lock();
        try {
            if (ended) {
                return Optional.empty();
            }
            LiveFeed feed = new LiveFeed(this, epoch, forgotten);
            inSteps.forEach((by, step) -> putOpenStep(feed, by, step));
            feeds.add(feed);
            watched = true;
            return Optional.of(feed);
        } finally {
            lock.unlock();
        }
    }

    /** A step that has to wait for its turn is received by its reader from the answer on. */
    private void putOpenStep(LiveFeed feed, RunEvents by, int step) {
        if (order.isEmitting(by.position())) {
            by.open().again(origin(by, step, null, 0)).forEach(event -> feed.put(event, by.position()));
        }
    }

    boolean hasStarted() {
        lock.lock();
        try {
            return order.hasStarted();
        } finally {
            lock.unlock();
        }
    }

    void leave(LiveFeed feed) {
        feeds.remove(feed);
        watched = !subscriptions.isEmpty() || !feeds.isEmpty();
    }

    /** Emit all that waits for its turn, and return the last event with an id: another process continues the tree. */
    public Optional<EventId> settled() {
        lock.lock();
        try {
            order.flush();
            return Optional.ofNullable(last);
        } finally {
            lock.unlock();
        }
    }

    /** Put an event of another process in its order, waiting while a subscriber is too far behind. */
    public void put(long after, RunEvent event) {
        lock.lock();
        try {
            awaitRoom();
            hand(after, event);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Put a provisional event of the root run at once, and wait for no subscriber: it is about one of them. It is lost
     * if the run is over, or waits.
     */
    void report(RunInfo run, Function<Origin, RunEvent> event) {
        lock.lock();
        try {
            if (!ended && !atRest) {
                Origin origin = new Origin(Optional.empty(), root, run.path(), 0, time.now(), network, tenantId);
                hand(lastPosition, event.apply(origin));
            }
        } finally {
            lock.unlock();
        }
    }

    private void hand(long after, RunEvent event) {
        if (!ended) {
            lastPosition = after;
            atRest = (event instanceof RunEvent.RunSuspend || event instanceof RunEvent.RunReleased)
                    && event.runId().equals(root);
            last = event.origin().id().orElse(last);
            feeds.forEach(feed -> feed.put(event, after));
            subscriptions.forEach(subscription -> subscription.put(event));
            if (event instanceof RunEvent.RunFinish && event.runId().equals(root)) {
                finish();
            } else if (quiet) {
                unread = true;
            } else {
                signalReaders();
            }
        }
    }

    private void awaitRoom() {
        for (Subscription slow = full(); slow != null && !released; slow = full()) {
            boolean wasQuiet = quiet;
            sameOrigin = null; // other threads emit while this one waits
            quiet = false;
            signalReaders();
            TimeSource.Alarm alarm = slow.watch(time);
            try {
                roomOrReleased.awaitUninterruptibly();
            } finally {
                alarm.cancel();
                quiet = wasQuiet;
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
            order.flush();
            finish();
        } finally {
            lock.unlock();
        }
    }

    private void finish() {
        ended = true;
        released = true;
        roomOrReleased.signalAll();
        signalReaders();
    }

    boolean isEnded() {
        return ended;
    }

    /** Let the threads that wait for room look whether there is some. */
    void lookForRoom() {
        lock.lock();
        try {
            roomMade();
        } finally {
            lock.unlock();
        }
    }

    void roomMade() {
        roomOrReleased.signalAll();
    }
}
