package dev.chargehand.store;

import dev.chargehand.error.IdempotencyKeyException;
import dev.chargehand.run.RunId;
import dev.chargehand.store.WaitingCall.WaitingFilter;
import dev.chargehand.store.deletion.Deletion;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.VectorSpace;
import dev.chargehand.store.version.InMemoryVersions;
import dev.chargehand.store.version.VersionStore;
import dev.chargehand.thread.ThreadChange;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.ToIntBiFunction;
import java.util.stream.Stream;

/**
 * A store in memory; nothing survives the process.
 *
 * <p>Thread-safe. One short lock guards all state; no foreign code is called while it is held.
 */
public final class InMemoryStore implements Store {

    private final Shared shared;
    private final String tenantId;
    private final MemoryRuns runs;

    private InMemoryStore(Shared shared, String tenantId) {
        this.shared = shared;
        this.tenantId = tenantId;
        this.runs = shared.locked(() -> shared.of(tenantId));
    }

    /** What the views for all tenants have in common: all that the store holds. */
    private static final class Shared implements MemoryOfAgents.Lock {
        private final boolean keepsEndedRuns;
        private final InstantSource clock;
        private final Map<RunId, MemoryRun> runs = new HashMap<>();
        private final DueRuns.Attended attended = new DueRuns.Attended();
        private final Map<String, MemoryRuns> tenants = new HashMap<>();
        private final Set<String> owners = ConcurrentHashMap.newKeySet();
        private final Map<VectorSpace, Instant> spaces = new HashMap<>();
        private final Map<String, VersionStore> versions = new HashMap<>();
        private final AtomicLong threadNumbers = new AtomicLong();
        private final ReentrantLock lock = new ReentrantLock();
        private long appends;
        private long appendsSeen;
        private final ChangeSignal changes = new ChangeSignal(this::hasGrown);

        private Shared(boolean keepsEndedRuns, InstantSource clock) {
            this.keepsEndedRuns = keepsEndedRuns;
            this.clock = clock;
        }

        private MemoryRuns of(String tenantId) {
            return tenants.computeIfAbsent(
                    tenantId, id -> new MemoryRuns(runs, id, keepsEndedRuns, owners, attended, threadNumbers));
        }

        private int deleteEnded(Deletion.EndedRuns what) {
            int deleted = 0;
            for (MemoryRuns tenant : tenants.values()) {
                deleted += tenant.deleteEnded(what.changedBefore(), what.limit() - deleted);
            }
            return deleted;
        }

        /** Delete from what each tenant has, which returns how many at most so many it has deleted. */
        private int deleteOfEach(int limit, ToIntBiFunction<MemoryThreads, Integer> deletion) {
            int deleted = 0;
            for (MemoryRuns tenant : tenants.values()) {
                deleted += deletion.applyAsInt(tenant.threads(), limit - deleted);
            }
            return deleted;
        }

        private DueRuns due(DueRuns.Query query) {
            return DueRuns.of(
                    runs, attended, query, owners, run -> of(run.tenantId()).mayBegin(run));
        }

        private Stream<MemoryThreads.StoredThread> threads() {
            return tenants.values().stream().flatMap(tenant -> tenant.threads().all());
        }

        private boolean hasGrown() {
            long now = locked(() -> appends);
            boolean grown = now != appendsSeen;
            appendsSeen = now;
            return grown;
        }

