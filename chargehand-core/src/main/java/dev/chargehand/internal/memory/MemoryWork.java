package dev.chargehand.internal.memory;

import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.call.RunInterruptedException;
import dev.chargehand.internal.log.Log;
import dev.chargehand.memory.SemanticRecall;
import dev.chargehand.run.StopReason;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.Store;
import dev.chargehand.thread.ThreadOwner;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The work on the memory of threads that follows runs: messages get their vectors. A thread is worked on by one process at
 * a time, and by one thread of it; at most 4 threads work in a runtime. Thread-safe.
 */
public final class MemoryWork {

    private static final Log LOG = Log.of(MemoryWork.class);

    private static final int CONCURRENCY = 4;

    /** How long closing waits for the work that is being done. */
    private static final Duration CLOSING = Duration.ofSeconds(5);

    /** How long closing waits after that for what it has interrupted. */
    private static final Duration GIVING_BACK = Duration.ofSeconds(1);

    private final Store store;
    private final TimeSource time;
    private final ThreadIndexer indexer;
    private final Cancellation closing = new Cancellation();
    private final Semaphore places = new Semaphore(CONCURRENCY);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<Key, Job> jobs = new HashMap<>();
    private boolean closed;

    /**
     * Make it for a runtime.
     *
     * @param store the store, of any tenant
     * @param worker the name of the runtime in the store
     */
    public MemoryWork(Store store, TimeSource time, BoundedCalls calls, Embedders embedders, String worker) {
        this.store = store;
        this.time = time;
        this.indexer = new ThreadIndexer(time, calls, closing, embedders, worker);
    }

    /**
     * A thread to work on.
     *
     * @param semantic how the agent recalls its messages
     */
    public record Task(String tenantId, String threadId, ThreadOwner owner, SemanticRecall semantic) {

        private Key key() {
            return new Key(tenantId, threadId);
        }
    }

    private record Key(String tenantId, String threadId) {}

    /** The work on a thread, and what was added to it meanwhile. */
    private static final class Job {

        private final Thread thread;
        private @Nullable Task next;

        private Job(Thread thread) {
            this.thread = thread;
        }
    }

    /** Work on a thread soon, and again if it is being worked on. */
    public void add(Task task) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            Job job = jobs.get(task.key());
            if (job != null) {
                job.next = task;
                return;
            }
            Thread thread =
                    Thread.ofVirtual().name("memory of " + task.threadId()).unstarted(() -> work(task));
            jobs.put(task.key(), new Job(thread));
            thread.start();
        } finally {
            lock.unlock();
        }
    }

    private void work(Task first) {
        Task task = first;
        while (task != null) {
            try {
                places.acquire();
                try {
                    workOn(task);
                } finally {
                    places.release();
                }
            } catch (InterruptedException | RunInterruptedException e) {
                LOG.debug("thread {}: the work on its memory was interrupted", task.threadId());
                closedIn(task);
                return;
            } catch (RuntimeException | Error e) {
                LOG.warn("thread {}: the work on its memory failed: {}", task.threadId(), e.getMessage());
            }
            task = next(task);
        }
    }

    private void workOn(Task task) throws InterruptedException {
        indexer.work(store.forTenant(task.tenantId()), task).ifPresent(delay -> {
            TimeSource.Alarm ignored = time.schedule(delay, () -> add(task));
        });
    }

    private @Nullable Task next(Task done) {
        lock.lock();
        try {
            Job job = jobs.get(done.key());
            if (job == null || job.next == null || closed) {
                jobs.remove(done.key());
                changed.signalAll();
                return null;
            }
            Task next = job.next;
            job.next = null;
            return next;
        } finally {
            lock.unlock();
        }
    }

    private void closedIn(Task task) {
        lock.lock();
        try {
            jobs.remove(task.key());
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Wait until no work is being done here.
     *
     * @return whether that is so; false if the time is over
     * @throws InterruptedException if the calling thread is interrupted
     */
    public boolean await(Duration atMost) throws InterruptedException {
        long nanos = atMost.toNanos();
        lock.lockInterruptibly();
        try {
            while (!jobs.isEmpty()) {
                if (nanos <= 0) {
                    return false;
                }
                nanos = changed.awaitNanos(nanos);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Take no more work, and wait up to 5 s for what is being done; the rest is done by a later run, or another process. */
    public void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        try {
            if (!await(CLOSING) && closing.cancel(new StopReason.Cancelled("closed")) && !await(GIVING_BACK)) {
                lock.lock();
                try {
                    jobs.values().forEach(job -> job.thread.interrupt());
                } finally {
                    lock.unlock();
                }
                boolean ignored = await(GIVING_BACK);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
