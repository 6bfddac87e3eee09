package dev.chargehand.testkit;

import dev.chargehand.error.StoreException;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Fails, hangs or dawdles on plan, and counts calls; everything else goes to the store behind it.
 *
 * <p>A plan names an operation and which call of it is hit, from 1; a call may be hit by several plans, which act in
 * the order of planning. To fail at every point of a program: run it once, read {@link #count} of {@link
 * Operation#ANY}, and run it again with a fault at each number up to that one.
 *
 * <pre>{@code
 * FaultyStore store = FaultyStore.over(InMemoryStore.create()).failOn(Operation.APPEND, 2);
 * }</pre>
 *
 * <p>Thread-safe; concurrent calls are numbered in the order in which they arrive.
 */
public final class FaultyStore implements Store {

    /** A method of a store, or of its {@link Store#memory() memory} or {@link Store#versions() versions}. */
    public enum Operation {
        /** Any call except {@link Store#awaitChange}, {@link Store#due}, {@link MemoryStore#due} and {@link Store#close()}; the calls are numbered together. */
        ANY,
        /** {@link Store#append}. */
        APPEND,
        /** {@link Store#deliver}. */
        DELIVER,
        /** {@link Store#undrained}. */
        UNDRAINED,
        /** {@link Store#waiting(RunId)} and {@link Store#waiting(WaitingFilter)}. */
        WAITING,
        /** {@link Store#index}. */
        INDEX,
        /** {@link Store#read} and {@link Store#readTree}. */
        READ,
        /** {@link Store#find}. */
        FIND,
        /** {@link Store#list} and {@link Store#listOfAllTenants}. */
        LIST,
        /** {@link Store#delete}. */
        DELETE,
        /** {@link Store#claim} and {@link Store#claimToWake}. */
        CLAIM,
        /** {@link Store#release}. */
        RELEASE,
        /** {@link Store#heartbeat}. */
        HEARTBEAT,
        /** {@link Store#isAlive} and {@link Store#keepsThread}. */
        IS_ALIVE,
        /** {@link Store#findThread}. */
        FIND_THREAD,
        /** {@link Store#readThread} and {@link Store#readThreadFrom}. */
        READ_THREAD,
        /** {@link Store#listThreads} and {@link MemoryStore#threads}. */
        LIST_THREADS,
        /** {@link Store#createThread}, {@link Store#appendToThread}, {@link Store#changeThread} and {@link Store#copyThread}. */
        CHANGE_THREAD,
        /** {@link MemoryStore#take} and {@link MemoryStore#giveBack}. */
        TAKE_MEMORY_WORK,
        /** {@link MemoryStore#indexed}. */
        READ_INDEXED,
        /** {@link MemoryStore#index}. */
        INDEX_THREAD,
        /** {@link MemoryStore#title}. */
        TITLE_THREAD,
        /** {@link MemoryStore#historyFrom} and {@link MemoryStore#moveHistory}. */
        MOVE_HISTORY,
        /** Both {@code observations} of {@link MemoryStore}, and {@link MemoryStore#observedThreads}. */
        READ_OBSERVATIONS,
        /** {@link MemoryStore#observe}. */
        OBSERVE,
        /** {@link MemoryStore#reflect}. */
        REFLECT,
        /** {@link MemoryStore#nearest}. */
        SEARCH,
        /** {@link MemoryStore#deleteVectors}. */
        DELETE_VECTORS,
        /** Both {@code workingMemory} of {@link MemoryStore}. */
        READ_WORKING_MEMORY,
        /** {@link MemoryStore#edit}. */
        EDIT_WORKING_MEMORY,
        /** {@link MemoryStore#addUsage}. */
        ADD_MEMORY_USAGE,
        /** {@link MemoryStore#usage}. */
        READ_MEMORY_USAGE,
        /** {@link VersionStore#find}, {@link VersionStore#latest}, {@link VersionStore#published} and {@link VersionStore#list}. */
        READ_VERSIONS,
        /** {@link VersionStore#save}, {@link VersionStore#publish} and {@link VersionStore#delete}. */
        CHANGE_VERSIONS
    }

    private final Store store;
    private final FaultPlan plan;

    private FaultyStore(Store store, FaultPlan plan) {
        this.store = store;
        this.plan = plan;
    }

    /** Put a store without any faults yet before another one, and close that one when it is closed. */
    public static FaultyStore over(Store store) {
        return new FaultyStore(store, new FaultPlan());
    }

    /** Return a view with the same plan: the calls for all tenants are numbered together. */
    @Override
    public Store forTenant(String tenantId) {
        return new FaultyStore(store.forTenant(tenantId), plan);
    }

    /** Make a call throw a {@link StoreException} of kind {@code FAILED} and do nothing. */
    public FaultyStore failOn(Operation operation, int nth) {
        return failOn(
                operation,
                nth,
                () -> new StoreException(
                        StoreException.Kind.FAILED, "Planned fault: " + operation + " call " + nth + " failed.", null));
    }

    /** Make a call throw an exception and do nothing. */
    public FaultyStore failOn(Operation operation, int nth, Supplier<? extends RuntimeException> exception) {
        plan.before(operation, nth, () -> {
            throw exception.get();
        });
        return this;
    }

    /**
     * Make a call do what it should and then throw a {@link StoreException} of kind {@code TIMEOUT}: the one after
     * which a write may have been stored.
     */
    public FaultyStore failAfter(Operation operation, int nth) {
        plan.after(operation, nth, () -> {
            throw new StoreException(
                    StoreException.Kind.TIMEOUT,
                    "Planned fault: " + operation + " call " + nth + " was done, but not answered.",
                    null);
        });
        return this;
    }

    /**
     * Make a call wait until {@link #release} or {@link #close}, regardless of interrupts; the interrupt is kept.
     * After a release it does what it should, after a close it throws a {@link StoreException} of kind {@code
     * UNUSABLE}.
     */
    public FaultyStore hangOn(Operation operation, int nth) {
        plan.before(operation, nth, () -> plan.hang(FaultPlan.FOR_EVER));
        return this;
    }

    /**
     * Make a call wait for a while, or until {@link #release} or {@link #close}, and then continue like a hanging one.
     */
    public FaultyStore slowOn(Operation operation, int nth, Duration delay) {
        plan.before(operation, nth, () -> plan.hang(delay));
        return this;
    }

    /** Let all hanging and slow calls continue; those that come later hang again. */
    public void release() {
        plan.release();
    }

    /** Wait until so many calls hang or dawdle, so that a test need not guess when they do. */
    public void awaitHanging(int calls) throws InterruptedException {
        plan.awaitHanging(calls);
    }

    /** Return how many calls of an operation have arrived, failed ones included. */
    public int count(Operation operation) {
        return plan.count(operation);
    }

    @Override
    public Appended append(List<Append> appends) {
        return call(Operation.APPEND, () -> store.append(appends));
    }

    @Override
    public List<FactEntry> read(RunId runId, long from) {
        return call(Operation.READ, () -> store.read(runId, from));
    }

    @Override
    public Delivered deliver(Delivery delivery) {
        return call(Operation.DELIVER, () -> store.deliver(delivery));
    }

    @Override
    public List<Delivery> undrained(RunId root) {
        return call(Operation.UNDRAINED, () -> store.undrained(root));
    }

    @Override
    public List<WaitingCall> waiting(RunId root) {
        return call(Operation.WAITING, () -> store.waiting(root));
    }

    @Override
    public List<WaitingFilter.Listed> waiting(WaitingFilter filter) {
        return call(Operation.WAITING, () -> store.waiting(filter));
    }

    @Override
    public Optional<RunId> findKeyed(Append.IdempotencyKey key, Instant at) {
        return call(Operation.FIND, () -> store.findKeyed(key, at));
    }

    @Override
    public boolean index(Append derived) {
        return call(Operation.INDEX, () -> store.index(derived));
    }

    @Override
    public List<TreeFact> readTree(RunId root, long after, int limit) {
        return call(Operation.READ, () -> store.readTree(root, after, limit));
    }

    @Override
    public Optional<RunRecord> find(RunId runId) {
        return call(Operation.FIND, () -> store.find(runId));
    }

    @Override
    public List<RunRecord> list(RunFilter filter) {
        return call(Operation.LIST, () -> store.list(filter));
    }

    @Override
    public List<RunRecord> listOfAllTenants(RunFilter filter) {
        return call(Operation.LIST, () -> store.listOfAllTenants(filter));
    }

    @Override
    public int delete(Deletion what) {
        return call(Operation.DELETE, () -> store.delete(what));
    }

    @Override
    public RunRecord claim(RunId runId, long expectedEpoch, long expectedLength, String owner) {
        return call(Operation.CLAIM, () -> store.claim(runId, expectedEpoch, expectedLength, owner));
    }

    @Override
    public RunRecord claimToWake(
            RunId runId, long expectedEpoch, long expectedLength, String owner, Instant notBefore) {
        return call(Operation.CLAIM, () -> store.claimToWake(runId, expectedEpoch, expectedLength, owner, notBefore));
    }

    /** Not counted: how often it is called depends on how long a program takes. */
    @Override
    public DueRuns due(DueRuns.Query query) {
        return store.due(query);
    }

    @Override
    public void release(RunId root, long epoch) {
        call(Operation.RELEASE, () -> {
            store.release(root, epoch);
            return null;
        });
    }

    @Override
    public void heartbeat(String owner, Duration timeToLive) {
        call(Operation.HEARTBEAT, () -> {
            store.heartbeat(owner, timeToLive);
            return null;
        });
    }

    @Override
    public boolean keepsThread(RunId runId) {
        return call(Operation.IS_ALIVE, () -> store.keepsThread(runId));
    }

    @Override
    public boolean isAlive(String owner) {
        return call(Operation.IS_ALIVE, () -> store.isAlive(owner));
    }

    /** Not counted: how often it is called depends on how long a program takes. */
    @Override
    public long awaitChange(long seen, Duration atMost) {
        return store.awaitChange(seen, atMost);
    }

    @Override
    public Optional<ThreadRecord> findThread(String threadId) {
        return call(Operation.FIND_THREAD, () -> store.findThread(threadId));
    }

    @Override
    public List<ThreadEntry> readThread(String threadId, ThreadOwner owner, long before, int last) {
        return call(Operation.READ_THREAD, () -> store.readThread(threadId, owner, before, last));
    }

    @Override
    public List<ThreadRecord> listThreads(ThreadRecord.Filter filter) {
        return call(Operation.LIST_THREADS, () -> store.listThreads(filter));
    }

    @Override
    public List<ThreadEntry> readThreadFrom(String threadId, ThreadOwner owner, long from, int limit) {
        return call(Operation.READ_THREAD, () -> store.readThreadFrom(threadId, owner, from, limit));
    }

    @Override
    public boolean createThread(ThreadRecord thread) {
        return call(Operation.CHANGE_THREAD, () -> store.createThread(thread));
    }

    @Override
    public ThreadRecord appendToThread(ThreadAppend messages, Instant at) {
        return call(Operation.CHANGE_THREAD, () -> store.appendToThread(messages, at));
    }

    @Override
    public ThreadRecord changeThread(String threadId, ThreadOwner owner, ThreadChange change, Instant at) {
        return call(Operation.CHANGE_THREAD, () -> store.changeThread(threadId, owner, change, at));
    }

    @Override
    public boolean copyThread(ThreadRecord.Source from, long before, ThreadRecord to) {
        return call(Operation.CHANGE_THREAD, () -> store.copyThread(from, before, to));
    }

    @Override
    public Optional<MemoryStore> memory() {
        return store.memory().map(memory -> new FaultyMemoryStore(memory, plan));
    }

    @Override
    public Optional<VersionStore> versions() {
        return store.versions().map(versions -> new FaultyVersionStore(versions, plan));
    }

    /** End all hanging calls and close the store behind. */
    @Override
    public void close() {
        plan.close();
        store.close();
    }

    private <T extends @Nullable Object> T call(Operation operation, Supplier<T> work) {
        return plan.call(operation, work);
    }
}