        @Override
        public <T> T locked(Supplier<T> work) {
            lock.lock();
            try {
                return work.get();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Make a store that forgets a run, with all its nested ones, when its root run ends; threads stay. */
    public static InMemoryStore create() {
        return new InMemoryStore(new Shared(false, InstantSource.system()), LOCAL);
    }

    /** Make a store that keeps ended runs too, for tests and short programs that look back at them. */
    public static InMemoryStore keepingEndedRuns() {
        return new InMemoryStore(new Shared(true, InstantSource.system()), LOCAL);
    }

    /** Make a store whose leases run by a clock. */
    static InMemoryStore by(InstantSource clock) {
        return new InMemoryStore(new Shared(true, clock), LOCAL);
    }

    /** Return whether it forgets a run when its root run ends. */
    public boolean forgetsEndedRuns() {
        return !shared.keepsEndedRuns;
    }

    @Override
    public Store forTenant(String tenant) {
        return tenant.equals(tenantId) ? this : new InMemoryStore(shared, Store.requireTenantId(tenant));
    }

    @Override
    public Appended append(List<Append> appends) {
        Appended appended = locked(() -> {
            Appended stored = runs.append(appends);
            shared.appends++;
            return stored;
        });
        if (ChangeSignal.isNews(appends)) {
            shared.changes.signal();
        }
        return appended;
    }

    @Override
    public List<FactEntry> read(RunId runId, long from) {
        return locked(() -> runs.read(runId, from));
    }

    @Override
    public Delivery.Delivered deliver(Delivery delivery) {
        Delivery.Delivered delivered = locked(() -> runs.deliver(delivery));
        if (delivered instanceof Delivery.Delivered.Accepted) {
            shared.changes.signal();
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
    public List<WaitingFilter.Listed> waiting(WaitingFilter filter) {
        return locked(() -> filter.among(shared.runs, tenantId));
    }

    @Override
    public Optional<RunId> findKeyed(Append.IdempotencyKey key, Instant at) {
        return locked(() -> runs.keys.find(key, at));
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
    public List<RunRecord> listOfAllTenants(RunFilter filter) {
        return locked(() -> filter.among(shared.runs, null));
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
        return locked(() -> shared.due(query));
    }

    @Override
    public void release(RunId root, long epoch) {
        locked(() -> {
            runs.release(root, epoch);
            return root;
        });
        shared.changes.signal();
    }

    @Override
    public int delete(Deletion what) {
        return locked(() -> switch (what) {
            case Deletion.EndedRuns ended ->
                ended.ofAllTenants()
                        ? shared.deleteEnded(ended)
                        : runs.deleteEnded(ended.changedBefore(), ended.limit());
            case Deletion.OneRun one -> runs.deleteRun(one.runId());
            case Deletion.RunsOfThread ofThread -> runs.deleteOfThread(ofThread);
            case Deletion.RunsOfResource ofResource -> runs.deleteOfResource(ofResource);
            case Deletion.OneThread one ->
                runs.deleteThreads(runs.threads().stored(one.threadId(), one.owner()).stream());
            case Deletion.ThreadsOfResource ofResource ->
                runs.deleteThreads(
                        runs.threads().ofResource(ofResource.resourceId()).limit(Math.max(0, ofResource.limit())));
            case Deletion.MessagesOfThread messages -> runs.deleteMessages(messages);
            case Deletion.MemoryOfResource memory -> runs.threads().deleteMemory(memory.resourceId());
            case Deletion.OldUsage old ->
                shared.deleteOfEach(
                        old.limit(), (threads, left) -> threads.usage().deleteBefore(old.before(), left));
            case Deletion.UnusedVectors unused -> MemoryOfAgents.deleteUnused(unused, shared.spaces, shared::threads);
            case Deletion.OldEditKeys old ->
                shared.deleteOfEach(old.limit(), (threads, left) -> threads.deleteKeys(old.madeBefore(), left));
            case Deletion.Remains ignored -> 0;
        });
    }

    /** Remember the owner, or forget it; within one process an owner lives until it says that it is gone. */
    @Override
    public void heartbeat(String owner, Duration timeToLive) {
        boolean ignored = timeToLive.isPositive() ? shared.owners.add(owner) : shared.owners.remove(owner);
    }

    @Override
    public boolean isAlive(String owner) {
        return shared.owners.contains(owner);
    }

    @Override
    public long awaitChange(long seen, Duration atMost) {
        return shared.changes.await(seen, atMost);
    }

    @Override
    public Optional<ThreadRecord> findThread(String threadId) {
        return locked(() -> runs.threads().find(threadId));
    }

    @Override
    public List<ThreadEntry> readThread(String threadId, ThreadOwner owner, long before, int last) {
        return locked(() -> runs.threads().read(threadId, owner, before, last));
    }

    @Override
    public List<ThreadEntry> readThreadFrom(String threadId, ThreadOwner owner, long from, int limit) {
        return locked(() -> runs.threads().readFrom(threadId, owner, from, limit));
    }

    @Override
    public List<ThreadRecord> listThreads(ThreadRecord.Filter filter) {
        return locked(() -> runs.threads().list(filter));
    }

    @Override
    public boolean createThread(ThreadRecord thread) {
        return locked(() -> runs.threads().create(thread));
    }

    @Override
    public ThreadRecord appendToThread(ThreadAppend messages, Instant at) {
        return locked(() -> runs.threads().appendAlone(messages, at));
    }

    @Override
    public ThreadRecord changeThread(String threadId, ThreadOwner owner, ThreadChange change, Instant at) {
        return locked(() -> runs.threads().change(threadId, owner, change, at));
    }

    @Override
    public boolean copyThread(ThreadRecord.Source from, long before, ThreadRecord to) {
        return locked(() -> runs.threads().copy(from, before, to));
    }

    /** Return what agents remember; a lease runs by the clock of the machine. */
    @Override
    public Optional<MemoryStore> memory() {
        return Optional.of(new MemoryOfAgents(runs, shared::threads, shared.spaces, shared.clock, shared));
    }

    @Override
    public Optional<VersionStore> versions() {
        return Optional.of(locked(() -> shared.versions.computeIfAbsent(tenantId, id -> new InMemoryVersions())));
    }

    private <T> T locked(Supplier<T> work) {
        return shared.locked(work);
    }

    @Override
    public void close() {
        shared.changes.signal();
    }

    /** The keys by which repeated calls of a tenant find runs, the oldest first. */
    static final class Keys {

        private final Map<String, Used> used = new LinkedHashMap<>();

        private record Used(Append.IdempotencyKey key, String runId, Instant at) {}

        /** Fail if a key has been used by another append. */
        void requireUnused(List<Append> appends) {
            for (Append append : appends) {
                append.idempotencyKey().ifPresent(key -> find(key, append.at()).ifPresent(run -> {
                    throw new IdempotencyKeyException(run.value(), key.digest());
                }));
            }
        }

        /** Return the run that has used a key. */
        Optional<RunId> find(Append.IdempotencyKey key, Instant at) {
            Used before = used.get(key.id());
            if (before == null || isOver(before, at)) {
                return Optional.empty();
            }
            if (!before.key().digest().equals(key.digest())) {
                throw new IdempotencyKeyException(before.runId(), before.key().digest());
            }
            return Optional.of(new RunId(before.runId()));
        }

        /** Keep the keys of appends. */
        void add(List<Append> appends) {
            for (Append append : appends) {
                append.idempotencyKey().ifPresent(key -> {
                    deleteSome(append.at());
                    used.put(key.id(), new Used(key, append.runId().value(), append.at()));
                });
            }
        }

        void deleteOf(RunId run) {
            used.values().removeIf(key -> key.runId().equals(run.value()));
        }

        private void deleteSome(Instant now) {
            int left = Append.IdempotencyKey.MOST_DELETED;
            for (Iterator<Used> each = used.values().iterator(); each.hasNext() && left > 0; ) {
                Used old = each.next();
                if (isOver(old, now)) {
                    each.remove();
                    left--;
                }
            }
        }

        private static boolean isOver(Used before, Instant now) {
            return before.at().isBefore(now.minus(Append.IdempotencyKey.VALIDITY));
        }
    }
}
