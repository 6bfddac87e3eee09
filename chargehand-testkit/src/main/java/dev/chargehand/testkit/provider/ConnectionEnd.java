package dev.chargehand.testkit.provider;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The end of one connection: happens once, the first side to close is remembered, and can be waited for. */
final class ConnectionEnd {
    private final AtomicReference<@Nullable Close> close = new AtomicReference<>();
    private final CountDownLatch happened = new CountDownLatch(1);

    /** Who closed, and when in {@link System#nanoTime()}. */
    record Close(Side by, long nanos) {}

    void closed(Side by) {
        if (close.compareAndSet(null, new Close(by, System.nanoTime()))) {
            happened.countDown();
        }
    }

    boolean isOver() {
        return close.get() != null;
    }

    boolean isBy(Side side) {
        Close first = close.get();
        return first != null && first.by() == side;
    }

    Optional<Close> close() {
        return Optional.ofNullable(close.get());
    }

    void await() throws InterruptedException {
        happened.await();
    }

    /** Wait for the end; false when the time is up. */
    boolean await(Duration timeout) throws InterruptedException {
        return happened.await(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
    }
}
