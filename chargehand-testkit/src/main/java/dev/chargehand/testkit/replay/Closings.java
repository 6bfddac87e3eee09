package dev.chargehand.testkit.replay;

import dev.chargehand.event.RunEvent;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets calls of one step end in the order in which they were recorded, where that matters.
 *
 * <p>The wait is bounded: where a changed definition makes the order impossible, the difference in what follows is
 * emitted instead.
 */
final class Closings {

    private static final long MOST_SECONDS = 10;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<String> over = new HashSet<>();

    void hear(RunEvent event) {
        String callId =
                switch (event) {
                    case RunEvent.ToolResult result -> result.callId();
                    case RunEvent.ToolError error -> error.callId();
                    default -> "";
                };
        lock.lock();
        try {
            over.add(callId);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void await(List<String> callIds) throws InterruptedException {
        long left = TimeUnit.SECONDS.toNanos(MOST_SECONDS);
        lock.lock();
        try {
            while (!over.containsAll(callIds) && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}
