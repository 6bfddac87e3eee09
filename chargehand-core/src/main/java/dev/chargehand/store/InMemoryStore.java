package dev.chargehand.store;

import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.thread.ThreadChange;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A store in memory; nothing survives the process.
 *
 * <p>Thread-safe. One short lock guards all state; no foreign code is called while it is held.
 */
public final class InMemoryStore implements Store {

    private final boolean keepsEndedRuns;
    private final ReentrantLock lock = new ReentrantLock();
    private final MemoryThreads threads = new MemoryThreads();
    private final Set<String> owners = ConcurrentHashMap.newKeySet();
    private final MemoryRuns runs;

    private long appends;
    private long appendsSeen;
    private final ChangeSignal changes = new ChangeSignal(this::hasGrown);

    private InMemoryStore(boolean keepsEndedRuns) {
        this.keepsEndedRuns = keepsEndedRuns;
        this.runs = new MemoryRuns(keepsEndedRuns, threads, owners);
    }

    /** Make a store that forgets a run, with all its nested ones, when its root run ends; threads stay. */
    public static InMemoryStore create() {
        return new InMemoryStore(false);
    }

    /** Make a store that keeps ended runs too, for tests and short programs that look back at them. */
    public static InMemoryStore keepingEndedRuns() {
        return new InMemoryStore(true);
    }

    /** Return whether it forgets a run when its root run ends. */
    public boolean forgetsEndedRuns() {
        return !keepsEndedRuns;
    }

    @Override
    public Appended append(List<Append> appends) {
        Appended appended = locked(() -> {
            Appended stored = runs.append(appends);
            this.appends++;
            return stored;
        });
        if (appends.stream().anyMatch(append -> append.status() != RunStatus.RUNNING)) {
            changes.signal();
        }
        return appended;
    }

    @Override
    public List<FactEntry> read(RunId runId, long from) {
        return locked(() -> runs.read(runId, from));
    }

    @Override
    public Delivered deliver(Delivery delivery) {
        Delivered delivered = locked(() -> runs.deliver(delivery));
        if (delivered instanceof Delivered.Accepted) {
            changes.signal();
        }
        return delivered;
    }

    @Override
    public List<Delivery> undrained(RunId root) {
        return locked(() -> runs.undrained(root));
    }

    @Override
    public List<WaitingCall> waiting(RunId root) {
        return locked(() -> runs.waiting(root));
    }

    @Override
    public boolean index(Append derived) {
        return locked(() -> runs.index(derived));
    }

    @Override
    public List<TreeFact> readTree(RunId root, long after, int limit) {
        return locked(() -> runs.readTree(root, after, limit));
    }

    @Override
    public Optional<RunRecord> find(RunId runId) {
        return locked(() -> runs.find(runId));
    }

    @Override
    public List<RunRecord> list(RunFilter filter) {
        return locked(() -> runs.list(filter));
    }

    @Override
    public RunRecord claim(RunId runId, long expectedEpoch, long expectedLength, String owner) {
        return locked(() -> runs.claim(runId, expectedEpoch, expectedLength, owner, null));
    }

    @Override
    public RunRecord claimToWake(
            RunId runId, long expectedEpoch, long expectedLength, String owner, Instant notBefore) {
        return locked(() -> runs.claim(runId, expectedEpoch, expectedLength, owner, notBefore));
    }

    @Override
    public DueRuns due(DueRuns.Query query) {
        return locked(() -> runs.due(query));
    }

    @Override
    public void release(RunId root, long epoch) {
        locked(() -> {
            runs.release(root, epoch);
            return root;
        });
        changes.signal();
    }

    /** Remember the owner, or forget it; within one process an owner lives until it says that it is gone. */
    @Override
    public void heartbeat(String owner, Duration timeToLive) {
        if (timeToLive.isPositive()) {
            owners.add(owner);
        } else {
            owners.remove(owner);
        }
    }

    @Override
    public boolean isAlive(String owner) {
        return owners.contains(owner);
    }

    @Override
    public long awaitChange(long seen, Duration atMost) {
        return changes.await(seen, atMost);
    }

    private boolean hasGrown() {
        long now = locked(() -> appends);
        boolean grown = now != appendsSeen;
        appendsSeen = now;
        return grown;
    }

    @Override
    public Optional<ThreadRecord> findThread(String threadId) {
        return locked(() -> threads.find(threadId));
    }

    @Override
    public List<ThreadEntry> readThread(String threadId, ThreadOwner owner, long before, int last) {
        return locked(() -> threads.read(threadId, owner, before, last));
    }

    @Override
    public List<ThreadEntry> readThreadFrom(String threadId, ThreadOwner owner, long from, int limit) {
        return locked(() -> threads.readFrom(threadId, owner, from, limit));
    }

    @Override
    public List<ThreadRecord> listThreads(String resourceId, int offset, int limit) {
        return locked(() -> threads.list(resourceId, offset, limit));
    }

    @Override
    public boolean createThread(ThreadRecord thread) {
        return locked(() -> threads.create(thread));
    }

    @Override
    public ThreadRecord changeThread(String threadId, ThreadOwner owner, ThreadChange change, Instant at) {
        return locked(() -> threads.change(threadId, owner, change, at));
    }

    @Override
    public boolean copyThread(String from, long before, ThreadRecord to) {
        return locked(() -> threads.copy(from, before, to));
    }

    @Override
    public boolean deleteThread(String threadId, ThreadOwner owner) {
        return locked(() -> threads.delete(threadId, owner, runs.openOn(threadId)));
    }

    private <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        changes.signal();
    }
}
