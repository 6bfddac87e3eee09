package dev.chargehand.models.internal;

import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelDelta;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The caller's side of one call, or of several in a row that have one limit together: when it is over, the connection in
 * use is closed. It takes no deltas.
 *
 * <p>Thread-safe. Close it when the calls have ended: until then a virtual thread waits for the limit.
 */
final class TimedCall implements ModelCall, AutoCloseable {

    private final long limit;
    private final long start = System.nanoTime();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ReentrantLock lock = new ReentrantLock();
    private Runnable closing = () -> {};
    private boolean isOver;

    private TimedCall(Duration limit) {
        this.limit = TimeUnit.NANOSECONDS.convert(limit);
    }

    static TimedCall start(Duration limit) {
        TimedCall call = new TimedCall(limit);
        Thread.ofVirtual().name("model-call-limit").start(call::await);
        return call;
    }

    /** Return whether the limit was over before the calls had ended. */
    boolean isOver() {
        lock.lock();
        try {
            return isOver;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void delta(ModelDelta delta) {}

    @Override
    public void onCancel(Runnable close) {
        lock.lock();
        try {
            closing = close;
            if (!isOver) {
                return;
            }
        } finally {
            lock.unlock();
        }
        close.run();
    }

    @Override
    public Duration connectTimeout() {
        return Duration.ofNanos(Math.max(1, limit - (System.nanoTime() - start)));
    }

    @Override
    public void close() {
        ended.countDown();
    }

    private void await() {
        try {
            if (!ended.await(limit, TimeUnit.NANOSECONDS)) {
                end().run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Runnable end() {
        lock.lock();
        try {
            isOver = true;
            return closing;
        } finally {
            lock.unlock();
        }
    }
}
