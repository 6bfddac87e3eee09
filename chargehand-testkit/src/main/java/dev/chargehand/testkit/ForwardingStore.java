package dev.chargehand.testkit;

import dev.chargehand.run.RunId;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.Delivery.Delivered;
import dev.chargehand.store.DueRuns;
import dev.chargehand.store.FactEntry;
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

/**
 * A store that passes every call on to another, for tests that change or watch some of them. As thread-safe as the
 * store behind it.
 */
public abstract class ForwardingStore implements Store {

    private final Store store;

    /** Make a store over another. */
    protected ForwardingStore(Store store) {
        this.store = store;
    }

    /** Return this store for {@link #LOCAL}, and for other tenants the view of the store behind it. */
    @Override
    public Store forTenant(String tenantId) {
        return tenantId.equals(LOCAL) ? this : store.forTenant(tenantId);
    }

    @Override
    public List<RunRecord> listOfAllTenants(RunFilter filter) {
        return store.listOfAllTenants(filter);
    }

    @Override
    public int delete(Deletion what) {
        return store.delete(what);
    }

    @Override
    public Appended append(List<Append> appends) {
        return store.append(appends);
    }

    @Override
    public List<FactEntry> read(RunId runId, long from) {
        return store.read(runId, from);
    }

    @Override
    public Delivered deliver(Delivery delivery) {
        return store.deliver(delivery);
    }

    @Override
    public List<Delivery> undrained(RunId root) {
        return store.undrained(root);
    }

    @Override
    public List<WaitingCall> waiting(RunId root) {
        return store.waiting(root);
    }

    @Override
    public List<WaitingFilter.Listed> waiting(WaitingFilter filter) {
        return store.waiting(filter);
    }

    @Override
    public Optional<RunId> findKeyed(Append.IdempotencyKey key, Instant at) {
        return store.findKeyed(key, at);
    }

    @Override
    public boolean index(Append derived) {
        return store.index(derived);
    }

    @Override
    public List<TreeFact> readTree(RunId root, long after, int limit) {
        return store.readTree(root, after, limit);
    }

    @Override
    public Optional<RunRecord> find(RunId runId) {
        return store.find(runId);
    }

    @Override
    public List<RunRecord> list(RunFilter filter) {
        return store.list(filter);
    }

    @Override
    public RunRecord claim(RunId runId, long expectedEpoch, long expectedLength, String owner) {
        return store.claim(runId, expectedEpoch, expectedLength, owner);
    }

    @Override
    public RunRecord claimToWake(
            RunId runId, long expectedEpoch, long expectedLength, String owner, Instant notBefore) {
        return store.claimToWake(runId, expectedEpoch, expectedLength, owner, notBefore);
    }

    @Override
    public DueRuns due(DueRuns.Query query) {
        return store.due(query);
    }

    @Override
    public void release(RunId root, long epoch) {
        store.release(root, epoch);
    }

    @Override
    public void heartbeat(String owner, Duration timeToLive) {
        store.heartbeat(owner, timeToLive);
    }

    @Override
    public boolean keepsThread(RunId runId) {
        return store.keepsThread(runId);
    }

    @Override
    public boolean isAlive(String owner) {
        return store.isAlive(owner);
    }

    @Override
    public long awaitChange(long seen, Duration atMost) {
        return store.awaitChange(seen, atMost);
    }

    @Override
    public Optional<ThreadRecord> findThread(String threadId) {
        return store.findThread(threadId);
    }

    @Override
    public List<ThreadEntry> readThread(String threadId, ThreadOwner owner, long before, int last) {
        return store.readThread(threadId, owner, before, last);
    }

    @Override
    public List<ThreadRecord> listThreads(ThreadRecord.Filter filter) {
        return store.listThreads(filter);
    }

    @Override
    public List<ThreadEntry> readThreadFrom(String threadId, ThreadOwner owner, long from, int limit) {
        return store.readThreadFrom(threadId, owner, from, limit);
    }

    @Override
    public boolean createThread(ThreadRecord thread) {
        return store.createThread(thread);
    }

    @Override
    public ThreadRecord appendToThread(ThreadAppend messages, Instant at) {
        return store.appendToThread(messages, at);
    }

    @Override
    public ThreadRecord changeThread(String threadId, ThreadOwner owner, ThreadChange change, Instant at) {
        return store.changeThread(threadId, owner, change, at);
    }

    @Override
    public boolean copyThread(ThreadRecord.Source from, long before, ThreadRecord to) {
        return store.copyThread(from, before, to);
    }

    @Override
    public Optional<MemoryStore> memory() {
        return store.memory();
    }

    @Override
    public Optional<VersionStore> versions() {
        return store.versions();
    }

    @Override
    public void close() {
        store.close();
    }
}
