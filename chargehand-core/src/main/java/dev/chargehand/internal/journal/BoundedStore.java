package dev.chargehand.internal.journal;

import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.Delivery.Delivered;
import dev.chargehand.store.DueRuns;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.TreeFact;
import dev.chargehand.store.WaitingCall;
import dev.chargehand.store.WaitingCall.WaitingFilter;
import dev.chargehand.store.deletion.Deletion;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.version.VersionStore;
import dev.chargehand.thread.ThreadChange;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A store whose every call ends within a limit, with a typed error if need be, regardless of the underlying store. */
public final class BoundedStore implements Store {

    private final Store store;
    private final BoundedStoreCalls calls;

    private BoundedStore(Store store, BoundedStoreCalls calls) {
        this.store = store;
        this.calls = calls;
    }

    /** Bound a store; the one in memory never waits and is returned as it is. */
    public static Store over(Store store, BoundedCalls callouts, Duration limit) {
        return store instanceof InMemoryStore
                ? store
                : new BoundedStore(store, BoundedStoreCalls.to(store, callouts, limit));
    }

    @Override
    public Store forTenant(String tenantId) {
        return new BoundedStore(store.forTenant(tenantId), calls);
    }

    @Override
    public List<RunRecord> listOfAllTenants(RunFilter filter) {
        return calls.run("list runs", () -> store.listOfAllTenants(filter));
    }

    @Override
    public int delete(Deletion what) {
        return calls.run("delete", () -> store.delete(what));
    }

    /** Store facts; if the outcome is unknown, the store is read, and stored facts are not a failure. */
    @Override
    public Appended append(List<Append> appends) {
        Append last = appends.getLast();
        return calls.determined(
                "append to run " + last.runId(),
                () -> store.append(appends),
                () -> isStored(last) ? Optional.of(stored(last)) : Optional.empty());
    }

    /** Return what the store would have answered. */
    private Appended stored(Append append) {
        long lastIndex = append.expectedLength() + append.facts().size() - 1;
        return store.readTree(append.rootRunId(), 0, Integer.MAX_VALUE).stream()
                .filter(fact -> fact.runId().equals(append.runId()) && fact.index() == lastIndex)
                .map(fact -> appended(append.rootRunId(), fact.position()))
                .findFirst()
                .orElseGet(() -> appended(append.rootRunId(), 0));
    }

    private Appended appended(RunId root, long position) {
        List<Delivery> undrained = store.undrained(root);
        long wakes =
                undrained.stream().filter(delivery -> delivery.kind().wakes()).count();
        return new Appended(position, undrained.size(), wakes);
    }

    private boolean isStored(Append append) {
        List<FactEntry> there = store.read(append.runId(), append.expectedLength());
        List<FactEntry> meant = append.facts();
        if (meant.isEmpty() || there.size() < meant.size()) {
            return false;
        }
        for (int i = 0; i < meant.size(); i++) {
            if (!there.get(i).type().equals(meant.get(i).type())
                    || !there.get(i).text().equals(meant.get(i).text())) {
                return false;
            }
        }
        return true;
    }

    @Override
    public List<FactEntry> read(RunId runId, long from) {
        return calls.run("read run " + runId, () -> store.read(runId, from));
    }

    /** Store a delivery; if the outcome is unknown, it is delivered again, which changes nothing if it is stored. */
    @Override
    public Delivered deliver(Delivery delivery) {
        return calls.determined(
                "deliver to run " + delivery.to(),
                () -> store.deliver(delivery),
                () -> Optional.of(delivered(store.deliver(delivery), delivery)));
    }

    private static Delivered delivered(Delivered again, Delivery delivery) {
        return again instanceof Delivered.Duplicate stored && stored.digest().equals(delivery.digest())
                ? new Delivered.Accepted()
                : again;
    }

    @Override
    public List<Delivery> undrained(RunId root) {
        return calls.run("read the deliveries to run " + root, () -> store.undrained(root));
    }

    @Override
    public List<WaitingCall> waiting(RunId root) {
        return calls.run("read the waiting calls of run " + root, () -> store.waiting(root));
    }

    @Override
    public List<WaitingFilter.Listed> waiting(WaitingFilter filter) {
        return calls.run("list the waiting calls", () -> store.waiting(filter));
    }

    @Override
    public Optional<RunId> findKeyed(Append.IdempotencyKey key, Instant at) {
        return calls.run("find the run of an idempotency key", () -> store.findKeyed(key, at));
    }

