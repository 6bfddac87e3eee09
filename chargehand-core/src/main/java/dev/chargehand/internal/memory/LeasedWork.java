package dev.chargehand.internal.memory;

import dev.chargehand.internal.log.Log;
import dev.chargehand.internal.memory.observation.ObservationWork;
import dev.chargehand.internal.memory.side.TokensSpentException;
import dev.chargehand.internal.memory.side.WorkMeter;
import dev.chargehand.internal.memory.title.TitleTask;
import dev.chargehand.internal.memory.title.TitleWriter;
import dev.chargehand.memory.Observations;
import dev.chargehand.memory.SemanticRecall;
import dev.chargehand.memory.ThreadTitles;
import dev.chargehand.spi.TimeSource;
import dev.chargehand.store.Store;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.thread.ThreadRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Does the memory work of a thread while it has the lease of the thread: first its vectors, then its observations, then its title. */
final class LeasedWork {

    private static final Log LOG = Log.of(LeasedWork.class);

    static final Duration LEASE = Duration.ofMinutes(2);

    /** How long to wait after the first failure, the second one, and so on. */
    static final List<Duration> WAITS =
            List.of(Duration.ofMinutes(1), Duration.ofMinutes(4), Duration.ofMinutes(15), Duration.ofMinutes(60));

    /** A length that no thread has: the thread stays due. */
    private static final long UNFINISHED = -1;

    /** For how many days of resources it is known that it was said that their tokens are spent. */
    private static final int MOST_DAYS = 1_000;

    private final Map<SpentDay, Boolean> spent = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<SpentDay, Boolean> eldest) {
            return size() > MOST_DAYS;
        }
    };

    private record SpentDay(String tenantId, @Nullable String resourceId, LocalDate day) {}

    private final TimeSource time;
    private final ThreadIndexer indexer;
    private final ObservationWork observations;
    private final TitleWriter titles;
    private final String worker;

    LeasedWork(
            TimeSource time, ThreadIndexer indexer, ObservationWork observations, TitleWriter titles, String worker) {
        this.time = time;
        this.indexer = indexer;
        this.observations = observations;
        this.titles = titles;
        this.worker = worker;
    }

    /**
     * How far a part of the work came.
     *
     * @param isMine whether this worker still has the lease
     * @param length how many messages the thread had when it was read last
     * @param delay how long to wait for the next try, after a failure; zero if more is to be done, after other threads
     */
    record Progress(boolean isMine, long length, Optional<Duration> delay) {}

    /**
     * Work on a thread until nothing is left to do, a model fails, or it is the turn of other threads.
     *
     * @return how long to wait for the next try, which may be zero
     */
    Optional<Duration> work(Store store, MemoryWork.Task task) throws InterruptedException {
        MemoryStore memory = WorkingText.memory(store);
        // Fails if another process works on the thread, or if the thread was deleted.
        while (memory.take(task.owner(), task.threadId(), worker, LEASE)) {
            Progress done = workOn(store, memory, task);
            // A run that ended between the last look and the return of the work could not take it.
            if (done.delay().isPresent() || !done.isMine() || length(store, task) == done.length()) {
                return done.delay();
            }
        }
        return Optional.empty();
    }

    private Progress workOn(Store store, MemoryStore memory, MemoryWork.Task task) throws InterruptedException {
        WorkMeter meter = new WorkMeter(
                memory, task.owner(), task.threadId(), task.parts().dailyTokens(), time);
        Instant again = null;
        long seen = UNFINISHED;
        try {
            Progress done = progress(store, meter, task);
            seen = done.isMine() ? done.length() : UNFINISHED;
            again = done.delay().map(time.now()::plus).orElse(null);
            return done;
        } finally {
            memory.giveBack(task.owner(), task.threadId(), worker, seen, again);
        }
    }

    private Progress progress(Store store, WorkMeter meter, MemoryWork.Task task) throws InterruptedException {
        MemoryWork.Parts parts = task.parts();
        try {
            Progress done = parts.semantic() == null
                    ? new Progress(true, length(store, task), Optional.empty())
                    : indexer.index(store, task, parts.semantic(), meter);
            if (done.isMine() && parts.observations() != null) {
                done = observed(store, meter, task, parts.observations(), done);
            }
            return done.isMine() && parts.titles() != null ? titled(store, meter, task, done) : done;
        } catch (TokensSpentException e) {
            if (isFirst(new SpentDay(task.tenantId(), task.owner().resourceId(), e.day()))) {
                LOG.warn(
                        "thread {}: the {} tokens a day for the memory of its resource are spent; the work on it waits until {} is over, UTC.",
                        task.threadId(),
                        parts.dailyTokens().orElse(0),
                        e.day());
            }
            return new Progress(true, length(store, task), Optional.of(e.left()));
        }
    }

    private boolean isFirst(SpentDay day) {
        synchronized (spent) {
            return spent.put(day, true) == null;
        }
    }

    private Progress observed(
            Store store, WorkMeter meter, MemoryWork.Task task, Observations settings, Progress before) {
        MemoryStore memory = meter.memory();
        Optional<Duration> delay = observations.work(
                new ObservationWork.Task(store, task.tenantId(), task.owner(), task.threadId(), settings, meter),
                before.length(),
                () -> memory.take(task.owner(), task.threadId(), worker, LEASE));
        boolean isMine = memory.take(task.owner(), task.threadId(), worker, LEASE);
        return new Progress(isMine, before.length(), sooner(before.delay(), delay));
    }

    private Progress titled(Store store, WorkMeter meter, MemoryWork.Task task, Progress before)
            throws InterruptedException {
        ThreadTitles by = task.parts().titles();
        if (by == null || !titles.isNeeded(store, task.threadId())) {
            return before;
        }
        if (!meter.memory().take(task.owner(), task.threadId(), worker, LEASE)) {
            return new Progress(false, before.length(), before.delay());
        }
        return new Progress(
                true,
                before.length(),
                sooner(
                        before.delay(),
                        titles.write(new TitleTask(
                                store, meter, task.tenantId(), task.threadId(), task.owner(), by, task.titled()))));
    }

    /**
     * Make the vectors of all messages of a thread, whether or not it is due.
     *
     * @return nothing if another process works on the thread, or has taken the work over
     */
    Optional<ThreadIndexer.Made> indexAll(Store store, MemoryWork.Task task, SemanticRecall semantic)
            throws InterruptedException, EmbeddingFailedException {
        MemoryStore memory = WorkingText.memory(store);
        if (!memory.take(task.owner(), task.threadId(), worker, LEASE)) {
            return Optional.empty();
        }
        try {
            WorkMeter meter = new WorkMeter(
                    memory, task.owner(), task.threadId(), task.parts().dailyTokens(), time);
            return indexer.indexAll(store, task, semantic, meter);
        } finally {
            memory.giveBack(task.owner(), task.threadId(), worker, UNFINISHED, null); // what is due stays due
        }
    }

    private static Optional<Duration> sooner(Optional<Duration> one, Optional<Duration> other) {
        return one.isPresent() && other.isPresent()
                ? Optional.of(one.get().compareTo(other.get()) < 0 ? one.get() : other.get())
                : one.or(() -> other);
    }

    static long length(Store store, MemoryWork.Task task) {
        return store.findThread(task.threadId()).map(ThreadRecord::length).orElse(0L);
    }
}
