package dev.chargehand.internal.event;

import dev.chargehand.event.RunEvent;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.thread.ForeignThreads;
import java.util.Iterator;
import java.util.concurrent.Flow;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/** Hands events to one subscriber as it asks for them, on a thread of its own. */
final class EventPublisher implements Flow.Publisher<RunEvent> {

    private static final Log LOG = Log.of(EventPublisher.class);

    private final ForeignThreads threads;
    private final Iterator<RunEvent> events;
    private final Runnable cancel;
    private final AtomicBoolean taken = new AtomicBoolean();

    EventPublisher(ForeignThreads threads, Iterator<RunEvent> events, Runnable cancel) {
        this.threads = threads;
        this.events = events;
        this.cancel = cancel;
    }

    /** Return whether a reader consumes the events, on a thread of its own. */
    boolean isSubscribed() {
        return taken.get();
    }

    @Override
    public void subscribe(Flow.Subscriber<? super RunEvent> subscriber) {
        if (!taken.compareAndSet(false, true)) {
            subscriber.onSubscribe(new Flow.Subscription() {
                @Override
                public void request(long n) {}

                @Override
                public void cancel() {}
            });
            subscriber.onError(new IllegalStateException("The stream of a run has one subscriber."));
            return;
        }
        Demand demand = new Demand();
        threads.start("publisher", () -> handOver(subscriber, demand));
    }

    @SuppressWarnings("CatchingUnchecked") // whatever a subscriber throws, its run must not wait for it
    private void handOver(Flow.Subscriber<? super RunEvent> subscriber, Demand demand) {
        try {
            publish(subscriber, demand);
        } catch (Throwable t) {
            demand.cancel();
            LOG.warn("A subscriber threw; its subscription is cancelled.", t);
        }
    }

    private void publish(Flow.Subscriber<? super RunEvent> subscriber, Demand demand) {
        subscriber.onSubscribe(demand);
        while (events.hasNext() && demand.take()) {
            subscriber.onNext(events.next());
        }
        if (demand.isInvalid()) {
            subscriber.onError(new IllegalArgumentException("A subscriber must request more than zero events."));
        } else if (!demand.isCancelled()) {
            subscriber.onComplete();
        }
    }

    /** How many events the subscriber has asked for. */
    private final class Demand implements Flow.Subscription {

        private final Semaphore permits = new Semaphore(0);
        private volatile boolean cancelled;
        private volatile boolean invalid;

        @Override
        public void request(long n) {
            if (n <= 0) {
                invalid = true;
                cancel();
            } else {
                permits.release((int) Math.min(n, Integer.MAX_VALUE - permits.availablePermits()));
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
            cancel.run();
            permits.release();
        }

        private boolean take() {
            permits.acquireUninterruptibly();
            return !cancelled;
        }

        private boolean isCancelled() {
            return cancelled;
        }

        private boolean isInvalid() {
            return invalid;
        }
    }
}
