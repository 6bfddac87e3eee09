package dev.chargehand.store.memory;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.run.RunId;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.TitleSource;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The part of a store that the memory of agents needs. It belongs to the tenant of its store; only {@link #due} concerns
 * all tenants. Thread-safe. Every method may throw {@link StoreException}; after one, nothing of the call is stored, but for
 * {@link StoreException.Kind#TIMEOUT}, where it may be.
 *
 * <p>Every method that reads or changes what belongs to an owner takes the owner, and uses nothing of another one. A
 * missing resource is a resource of its own, and never stands for all.
 *
 * <p>Vectors and observations are derived from the messages of a thread: they are deleted with it, copied with it, and can be
 * made again. Working memory is not derived.
 */
@Experimental
public interface MemoryStore {

    /** How long the key of an edit may be. */
    int LONGEST_EDIT_KEY = 1_000;

    /**
     * Check the key of an edit.
     *
     * @return the key
     * @throws ConfigurationException if it does not have 1 to {@value #LONGEST_EDIT_KEY} characters
     */
    static String requireEditKey(String key) {
        if (key.isEmpty() || key.length() > LONGEST_EDIT_KEY) {
            throw new ConfigurationException(
                    "The key of an edit has 1 to " + LONGEST_EDIT_KEY + " characters, not " + key.length() + ".");
        }
        return key;
    }

    /**
     * Return threads with memory work to do that no worker has, by the store's clock, of all tenants, in an order that
     * stays the same. The work that an append leaves is due at once, regardless of the time of the append: the clock of its
     * process may be ahead.
     *
     * @param after the {@link DueThread#id} of the last one seen; 0 for the first
     * @param limit how many at most
     */
    List<DueThread> due(long after, int limit);

    /**
     * Take the memory work of a thread, or keep it for longer if this worker has it.
     *
     * @param worker a name that no other worker has
     * @param lease for how long, by the store's clock
     * @return whether this worker has it now; false if another one has it, or the thread is missing
     * @throws ThreadOwnershipException if the thread belongs to another owner
     */
    boolean take(ThreadOwner owner, String threadId, String worker, Duration lease);

    /**
     * Give the memory work of a thread back. If the thread still has the length that the worker has seen, it is due again at
     * a moment, or not at all; else it stays due, because there is more to do. Does nothing if the worker has lost it.
     *
     * @param length how many messages the thread had when the worker read it last, or -1 if not all of them were worked on
     * @param dueAgain when there will be work to do, or null for none
     * @throws ThreadOwnershipException if the thread belongs to another owner
     */
    void giveBack(ThreadOwner owner, String threadId, String worker, long length, @Nullable Instant dueAgain);

    /**
     * Return which messages of a thread have their vectors in a space.
     *
     * @return empty if none has been looked at yet, or the thread is missing
     * @throws ThreadOwnershipException if the thread belongs to another owner
     */
    Optional<IndexedRange> indexed(ThreadOwner owner, String threadId, VectorSpace space);

    /**
     * Store vectors of messages of a thread and which messages have theirs now, in one transaction. Left out are a vector of
     * a passage that has one in this space, and one of a message that is missing.
     *
     * @param expected what {@link #indexed} returned; if it is something else by now, nothing is stored
     * @return whether it was stored
     * @throws IllegalArgumentException if a vector is not of the space
     * @throws StoreException {@code NOT_FOUND} if the thread is missing
     * @throws ThreadOwnershipException if the thread belongs to another owner
     */
    boolean index(
            ThreadOwner owner,
            String threadId,
            VectorSpace space,
            Optional<IndexedRange> expected,
            IndexedRange next,
            List<Passage> passages);

    /**
     * Give a thread a title, unless it has one of this source or of one that replaces this source. When the thread was
     * changed last stays the same.
     *
     * @param source what gives the title
     * @return whether the thread has this title now because of this call; false also if the thread is missing
     * @throws ThreadOwnershipException if the thread belongs to another owner
     */
    default boolean title(ThreadOwner owner, String threadId, String title, TitleSource source) {
        return title(owner, threadId, title, source, List.of());
    }

    /**
     * Give a thread a title that is about some of its messages, as {@link #title(ThreadOwner, String, String, TitleSource)}
     * does. Nothing is stored if one of them was deleted since, or the thread is another one of the same id: what was deleted
     * does not come back in a title that was late.
     *
     * @param messageIds the ids of the messages
     * @return whether the thread has this title now because of this call
     * @throws ThreadOwnershipException if the thread belongs to another owner
     */
    boolean title(ThreadOwner owner, String threadId, String title, TitleSource source, List<String> messageIds);

    /**
     * Return from which message of a thread on runs with a bound of tokens see it.
     *
     * @param tokens the bound
     * @return 0 if none was stored, or the thread is missing
     * @throws ThreadOwnershipException if the thread belongs to another owner
     */
    long historyFrom(ThreadOwner owner, String threadId, int tokens);

    /**
     * Store from which message of a thread on runs with a bound of tokens see it. Does nothing if a later message is
     * stored, or the thread is missing or shorter: one that was made again under its id does not start where the deleted one did. A
     * copy of the thread starts without.
     *
     * @param tokens the bound
     * @param from a position
     * @throws ThreadOwnershipException if the thread belongs to another owner
     */
    void moveHistory(ThreadOwner owner, String threadId, int tokens, long from);

    /**
     * Return what stands for the start of a thread.
     *
     * @return empty if nothing was observed, or the thread is missing
     * @throws ThreadOwnershipException if the thread belongs to another owner
     */
    ObservationLog observations(ThreadOwner owner, String threadId);

    /**
     * Return what stood for the start of a thread when an observation or a reflection was the newest one. Those deleted since
     * are missing, with all observations of later messages: then {@link ObservationLog#newest} or {@link ObservationLog#end} is
     * another number.
     *
     * @param number its number
     * @return empty if nothing is left, or the thread is missing
     * @throws ThreadOwnershipException if the thread belongs to another owner
     */
    ObservationLog observations(ThreadOwner owner, String threadId, long number);

    /**
     * Return threads of an owner of which something was observed, those changed last first.
     *
     * @param limit how many at most
     */
    List<String> observedThreads(ThreadOwner owner, int limit);

    /**
     * Store an observation of the messages that follow those observed before. A deleted message takes all observations and
     * reflections with it from the first that is about it on, and its messages can be observed again; their numbers are not used
     * again. A copy of the thread has the observations all of whose messages were copied, and uses no number again that the thread
     * has used.
     *
     * @return its number; empty, and nothing is stored, if the messages before it were not all observed, or have been observed up
     *     to another one since, if the thread has other messages than the model saw, or the thread is missing
     * @throws ThreadOwnershipException if the thread belongs to another owner
     */
    OptionalLong observe(ThreadOwner owner, String threadId, NewObservation observation);

    /**
     * Store a reflection. Observations that were stored while it was written stay valid.
     *
     * @return its number; empty, and nothing is stored, if another reflection has been stored since, what it stands for was
     *     deleted, or the thread is missing
     * @throws ThreadOwnershipException if the thread belongs to another owner
     */
    OptionalLong reflect(ThreadOwner owner, String threadId, NewReflection reflection);

    /**
     * Return the ids of threads of an owner, in an order that stays the same.
     *
     * @param after the last one seen; an empty text for the first
     * @param limit how many at most
     */
    List<String> threads(ThreadOwner owner, String after, int limit);

    /**
     * Return the messages that are nearest to a vector, best first, each once with its best passage; of equally near ones the
     * one said later first. The search is exact among {@value PassageQuery#MOST_PASSAGES} of the passages that may be found:
     * those that were said last. It is a use of the vectors, which the store notes once a day without delaying the search.
     *
     * @throws ThreadOwnershipException if the only thread to search belongs to another owner; a missing one has no messages
     */
    PassageHits nearest(PassageQuery query);

    /**
     * Delete the vectors of an owner in a space, and the ranges that belong to them.
     *
     * @return how many vectors were deleted
     */
    long deleteVectors(ThreadOwner owner, VectorSpace space);

    /**
     * Return the newest text of a working memory.
     *
     * @param threadId the thread whose working memory it is, or null for that of all threads of the owner
     * @return empty if nothing has been stored, or the thread is missing
     * @throws ThreadOwnershipException if the thread belongs to another owner
     */
    Optional<WorkingMemoryRevision> workingMemory(ThreadOwner owner, @Nullable String threadId);

    /**
     * Return a text of a working memory.
     *
     * @param revision its number, from 1
     * @return empty if there is no such revision, its text is not kept any more, or the thread is missing
     * @throws ThreadOwnershipException if the thread belongs to another owner
     */
    Optional<WorkingMemoryRevision> workingMemory(ThreadOwner owner, @Nullable String threadId, long revision);

    /**
     * Store the next revision of a working memory for the application, as {@link #edit(ThreadOwner, String, long, String,
     * String, Instant, RunId)} does for a run.
     *
     * @throws StoreException {@code NOT_FOUND} if the thread is missing
     */
    default WorkingMemoryEdit edit(
            ThreadOwner owner, @Nullable String threadId, long expected, String key, String text, Instant at) {
        return edit(owner, threadId, expected, key, text, at, null);
    }

    /**
     * Store the next revision of a working memory, unless its key is known. The texts of the last {@link
     * WorkingMemoryRevision#KEPT} revisions are kept; of older ones, the keys are.
     *
     * @param threadId the thread whose working memory it is, or null for that of all threads of the owner
     * @param expected the number of the newest revision as the writer knows it; 0 for none
     * @param key identifies the edit; 1 to {@value #LONGEST_EDIT_KEY} characters, the first of which is a slash if the application edits
     * @param by the run that edits, or null for the application. It cannot be deleted before the edit is stored: so a process that
     *     was slow stores nothing for a resource that was forgotten.
     * @return what happened; {@link WorkingMemoryEdit.Conflict} if another revision has been stored since
     * @throws ConfigurationException if the key is not valid
     * @throws StoreException {@code NOT_FOUND} if the thread is missing; {@code FENCED} if the run is missing or has ended
     * @throws ThreadOwnershipException if the thread belongs to another owner
     */
    WorkingMemoryEdit edit(
            ThreadOwner owner,
            @Nullable String threadId,
            long expected,
            String key,
            String text,
            Instant at,
            @Nullable RunId by);

    /** Make the exception of {@link #edit(ThreadOwner, String, long, String, String, Instant, RunId) edit} for a run that is over. */
    static StoreException editOfEndedRun(RunId by) {
        return new StoreException(
                StoreException.Kind.FENCED,
                "Run " + by + " has ended or was deleted, so it does not change a working memory any more.",
                null);
    }

    /**
     * Add tokens to those that were used for the memory of a resource on the same day, for the same part and by the same model.
     * A sum that is too large becomes {@link Long#MAX_VALUE}. Nothing is added if the thread is missing: so what is
     * counted late for a resource that was forgotten is not stored.
     *
     * @param threadId the thread that was worked on
     * @return whether they were added
     * @throws ThreadOwnershipException if the thread belongs to another owner
     */
    boolean addUsage(ThreadOwner owner, String threadId, MemoryUsage used);

    /**
     * Return the tokens that were used for the memory of a resource, of every agent, in the order of {@link
     * MemoryUsage#NEWEST_FIRST}.
     *
     * @param resourceId the resource, or null for threads without one
     * @param since the first day
     */
    List<MemoryUsage> usage(@Nullable String resourceId, LocalDate since);
}
