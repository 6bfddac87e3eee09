package dev.chargehand.internal.thread;

import java.util.concurrent.atomic.AtomicBoolean;

/** Virtual threads, while a watch provides carriers for all of them. */
final class WatchedThreads implements ForeignThreads {

    private final RunWaits waits = new RunWaits();
    private final CarrierWatch watch;
    private final AtomicBoolean closed = new AtomicBoolean();

    private WatchedThreads(CarrierWatch watch) {
        this.watch = watch;
    }

    static WatchedThreads open(CarrierWatch watch) {
        watch.open();
        return new WatchedThreads(watch);
    }

    @Override
    public RunWaits waits() {
        return waits;
    }

    @Override
    public void start(String name, Runnable work) {
        Thread.ofVirtual().name(name).start(work);
    }

    @Override
    public void enter() {
        watch.enter();
    }

    @Override
    public void leave() {
        watch.leave();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            watch.close();
        }
    }
}
