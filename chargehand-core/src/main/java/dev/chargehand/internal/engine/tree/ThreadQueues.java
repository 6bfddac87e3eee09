package dev.chargehand.internal.engine.tree;

import dev.chargehand.internal.call.Cancellation;
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

    private final Map<Key, Deque<Turn>> queues = new ConcurrentHashMap<>();

    private record Key(String tenantId, String threadId) {}

    /** Take the last place in the queue of a thread of a tenant. */
    public Turn join(String tenantId, String threadId, RunId runId) {
        Key thread = new Key(tenantId, threadId);
        Turn turn = new Turn(thread, runId);
        queues.compute(thread, (id, queue) -> {
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

    /** Return how many threads have a queue, for tests that look for leaks. */
    int size() {
        return queues.size();
    }

    /** A place in a queue, kept until it is closed. */
    public final class Turn implements AutoCloseable {

        private final Key thread;
        private final RunId runId;
        private final CountDownLatch called = new CountDownLatch(1);

        private Turn(Key thread, RunId runId) {
            this.thread = thread;
            this.runId = runId;
        }

        /** Return whether this caller is the first. */
        public boolean isFirst() {
            return called.getCount() == 0;
        }

        /** Return the run that is first now. */
        public RunId first() {
            Deque<Turn> line = queues.get(thread);
            Turn first = line == null ? null : line.peek();
            return first == null ? runId : first.runId;
        }

        /**
         * Wait until this caller is the first.
         *
         * @throws dev.chargehand.internal.call.RunInterruptedException if the run is cancelled before
         */
        public void await(Cancellation cancellation) {
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

        /** Leave the queue; harmless if it was left before. */
        @Override
        public void close() {
            queues.computeIfPresent(thread, (id, line) -> {
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
