package dev.chargehand.internal.memory;

import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.CallSite;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.call.RunInterruptedException;
import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.memory.observation.ObservationWork;
import dev.chargehand.internal.memory.side.FailedTries;
import dev.chargehand.internal.memory.side.SideCalls;
import dev.chargehand.internal.memory.side.SideModels;
import dev.chargehand.internal.memory.title.TitleWriter;
import dev.chargehand.memory.Memory;
import dev.chargehand.memory.Observations;
import dev.chargehand.memory.SemanticRecall;
import dev.chargehand.memory.ThreadTitles;
import dev.chargehand.run.StopReason;
import dev.chargehand.spi.CallInfo;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.Store;
import dev.chargehand.thread.ThreadOwner;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The work on the memory of threads that follows runs: messages get their vectors and are observed, and conversations get a title. A thread is worked on by one process at
 * a time, and by one thread of it; at most 4 threads work in a runtime. Thread-safe.
 */
public final class MemoryWork {

    private static final Log LOG = Log.of(MemoryWork.class);

    private static final int CONCURRENCY = 4;

    /** How long closing waits for the work that is left. */
    private static final Duration CLOSING = Duration.ofSeconds(5);

    /** How long closing waits after that for what it has interrupted. */
    private static final Duration GIVING_BACK = Duration.ofSeconds(1);

    private final Store store;
    private final TimeSource time;
    private final LeasedWork leased;
    private final FailedTries failures = new FailedTries(LeasedWork.WAITS);
    private final Cancellation closing = new Cancellation();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** The next work on each thread, in the order in which it was added. */
    private final Map<Key, Task> waiting = new LinkedHashMap<>();

    private final Set<Key> working = new HashSet<>();
    private final Set<Thread> workers = new HashSet<>();

    /** The next try of each thread whose last one failed. */
    private final Map<Key, Retry> retries = new HashMap<>();

    private boolean closed;

    /**
     * Make it for a runtime.
     *
     * @param store the store, of any tenant
     * @param worker the name of the runtime in the store
     */
    public MemoryWork(
            Store store, TimeSource time, BoundedCalls calls, Embedders embedders, SideModels models, String worker) {
        this.store = store;
        this.time = time;
        SideCalls sideCalls =
                new SideCalls(models, calls, closing, name -> CallSite.of(CallInfo.Kind.MODEL, name), answer -> {});
        this.leased = new LeasedWork(
                time,
                new ThreadIndexer(time, calls, closing, embedders, worker),
                new ObservationWork(sideCalls, time, LeasedWork.WAITS),
                new TitleWriter(sideCalls, LeasedWork.WAITS),
                worker);
    }

    /**
     * A thread to work on.
     *
     * @param parts what is to be done
     * @param titled receives the title when it is stored
     */
    public record Task(String tenantId, String threadId, ThreadOwner owner, Parts parts, Consumer<String> titled) {

        /**
         * Make the task of an agent; only a conversation gets a title.
         *
         * @param recalls whether its messages are to be found by their meaning, if the agent does that
         * @param observes whether they are to be observed, if the agent does that
         */
        public static Task of(
                String tenantId,
                String threadId,
                ThreadOwner owner,
                Memory memory,
                boolean recalls,
                boolean observes,
                Consumer<String> titled) {
            return new Task(
                    tenantId,
                    threadId,
                    owner,
                    new Parts(
                            recalls ? memory.semanticRecall().orElse(null) : null,
                            observes ? memory.observations().orElse(null) : null,
                            owner.agentPath() == null ? memory.title().orElse(null) : null,
                            memory.dailyTokens()),
                    titled);
        }

        /** Return whether there is nothing to do. */
        public boolean isEmpty() {
            return parts.semantic() == null && parts.observations() == null && parts.titles() == null;
        }

        private Key key() {
            return new Key(tenantId, threadId);
        }
    }

    /**
     * The parts of a memory that need work after runs.
     *
     * @param semantic how the agent recalls its messages, or null if it does not
     * @param observations how a model observes its messages, or null if none does
     * @param titles how a model writes its title, or null if none does
     * @param dailyTokens how many tokens the work for the resource may use on a day, if there is a bound
     */
    public record Parts(
            @Nullable SemanticRecall semantic,
            @Nullable Observations observations,
            @Nullable ThreadTitles titles,
            OptionalLong dailyTokens) {}

    private record Key(String tenantId, String threadId) {}

    /** Work on a thread soon, and again if it is being worked on. */
    public void add(Task task) {
        Retry retry = locked(() -> {
            if (!closed) {
                waiting.put(task.key(), task);
                startWorker();
            }
            return retries.remove(task.key());
        });
        if (retry != null) {
            retry.cancel();
        }
    }

    /**
     * Work on a thread that the store says is due, unless it is worked on here, or a try that failed here is to be repeated
     * later: work that the store does not take stays due there, and models would be paid for it at each look.
     */
    public void addDue(Task task) {
        Key key = task.key();
        if (!locked(() -> retries.containsKey(key) || working.contains(key))) {
            add(task);
        }
    }

