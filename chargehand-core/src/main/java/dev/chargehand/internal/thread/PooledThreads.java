package dev.chargehand.internal.thread;

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Platform threads, which the operating system slices by time; one that is free is used again. */
public final class PooledThreads implements ForeignThreads {

    private static final long SECONDS_IDLE = 10;

    private final RunWaits waits = new RunWaits();
    private final ThreadPoolExecutor pool = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            SECONDS_IDLE,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Thread.ofPlatform().daemon().name("chargehand-foreign").factory());

    @Override
    public RunWaits waits() {
        return waits;
    }

    @Override
    public void start(String name, Runnable work) {
        pool.execute(() -> {
            Thread thread = Thread.currentThread();
            String own = thread.getName();
            thread.setName(name);
            try {
                work.run();
            } finally {
                thread.setName(own);
                Thread.interrupted(); // meant for this work, not for the next
            }
        });
    }

    @Override
    public void enter() {
        // the operating system sees to it that nothing starves
    }

    @Override
    public void leave() {
        // nothing was counted
    }

    @Override
    public void close() {
        pool.shutdown();
    }
}
