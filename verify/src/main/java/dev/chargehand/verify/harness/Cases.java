package dev.chargehand.verify.harness;

import java.time.Duration;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Works on numbered cases side by side, and finds those that never end: their thread is left where it is, and another
 * continues instead.
 */
public final class Cases {

    private final PrimitiveIterator.OfLong numbers;
    private final Duration limit;
    private final LongConsumer work;
    private final OnFault onHang;
    private final OnFault onCrash;
    private final ReentrantLock lock = new ReentrantLock();
    private final ConcurrentHashMap<Thread, At> at = new ConcurrentHashMap<>();
    private final AtomicInteger working = new AtomicInteger();
    private final CountDownLatch over = new CountDownLatch(1);

    /** Observes a case that did not end, or threw. */
    @FunctionalInterface
    public interface OnFault {

        /** Receive the fault; the stack shows where it hangs, or what it threw. */
        void fault(long number, String where);
    }

    private record At(long number, long since) {}

    private Cases(LongStream numbers, Duration limit, LongConsumer work, OnFault onHang, OnFault onCrash) {
        this.numbers = numbers.iterator();
        this.limit = limit;
        this.work = work;
        this.onHang = onHang;
        this.onCrash = onCrash;
    }

    /**
     * Work on every case, on so many threads.
     *
     * @param limit how long one case may take
     */
    public static void run(
            LongStream numbers, int threads, Duration limit, LongConsumer work, OnFault onHang, OnFault onCrash)
            throws InterruptedException {
        Cases cases = new Cases(numbers, limit, work, onHang, onCrash);
        cases.working.set(threads);
        for (int i = 0; i < threads; i++) {
            cases.startWorker();
        }
        while (!cases.over.await(Math.max(1, limit.toMillis() / 10), TimeUnit.MILLISECONDS)) {
            cases.replaceHanging();
        }
    }

    private void startWorker() {
        Thread.ofPlatform().name("cases").daemon().start(this::workOn);
    }

    private void workOn() {
        Thread self = Thread.currentThread();
        for (Long number = next(); number != null; number = next()) {
            At mine = new At(number, System.nanoTime());
            at.put(self, mine);
            attempt(number);
            if (!at.remove(self, mine)) {
                return; // it was given up, and another thread works in its place
            }
        }
        if (working.decrementAndGet() == 0) {
            over.countDown();
        }
    }

    @SuppressWarnings("CatchingUnchecked") // whatever it is, it is what the harness looks for
    private void attempt(long number) {
        try {
            work.accept(number);
        } catch (Throwable t) {
            onCrash.fault(number, describe(t));
        }
    }

    private void replaceHanging() {
        long now = System.nanoTime();
        at.forEach((thread, where) -> {
            if (now - where.since() > limit.toNanos() && at.remove(thread, where)) {
                onHang.fault(where.number(), top(thread.getStackTrace()));
                startWorker();
            }
        });
    }

    private @Nullable Long next() {
        lock.lock();
        try {
            return numbers.hasNext() ? numbers.next() : null;
        } finally {
            lock.unlock();
        }
    }

    private static String describe(Throwable t) {
        return t + " " + top(t.getStackTrace());
    }

    private static String top(StackTraceElement[] stack) {
        return List.of(stack).subList(0, Math.min(12, stack.length)).toString();
    }
}