    @Override
    public boolean index(Append derived) {
        return calls.run("index run " + derived.runId(), () -> store.index(derived));
    }

    @Override
    public List<TreeFact> readTree(RunId root, long after, int limit) {
        return calls.run("read the tree of run " + root, () -> store.readTree(root, after, limit));
    }

    @Override
    public Optional<RunRecord> find(RunId runId) {
        return calls.run("find run " + runId, () -> store.find(runId));
    }

    @Override
    public List<RunRecord> list(RunFilter filter) {
        return calls.run("list runs", () -> store.list(filter));
    }

    @Override
    public RunRecord claim(RunId runId, long expectedEpoch, long expectedLength, String owner) {
        return calls.determined(
                "claim run " + runId,
                () -> store.claim(runId, expectedEpoch, expectedLength, owner),
                () -> claimed(runId, expectedEpoch, expectedLength, owner));
    }

    @Override
    public RunRecord claimToWake(
            RunId runId, long expectedEpoch, long expectedLength, String owner, Instant notBefore) {
        return calls.determined(
                "claim run " + runId,
                () -> store.claimToWake(runId, expectedEpoch, expectedLength, owner, notBefore),
                () -> claimed(runId, expectedEpoch, expectedLength, owner));
    }

    private Optional<RunRecord> claimed(RunId runId, long expectedEpoch, long expectedLength, String owner) {
        return store.find(runId)
                .filter(run -> run.owner().equals(owner)
                        && run.epoch() == expectedEpoch + 1
                        && run.length() == expectedLength);
    }

    @Override
    public DueRuns due(DueRuns.Query query) {
        return calls.run("look for due runs", () -> store.due(query));
    }

    @Override
    public void release(RunId root, long epoch) {
        calls.run("release run " + root, () -> {
            store.release(root, epoch);
            return null;
        });
    }

    @Override
    public void heartbeat(String owner, Duration timeToLive) {
        calls.run("heartbeat", () -> {
            store.heartbeat(owner, timeToLive);
            return null;
        });
    }

    @Override
    public boolean keepsThread(RunId runId) {
        return calls.run("look for a thread", () -> store.keepsThread(runId));
    }

    @Override
    public boolean isAlive(String owner) {
        return calls.run("look for an owner", () -> store.isAlive(owner));
    }

    /** Not on a thread of its own: its callers wait on threads that hold nothing else up. */
    @Override
    public long awaitChange(long seen, Duration atMost) {
        return store.awaitChange(seen, atMost);
    }

    @Override
    public Optional<ThreadRecord> findThread(String threadId) {
        return calls.run("find a thread", () -> store.findThread(threadId));
    }

    @Override
    public List<ThreadEntry> readThread(String threadId, ThreadOwner owner, long before, int last) {
        return calls.run("read a thread", () -> store.readThread(threadId, owner, before, last));
    }

    @Override
    public List<ThreadRecord> listThreads(ThreadRecord.Filter filter) {
        return calls.run("list threads", () -> store.listThreads(filter));
    }

    @Override
    public List<ThreadEntry> readThreadFrom(String threadId, ThreadOwner owner, long from, int most) {
        return calls.run("read a thread", () -> store.readThreadFrom(threadId, owner, from, most));
    }

    @Override
    public boolean createThread(ThreadRecord thread) {
        return calls.run("create a thread", () -> store.createThread(thread));
    }

    @Override
    public ThreadRecord appendToThread(ThreadAppend messages, Instant at) {
        return calls.run("append to a thread", () -> store.appendToThread(messages, at));
    }

    @Override
    public ThreadRecord changeThread(String threadId, ThreadOwner owner, ThreadChange change, Instant at) {
        return calls.run("change a thread", () -> store.changeThread(threadId, owner, change, at));
    }

    @Override
    public boolean copyThread(ThreadRecord.Source from, long before, ThreadRecord to) {
        return calls.run("copy a thread", () -> store.copyThread(from, before, to));
    }

    @Override
    public Optional<MemoryStore> memory() {
        return store.memory().map(memory -> new BoundedMemoryStore(memory, calls));
    }

    @Override
    public Optional<VersionStore> versions() {
        return store.versions().map(versions -> new BoundedVersionStore(versions, calls));
    }

    @Override
    public void close() {
        calls.close(store::close);
    }
}
