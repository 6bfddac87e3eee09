package dev.chargehand.internal.thread;

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of runs. Many runs are executed on virtual threads, which cost little to keep; a few on kept platform
 * threads if they mostly wait for sockets, which cost less to wake: one that waits for a model is woken by the operating
 * system alone, without a poller and a carrier.
 *
 * <p>A run gets the context class loader of the thread that starts it, and none of its thread-locals, on both kinds.
 * Thread-safe.
 */
public final class RunThreads implements AutoCloseable {

    /** How many runs are few: one, and one that has reported its end while its thread is not free again. */
    private static final int FEW = 2;

    /** How many runs must have started one after the other, among few, before the next gets a kept thread. */
    private static final int CALM = 4;

    private static final long SECONDS_IDLE = 10;

    private final RunWaits waits;
    private final AtomicInteger executed = new AtomicInteger();

    /** How many runs in a row started among few; runs that start at the same moment may be counted as one. */
    private volatile int calm = CALM;

    private final ThreadPoolExecutor kept = new ThreadPoolExecutor(
            0,
            FEW,
            SECONDS_IDLE,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            Thread.ofPlatform()
                    .daemon()
                    .inheritInheritableThreadLocals(false)
                    .name("chargehand-run")
                    .factory(),
            (run, pool) -> startVirtual(run)); // its threads are not free, or it is closed

    /** Make the threads of runs, which wait for what is counted. */
    public RunThreads(RunWaits waits) {
        this.waits = waits;
    }

    /** Execute a run. */
    public void start(String name, Runnable run) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        Runnable counted = () -> {
            Thread thread = Thread.currentThread();
            String own = thread.getName();
            thread.setName(name);
            thread.setContextClassLoader(loader);
            try {
                run.run();
            } finally {
                executed.decrementAndGet();
                thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
                thread.setName(own);
            }
        };
        boolean few = executed.getAndIncrement() < FEW;
        int before = calm;
        calm = few ? Math.min(CALM, before + 1) : 0;
        if (few && before == CALM && waits.areMostlySockets()) {
            kept.execute(counted);
        } else {
            startVirtual(counted);
        }
    }

    private static void startVirtual(Runnable run) {
        Thread.ofVirtual().inheritInheritableThreadLocals(false).start(run);
    }

    /** Keep no thread any more; runs that are being executed continue. */
    @Override
    public void close() {
        kept.shutdown();
    }
}
