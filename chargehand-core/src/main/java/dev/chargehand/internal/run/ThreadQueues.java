package dev.chargehand.internal.run;

import dev.chargehand.internal.limit.Cancellation;
import dev.chargehand.run.RunId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * The runs of this process that want one thread each, in the order of their arrival. Thread-safe.
 *
 * <p>Among processes the store decides; here the order is kept.
 */
public final class ThreadQueues {

    private final Map<String, Deque<Turn>> queues = new ConcurrentHashMap<>();

    /** Takes the last place in the queue of a thread. */
    Turn join(String threadId, RunId runId) {
        Turn turn = new Turn(threadId, runId);
        queues.compute(threadId, (id, queue) -> {
            Deque<Turn> line = queue == null ? new ArrayDeque<>(2) : queue;
            line.add(turn);
            callFirst(line);
            return line;
        });
        return turn;
    }

    private static void callFirst(Deque<Turn> line) {
        Objects.requireNonNull(line.peek()).called.countDown();
    }

    /** Returns how many threads have a queue, for tests that look for leaks. */
    int size() {
        return queues.size();
    }

    /** A place in a queue, kept until it is closed. */
    final class Turn implements AutoCloseable {

        private final String threadId;
        private final RunId runId;
        private final CountDownLatch called = new CountDownLatch(1);

        private Turn(String threadId, RunId runId) {
            this.threadId = threadId;
            this.runId = runId;
        }

        /** Tells whether nobody is before this one any more. */
        boolean isFirst() {
            return called.getCount() == 0;
        }

        /** Returns the run that is first now. */
        RunId first() {
            Deque<Turn> line = queues.get(threadId);
            Turn first = line == null ? null : line.peek();
            return first == null ? runId : first.runId;
        }

        /**
         * Waits until nobody is before this one.
         *
         * @throws dev.chargehand.internal.limit.RunInterrupted if the run is cancelled before
         */
        void await(Cancellation cancellation) {
            Cancellation.Registration registration = cancellation.onRelease(called::countDown);
            boolean interrupted = false;
            while (true) {
                try {
                    called.await();
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            registration.close();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            cancellation.admit();
        }

        /** Leaves the queue; harmless if it was left before. */
        @Override
        public void close() {
            queues.computeIfPresent(threadId, (id, line) -> {
                line.remove(this);
                if (line.isEmpty()) {
                    return null;
                }
                callFirst(line);
                return line;
            });
        }
    }
}
