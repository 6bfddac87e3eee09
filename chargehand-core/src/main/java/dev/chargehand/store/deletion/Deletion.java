package dev.chargehand.store.deletion;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.run.RunId;
import dev.chargehand.thread.ThreadOwner;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Set;

/**
 * What {@link dev.chargehand.store.Store#delete} deletes, each in one transaction. It concerns the tenant of the store, unless it says otherwise;
 * what belongs to others is missing for it.
 *
 * <p>A run is deleted with its whole tree and all that is theirs: nested runs, facts, deliveries, waiting calls, idempotency
 * keys, and large texts that nothing else has. Each tree is deleted as a whole or not at all, and one in which a run has not
 * ended stays. For a late writer, a deleted run is missing, and a call with a deleted key starts a run again. Runs that
 * others are changing at that moment may be left out.
 *
 * <p>A limit bounds how long others wait for the transaction; nothing is deleted if it is not positive. Later versions add
 * kinds of deletion. Immutable and thread-safe.
 */
@Experimental
public sealed interface Deletion {

    /**
     * Delete root runs that have ended and have not changed since a moment. Threads and their messages stay. Counts trees.
     *
     * <p>The turns and tasks of an until-idle call stay until all of them have ended, and the attempts of a task too: the end of a task looks
     * for what it belongs to.
     *
     * @param changedBefore a moment; runs that changed then or later stay
     * @param limit how many trees at most
     * @param ofAllTenants whether it concerns the runs of all tenants: for the program, and not for its users
     */
    record EndedRuns(Instant changedBefore, int limit, boolean ofAllTenants) implements Deletion {

        /** Create a deletion of runs of the tenant of the store. */
        public EndedRuns(Instant changedBefore, int limit) {
            this(changedBefore, limit, false);
        }
    }

    /**
     * Delete one root run that has ended. Threads and their messages stay. Counts 1, or 0 if the run is missing or nested, or has not
     * ended.
     */
    record OneRun(RunId runId) implements Deletion {}

    /**
     * Delete ended root runs of a thread, its background tasks too, which are runs of the thread that receives their result, as are the tasks
     * that these have started, and the threads of sub-agents in them with their messages and what is remembered of them. The thread
     * itself stays; it may be missing. Counts trees. Fails with {@code resource-busy} if a run or a task of the thread has not ended.
     *
     * @param owner whom the thread belongs to
     * @param limit how many trees at most
     */
    record RunsOfThread(String threadId, ThreadOwner owner, int limit) implements Deletion {}

    /**
     * Delete ended root runs of a resource; their threads stay. Counts trees. Fails with {@code resource-busy} if a run of the
     * resource has not ended.
     *
     * @param limit how many trees at most
     */
    record RunsOfResource(String resourceId, int limit) implements Deletion {}

    /**
     * Delete a thread with its messages and what is remembered of it; the facts of runs stay. Counts 1, or 0 if it is missing.
     * Fails with {@code resource-busy} if a run or a background task of it has not ended.
     *
     * @param owner whom it must belong to
     */
    record OneThread(String threadId, ThreadOwner owner) implements Deletion {}

    /**
     * Delete threads of a resource, those of sub-agents too, with their messages and what is remembered of them. Counts threads.
     * Fails with {@code resource-busy} if a run or a background task of one of them has not ended.
     *
     * @param limit how many threads at most
     */
    record ThreadsOfResource(String resourceId, int limit) implements Deletion {}

    /**
     * Delete messages of a thread with what is derived from them. Later messages keep their positions, no other message gets
     * one of these positions, and a message that is appended again with one of these ids is left out. A title that is not the
     * application's is deleted too, because it may have words of these messages. The facts of runs stay.
     * Counts the messages that it deleted. Fails with {@code resource-busy} if a run or a background task of the thread has not ended.
     *
     * @param owner whom the thread must belong to
     * @param messageIds the ids of the messages; those of missing ones are ignored
     * @param runs runs whose input is among the messages: their summaries lose its first words
     */
    record MessagesOfThread(String threadId, ThreadOwner owner, Set<String> messageIds, Set<RunId> runs)
            implements Deletion {

        public MessagesOfThread {
            messageIds = Set.copyOf(messageIds);
            runs = Set.copyOf(runs);
        }
    }

    /**
     * Delete what agents remember of a resource apart from its threads: its working memory, of every agent, and what its
     * memory has used. Counts working memories.
     */
    record MemoryOfResource(String resourceId) implements Deletion {}

    /**
     * Delete how many tokens memory has used before a day, of all tenants. Counts rows.
     *
     * @param before a day; what was used then or later stays
     * @param limit how many rows at most
     */
    record OldUsage(LocalDate before, int limit) implements Deletion {}

    /**
     * Delete the vectors of spaces in which nothing was stored or searched since a moment, to within a day, of all tenants, and the ranges of
     * messages that have theirs. They can be made again. Counts vectors and ranges.
     *
     * @param unusedSince a moment; vectors of spaces that were used then or later stay
     * @param limit how many vectors at most, but for those of the last message, which are deleted together
     */
    record UnusedVectors(Instant unusedSince, int limit) implements Deletion {}

    /**
     * Delete the keys of edits of working memories that applications made before a moment, of all tenants: those of revisions whose
     * texts are not kept any more. A call with such a key edits again. Counts keys.
     *
     * @param madeBefore a moment; the keys of edits that were made then or later stay
     * @param limit how many keys at most
     */
    record OldEditKeys(Instant madeBefore, int limit) implements Deletion {}

    /**
     * Remove what was deleted before from files that are only a copy of the newest changes, of all tenants. A store whose files keep deleted data by
     * design, such as backups, cannot do that, and does nothing. Counts 0.
     *
     * <p>Fails with {@code FAILED} if another process has kept such a file in use.
     */
    record Remains() implements Deletion {}
}
