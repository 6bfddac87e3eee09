package dev.chargehand.memory;

import dev.chargehand.annotation.Experimental;
import dev.chargehand.store.memory.MemoryUsage;
import dev.chargehand.store.memory.ObservationLog;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import dev.chargehand.thread.DeletionOptions;
import dev.chargehand.thread.ThreadOwner;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What the agents of a runtime remember; {@link dev.chargehand.thread.Threads} has the conversations themselves.
 *
 * <pre>{@code
 * ScopeRef ann = ScopeRef.resource("ann");
 * runtime.memory().search("assistant", ann, "holidays in Norway", 4).forEach(m -> print(m.message().text()));
 * runtime.memory().workingMemory(ann).ifPresent(text -> print(text.text()));
 * }</pre>
 *
 * <p>Every method names the owner of what it reads or changes, and uses nothing of another one. A scope that the
 * {@link dev.chargehand.spi.AccessCheck} denies is empty. Every method throws {@link
 * dev.chargehand.error.StoreException} if the store fails, {@link dev.chargehand.error.MemoryException} if the store keeps
 * no memory, and {@link dev.chargehand.error.ConfigurationException} if the runtime is closed. Thread-safe.
 */
@Experimental
public interface MemoryApi {

    /**
     * Search messages by their meaning, as an agent with semantic recall does.
     *
     * @param agentId an agent of the runtime, whose embedding model and threshold are used
     * @param words what to search for
     * @param topK how many messages at most, from 1 to 50
     * @return the nearest messages, best first
     * @throws dev.chargehand.error.ConfigurationException if the agent has no semantic recall
     * @throws dev.chargehand.error.ModelException if the embedding model failed or did not answer within 10 seconds
     */
    List<FoundMessage> search(String agentId, ScopeRef where, String words, int topK);

    /**
     * Return what stands for the older messages of a thread, as the next run sees it.
     *
     * @return empty if nothing was observed, or the thread is missing
     */
    ObservationLog observations(ThreadOwner owner, String threadId);

    /** Return the newest text of a working memory; empty if nothing was ever noted. */
    Optional<WorkingMemoryRevision> workingMemory(ScopeRef where);

    /**
     * Change a working memory, as the application.
     *
     * @param edit returns the new text for the newest one, which is empty if nothing was ever noted; called again if
     *     others have changed the text meanwhile
     * @param key identifies the edit, up to 200 characters: a repeated call with the same key changes nothing
     * @return the revision that the edit made
     * @throws dev.chargehand.error.ConfigurationException if the new text is longer than 16 KB
     * @throws dev.chargehand.error.MemoryException {@code CONFLICT} if others changed it at the same time, again and again
     */
    WorkingMemoryRevision editWorkingMemory(ScopeRef where, UnaryOperator<String> edit, String key);

    /**
     * Store an earlier text of a working memory as its newest revision.
     *
     * @param revision the number of one of the last 20
     * @return the new revision
     * @throws dev.chargehand.error.ConfigurationException if the text of the revision is not kept
     */
    WorkingMemoryRevision undo(ScopeRef where, long revision);

    /**
     * Make the vectors of all messages of an owner's conversations that an agent with semantic recall could not find yet, at once:
     * for example after its embedding model was replaced, when 500 messages of a conversation would get theirs after each run.
     *
     * <p>Messages get their vectors 100 at a time, the newest first, while runs continue. After an error, or if it is interrupted, those that were made
     * stay; call it again for the rest. An interrupt is kept, and ends it after such a step. {@link Memory#dailyTokens} does not bound it,
     * and what it uses is in {@link #usage}.
     *
     * @param agentId an agent of the runtime, whose embedding model is used
     * @param where all conversations of an owner, or one
     * @return what was done, which is nothing for a scope that the access check denies
     * @throws dev.chargehand.error.ConfigurationException if the agent has no semantic recall
     * @throws dev.chargehand.error.ModelException if the embedding model failed
     * @throws dev.chargehand.error.ThreadOwnershipException if the conversation belongs to another owner
     */
    Reindexed reindex(String agentId, ScopeRef where);

    /**
     * Return the tokens that models have used for the memory of a resource after its runs: of embedding models, of observers
     * and reflectors, and of models that write titles, for each day in UTC. Their tokens within a run are in the usage of the run,
     * under {@code memory:}; searches of the application are not counted.
     *
     * <p>Each answer is counted when it arrives, whether or not it can be used. Not counted are an answer that arrives when the process
     * is killed, when the store fails, or after its thread was deleted, and what a provider does not report. {@link
     * dev.chargehand.AgentRuntime.Operator#prune} deletes what is older than 400 days, and {@link #forget(String)} all.
     *
     * @param resourceId the resource, or null for conversations of no resource
     * @return a record for each day, part and model, the newest day first
     */
    List<MemoryUsage> usage(@Nullable String resourceId);

    /** Forget a resource whose runs have all ended; see {@link #forget(String, UnaryOperator)}. */
    default Forgotten forget(String resourceId) {
        return forget(resourceId, how -> how);
    }

    /**
     * Delete all that belongs to a resource, for good: its runs with their facts, its threads and those of its sub-agents with
     * their messages and vectors, its working memory, and what its memory has used. Afterwards no row and, in a SQLite file, no byte of the file and of
     * its write-ahead log has it. PostgreSQL keeps deleted rows until it vacuums, and backups and logs of a server
     * keep them for longer.
     *
     * <p>It is done in steps, and others use the store in between. After an error a part is deleted; call it again for the rest.
     * A run that starts meanwhile belongs to the resource as it is afterwards.
     *
     * @param resourceId the user or thing whose data is deleted; not blank
     * @param how whether runs of the resource are cancelled
     * @return what was deleted, which is nothing for an unknown resource
     * @throws dev.chargehand.error.ConfigurationException if the id is blank
     * @throws dev.chargehand.error.ThreadBusyException with code {@code resource-busy} if a run of the resource has not ended
     */
    Forgotten forget(String resourceId, UnaryOperator<DeletionOptions> how);

    /**
     * Wait until this runtime has done the work on memory that follows runs: then what was said in them can be found. Work
     * that failed and will be tried again later counts as done.
     *
     * @param atMost how long, not negative; zero only looks
     * @return whether it is done; false if the time is over
     * @throws dev.chargehand.error.ConfigurationException if the time is negative
     */
    boolean settled(Duration atMost);
}
