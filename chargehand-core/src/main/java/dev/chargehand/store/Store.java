package dev.chargehand.store;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.annotation.Experimental;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.IdempotencyKeyException;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Delivery.Delivered;
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
 * A store of runs and threads.
 *
 * <p>One interface, because they commit together. Facts are stored when {@link #append} has returned: they survive a
 * crash of the process, for a store that is not in memory. Thread-safe. Every method may throw {@link StoreException};
 * after one, nothing of the call is stored, but for {@link StoreException.Kind#TIMEOUT}, where it may be.
 *
 * <p>Texts and ids are kept as they are; times at least to the millisecond.
 *
 * <p>Everything belongs to a tenant. A store is a view of what belongs to one, {@link #LOCAL} unless it comes from
 * {@link #forTenant}: a run or thread of another tenant is missing for every method. Only {@link #listOfAllTenants},
 * {@link #due} and some {@link Deletion deletions} concern the runs of all tenants; owners, changes and {@link #close} are common to all. The ids of runs are
 * unique in the whole store, those of threads and idempotency keys within a tenant.
 *
 * <p>The store contract tests of the test kit verify an implementation. Experimental: methods will be added, with
 * changes that an implementation has to follow.
 */
@Experimental
public interface Store extends AutoCloseable {

    /** The tenant without {@link #forTenant}, to whom everything belongs that was stored before there were tenants. */
    String LOCAL = "local";

    /** How long the id of a tenant may be. */
    int LONGEST_TENANT_ID = 128;

    /**
     * Return a view of this store for a tenant. Views are cheap, share everything with the store, and need not be
     * closed; closing one closes the store.
     *
     * @param tenantId 1 to {@value #LONGEST_TENANT_ID} characters
     * @throws ConfigurationException if the id is not valid
     */
    @CheckReturnValue
    Store forTenant(String tenantId);

    /**
     * Return within which time every call but {@link #close} returns or throws, also if the database hangs and on
     * an interrupted thread. A runtime calls such a store on its own threads; one that promises nothing, the default,
     * it calls on threads that it can abandon.
     */
    default Optional<Duration> answersWithin() {
        return Optional.empty();
    }

    /**
     * Check the id of a tenant.
     *
     * @return the id
     * @throws ConfigurationException if it does not have 1 to {@value #LONGEST_TENANT_ID} characters
     */
    static String requireTenantId(String tenantId) {
        if (tenantId.isEmpty() || tenantId.length() > LONGEST_TENANT_ID) {
            throw new ConfigurationException(
                    "A tenant id has 1 to " + LONGEST_TENANT_ID + " characters, not " + tenantId.length() + ".");
        }
        return tenantId;
    }

    /**
     * Store facts of one run and messages of threads in one transaction, as {@link #append(List)} does.
     *
     * @throws StoreException {@code FENCED}, {@code NOT_FOUND}
     * @throws ThreadOwnershipException if a thread belongs to another owner
     * @throws ThreadBusyException if the run takes its thread, and another run has it
     */
    default Appended append(Append append) {
        return append(List.of(append));
    }

    /**
     * Store facts of runs of one tree and messages of threads in one transaction, in the order of the list.
     *
     * <p>The facts of a tree have one order, without gaps: each gets the next <em>tree position</em>, from 1. The epoch
     * of the root run is that of its whole tree: another epoch rejects appends to nested runs too.
     *
     * <p>A root run that takes its thread is rejected while another root run of that thread is running and its owner is
     * alive, by the store's clock; of many that take it at once, in any number of processes, one gets it. A thread is
     * free again when its run is not running any more. A run without a thread has nothing to take.
     *
     * <p>A store may let a run keep its thread for a while after its owner has released it or died, so that it is resumed
     * before later runs. After that, another run takes the thread from it: of several running runs on a thread the one
     * that took it last has it, and a claim takes it from none.
     *
     * <p>Runs that were stored as pending have their turn before all that are stored later: a run that takes its thread
     * is rejected, too, while an older run of that thread is pending.
     *
     * <p>An append drains the deliveries that it names: they have been read. One that suspends a root run is rejected
     * with {@code DELIVERED} while a delivery to its tree that wakes is undrained; one that suspends a nested run, while
     * a delivery to that run is that wakes; one that {@link Append#readsAllMessages reads all messages}, while a message
     * to the run is. With a run that ends, all deliveries to it are drained.
     *
     * <p>The first append of a background task is rejected if the run that starts it has ended or is missing, and with {@code DELIVERED}
     * while a cancel of that run is undrained: of a run that is cancelled, no task starts any more. Later attempts are not.
     *
     * <p>An append may give {@link Append#results() results of background tasks} to a model: it is rejected with {@code
     * ALREADY_READ} if another run has done so, and so is one whose first message must get {@link ThreadEntry#position another place} in
     * its thread than it would. The changes by the {@link Append#taskEnd() end of a task},
     * and the {@link Append#next() run that comes next}, are stored in the same transaction.
     *
     * <p>An idempotency key is stored with its run. If it is stored already, and not older than {@link
     * Append.IdempotencyKey#VALIDITY} by the times of the appends, the append is rejected; an older one is replaced. An append
     * with a key deletes some keys of its tenant that are older, at most {@link Append.IdempotencyKey#MOST_DELETED}.
     *
     * @param appends at least one; all have the same root run and epoch, and no two are to the same run
     * @throws StoreException {@code FENCED} if another owner has taken the tree or an expected length is not the
     *     stored one, or a delivery to drain is missing or drained, or the run that starts a task has ended; {@code DELIVERED}; {@code ALREADY_READ}; {@code NOT_FOUND} if a run or its root run is missing and {@code newRun} is empty
     * @throws ThreadOwnershipException if a thread belongs to another owner
     * @throws ThreadBusyException if a run takes its thread, and another run has it
     * @throws IdempotencyKeyException if an idempotency key is stored already, which comes before a busy thread
     */
    Appended append(List<Append> appends);

    /**
     * Store something for a run to read, if it can be read: the run has not ended, and a delivery that answers a call
     * finds the call waiting and not answered. It is stored once by its id and survives a power cut. A message that is stored already is a
     * duplicate also if the run has ended, as long as the run is stored.
     */
    Delivered deliver(Delivery delivery);

    /**
     * Return the run that an idempotency key has started, if it is stored and counts.
     *
     * @param at the moment by which it counts, as that of an append
     * @throws IdempotencyKeyException if it is stored with another digest
     */
    Optional<RunId> findKeyed(Append.IdempotencyKey key, Instant at);

    /** Return the deliveries to a tree of runs that have not been read, in the order in which they were stored. */
    List<Delivery> undrained(RunId root);

    /** Return the calls of a tree of runs that wait and are not answered, the first to expire first. */
    List<WaitingCall> waiting(RunId root);

    /**
     * Return a page of the calls that wait for an answer, of runs that have not ended and whose root runs have not ended, the one
     * that waits longest first; those of one moment in the order of the ids of their runs, then of their own.
     */
    List<WaitingFilter.Listed> waiting(WaitingFilter filter);

    /**
     * Store what is derived from the facts of a run: its summary, its expiry and all its waiting calls, for a run whose
     * derived values are missing or of a lower {@link RunSummary#VERSION version}. Does nothing for other runs, or if
     * the run has changed: its tree has another epoch, or it has another number of facts.
     *
     * @param derived an append without facts to the run as it was read, with its summary
     * @return whether what is derived from the run is stored now
     */
    boolean index(Append derived);

    /** Return the facts of a run from a position on, from 0, in order; empty if there are none. */
    List<FactEntry> read(RunId runId, long from);

    /**
     * Return the facts of a tree of runs after a tree position, in the order in which they were stored. Facts that a
     * version without this order stored have no tree position and are not returned.
     *
     * @param root the root run
     * @param after a tree position; 0 for the first fact
     * @param limit how many at most
     * @return empty if there are none, or the run is missing
     */
    List<TreeFact> readTree(RunId root, long after, int limit);

    /** Return the record of a run. */
    Optional<RunRecord> find(RunId runId);

    /**
     * Return records of runs, newest first; those of one moment in descending order of their ids.
     *
     * @throws StoreException {@code NOT_FOUND} if the run to continue after is missing
     */
    List<RunRecord> list(RunFilter filter);

    /**
     * Return records of the runs of all tenants, as {@link #list} does: for the program, and not for its
     * users.
     *
     * @throws StoreException {@code NOT_FOUND} if the run to continue after is missing
     */
    List<RunRecord> listOfAllTenants(RunFilter filter);

    /**
     * Take a root run over, with its nested runs, as the caller saw it: its owner changes, its epoch grows by one, and
     * writers to a run of its tree with an older epoch are rejected from now on.
     *
     * @param expectedEpoch the epoch the caller saw; another one is rejected
     * @param expectedLength the number of facts the caller saw; another one is rejected, for the process that has
     *     written since is running
     * <p>A pending run takes its thread with that, and is running then.
     *
     * @return the record after the change
     * @throws StoreException {@code FENCED} if the epoch or the length is another, {@code NOT_FOUND} if the run is
     *     missing
     * @throws ThreadBusyException if it is pending, and its thread is not free or an older pending run waits for that
     */
    RunRecord claim(RunId runId, long expectedEpoch, long expectedLength, String owner);

    /**
     * Take a root run over as {@link #claim} does, for a wake-up: one more attempt is counted, and the run is not due
     * again before a moment. An append that stores more than the start of a resumption sets both back.
     *
     * @param notBefore when the next attempt may be made
     * @return the record after the change
     * @throws StoreException {@code FENCED} and {@code NOT_FOUND} as {@link #claim}
     * @throws ThreadBusyException as {@link #claim}
     */
    RunRecord claimToWake(RunId runId, long expectedEpoch, long expectedLength, String owner, Instant notBefore);

    /** Return what a process has to do for the runs of all tenants now, read at one moment. */
    DueRuns due(DueRuns.Query query);

    /**
     * Give a tree of runs up, so that any process may resume it at once: the owner of the root run becomes the empty
     * name, which no process has, and its epoch grows by one. Writers with an older epoch are rejected from then on. A
     * run that has ended stays as it is.
     *
     * @param root the root run
     * @param epoch the epoch of the root run as the caller knows it; another one is rejected
     * @throws StoreException {@code FENCED} if the epoch is another, {@code NOT_FOUND} if the run does not exist
     */
    void release(RunId root, long epoch);

    /**
     * Delete something for good, in one transaction.
     *
     * @param what says what is deleted and counted
     * @return how many were deleted; 0 if there are none to delete
     * @throws ThreadOwnershipException if a thread belongs to another owner
     * @throws ThreadBusyException {@code resource-busy} if a run keeps it from being deleted
     */
    int delete(Deletion what);

    /** Delete a thread, as {@link Deletion.OneThread} says; returns whether it existed. */
    default boolean deleteThread(String threadId, ThreadOwner owner) {
        return delete(new Deletion.OneThread(threadId, owner)) > 0;
    }

    /** Say that an owner is alive for a while longer; a time to live of zero says that it is gone. */
    void heartbeat(String owner, Duration timeToLive);

    /** Return whether an owner's last heartbeat is still valid, by the store's clock. */
    boolean isAlive(String owner);

    /**
     * Return whether a root run whose owner is dead, or has released it, still keeps its thread; see {@link
     * #append(List)}. A run that waits for the thread asks this. False in a store in which no run does.
     */
    default boolean keepsThread(RunId runId) {
        return false;
    }

    /**
     * Wait until something may have changed in the store, by any process. A delivery, a release, and an append after
     * which a run is suspended or pending, or a root run has ended, are noticed at once if they are made through this
     * object, every other change within 250 ms. An interrupt ends the wait and is kept. Nothing is written.
     *
     * @param seen what this method of this object returned before the caller read the store last; 0 to return at once
     * @param atMost how long to wait at most
     * @return another number if something may have changed, else {@code seen}
     */
    long awaitChange(long seen, Duration atMost);

    /** Return the record of a thread. */
    Optional<ThreadRecord> findThread(String threadId);

    /**
     * Return the last messages of a thread before a position, oldest first; those that were deleted are missing.
     *
     * @param owner whom the thread must belong to
     * @param before a position, from 0; {@link Long#MAX_VALUE} for the end
     * @param last how many at most
     * @throws ThreadOwnershipException if the thread belongs to another owner; nothing is read then
     */
    List<ThreadEntry> readThread(String threadId, ThreadOwner owner, long before, int last);

    /**
     * Return the messages of a thread from a position on, oldest first; those that were deleted are missing.
     *
     * @param owner whom the thread must belong to
     * @param from a position, from 0
     * @param limit how many at most
     * @throws ThreadOwnershipException if the thread belongs to another owner; nothing is read then
     */
    List<ThreadEntry> readThreadFrom(String threadId, ThreadOwner owner, long from, int limit);

    /**
     * Return records of an owner's threads, the one that was changed last first; those of one moment in descending order of
     * their ids. Of a thread that has been deleted there are no copies, also if another one has its id by now.
     */
    List<ThreadRecord> listThreads(ThreadRecord.Filter filter);

    /** Return records of a resource's conversations, as {@link #listThreads(ThreadRecord.Filter)} does. */
    default List<ThreadRecord> listThreads(String resourceId, int offset, int limit) {
        return listThreads(new ThreadRecord.Filter(ThreadOwner.of(resourceId), null, offset, limit));
    }

    /**
     * Create a thread without messages, with the title and the metadata of its record.
     *
     * @return whether it was created; false if there is a thread of its id
     */
    boolean createThread(ThreadRecord thread);

    /**
     * Append messages that no run says to a thread, which is made if it is missing; as with a run, a message whose id is
     * there is left out.
     *
     * @param at when messages without a moment of their own were stored
     * @return the thread after that
     * @throws ThreadOwnershipException if the thread belongs to another owner
     */
    ThreadRecord appendToThread(ThreadAppend messages, Instant at);

    /**
     * Change the title and the metadata of a thread in one step.
     *
     * @return the record after the change
     * @throws StoreException {@code NOT_FOUND} if the thread is missing
     * @throws ThreadOwnershipException if it belongs to another owner
     */
    ThreadRecord changeThread(String threadId, ThreadOwner owner, ThreadChange change, Instant at);

    /**
     * Create a thread with the messages of another one before a position, and what the {@link #memory} has of them, in one
     * transaction; messages keep their ids, positions and times. Its record names the thread to copy from until that is deleted, and
     * always how many messages it got.
     *
     * @param from the thread to copy from, with its owner
     * @param before a position, from 0; {@link Long#MAX_VALUE} for the end
     * @param to the new thread: its id, its owner, to whom what is remembered belongs then, its title, metadata and moment. A title that
     *     is not the application's is left out if the thread to copy from has another one: it may have words of messages that were
     *     deleted since it was read.
     * @return whether it was created; false if there is a thread of its id
     * @throws StoreException {@code NOT_FOUND} if the thread to copy from is missing
     * @throws ThreadOwnershipException if the thread to copy from belongs to another owner
     */
    boolean copyThread(ThreadRecord.Source from, long before, ThreadRecord to);

    /** Copy a thread of the owner of the copy, as {@link #copyThread(ThreadRecord.Source, long, ThreadRecord)} does. */
    default boolean copyThread(String from, long before, ThreadRecord to) {
        return copyThread(new ThreadRecord.Source(from, to.owner()), before, to);
    }

    /**
     * Return the part that the memory of agents needs.
     *
     * @return empty, the default, if this store has none; agents with memory are then rejected
     */
    default Optional<MemoryStore> memory() {
        return Optional.empty();
    }

    /**
     * Return the part that keeps saved versions of agents.
     *
     * @return empty, the default, if this store has none; a runtime with a catalog of stored versions then finds none
     */
    default Optional<VersionStore> versions() {
        return Optional.empty();
    }

    /** Release files and connections; the store cannot be used after. */
    @Override
    void close();
}