    private void startWorker() {
        if (workers.size() < CONCURRENCY) {
            Thread worker = Thread.ofVirtual().name("memory").unstarted(this::work);
            workers.add(worker);
            worker.start();
        }
    }

    /**
     * Return whether a thread can be kept from the workers of this runtime, which happens as soon as none works on it; {@link #leave} ends that.
     *
     * @throws InterruptedException if the calling thread is interrupted
     */
    boolean enter(String tenantId, String threadId) throws InterruptedException {
        Key key = new Key(tenantId, threadId);
        lock.lockInterruptibly();
        try {
            while (!closed && working.contains(key)) {
                changed.await();
            }
            return !closed && working.add(key);
        } finally {
            lock.unlock();
        }
    }

    /** Let the workers have a thread again. */
    void leave(String tenantId, String threadId) {
        boolean ignored = locked(() -> {
            boolean was = working.remove(new Key(tenantId, threadId));
            if (!waiting.isEmpty()) {
                startWorker();
            }
            changed.signalAll();
            return was;
        });
    }

    /** Return what makes the vectors of all messages of conversations for the application. */
    Reindexing reindexing() {
        return new Reindexing(this, leased);
    }

    /** Return how many threads wait for a worker. */
    public int waiting() {
        return locked(waiting::size);
    }

    private void work() {
        for (Optional<Task> task = next(null); task.isPresent(); task = next(task.get())) {
            workOn(task.get());
        }
    }

    /** Return the next thread that no worker has; none ends the worker. */
    private Optional<Task> next(@Nullable Task done) {
        return locked(() -> {
            if (done != null) {
                working.remove(done.key());
            }
            Optional<Task> next = waiting.values().stream()
                    .filter(task -> !working.contains(task.key()))
                    .findFirst();
            next.ifPresentOrElse(
                    task -> {
                        waiting.remove(task.key());
                        working.add(task.key());
                    },
                    () -> workers.remove(Thread.currentThread()));
            changed.signalAll();
            return next;
        });
    }

    private void workOn(Task task) {
        try {
            Optional<Duration> delay = leased.work(store.forTenant(task.tenantId()), task);
            failures.succeeded(task.tenantId(), task.threadId());
            delay.ifPresent(wait -> again(task, wait));
        } catch (InterruptedException | RunInterruptedException e) {
            LOG.debug("thread {}: the work on its memory was interrupted", task.threadId());
        } catch (ThreadOwnershipException e) {
            LOG.debug("thread {}: it was made again for another owner", task.threadId());
        } catch (RuntimeException | Error e) {
            Duration wait = failures.failed(task.tenantId(), task.threadId());
            LOG.warn(
                    "thread {}: the work on its memory failed: {} It is tried again after the next run, or in {} min.",
                    task.threadId(),
                    e.getMessage(),
                    wait.toMinutes());
            again(task, wait);
        }
    }

    /** Work on a thread again after the others, or try it again later, and not at the time that was planned before. */
    private void again(Task task, Duration delay) {
        if (delay.isZero()) {
            locked(() -> closed ? task : waiting.putIfAbsent(task.key(), task)); // which the calling worker takes then
            return;
        }
        Retry planned = new Retry();
        Retry before = locked(() -> closed ? planned : retries.put(task.key(), planned));
        if (before == planned) {
            return; // a closed runtime plans nothing
        }
        if (before != null) {
            before.cancel();
        }
        planned.set(time.schedule(delay, () -> add(task)));
    }

    /** A try that is planned, which is known before its alarm is set: in a process that is held up, the alarm may ring first. */
    private static final class Retry {

        private volatile TimeSource.@Nullable Alarm alarm;
        private volatile boolean cancelled;

        private void set(TimeSource.Alarm value) {
            alarm = value;
            if (cancelled) {
                value.cancel();
            }
        }

        private void cancel() {
            cancelled = true;
            TimeSource.Alarm set = alarm;
            if (set != null) {
                set.cancel();
            }
        }
    }

    /**
     * Wait until no work is being done here.
     *
     * @return whether that is so; false if the time is over
     * @throws InterruptedException if the calling thread is interrupted
     */
    public boolean await(Duration atMost) throws InterruptedException {
        long nanos = TimeUnit.NANOSECONDS.convert(atMost);
        lock.lockInterruptibly();
        try {
            while (!waiting.isEmpty() || !working.isEmpty()) {
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

    /** Take no more work, and wait up to 5 s for what is left; the rest is done by a later run, or another process. */
    public void close() {
        List<Retry> planned = locked(() -> {
            closed = true;
            return List.copyOf(retries.values());
        });
        planned.forEach(Retry::cancel);
        try {
            if (!await(CLOSING)) {
                interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void interrupt() throws InterruptedException {
        locked(() -> {
            waiting.clear();
            return true;
        });
        if (closing.cancel(new StopReason.Cancelled("closed")) && !await(GIVING_BACK)) {
            locked(() -> {
                workers.forEach(Thread::interrupt);
                return true;
            });
            boolean ignored = await(GIVING_BACK);
        }
    }

    private <T extends @Nullable Object> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}
