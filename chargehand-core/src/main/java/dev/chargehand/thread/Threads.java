package dev.chargehand.thread;

import dev.chargehand.message.Message;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * The stored threads of a runtime.
 *
 * <pre>{@code
 * ThreadOwner ann = ThreadOwner.of("ann");
 * ThreadRecord thread = runtime.threads().create(ann, t -> t.title("Holidays"));
 * agent.generate("Where to?", o -> o.thread(thread.threadId()).resource("ann"));
 * runtime.threads().lastMessages(ann, thread.threadId(), 20).forEach(m -> print(m.role(), m.text()));
 * }</pre>
 *
 * <p>A run with an unknown thread id makes its thread; {@link #create} is for a thread that exists before its first
 * run. Every method names the owner of the thread, and fails for a thread of another one before anything is read.
 * Thread-safe.
 *
 * <p>Every method throws {@link dev.chargehand.error.StoreException} if the store fails, and {@link
 * dev.chargehand.error.ConfigurationException} if the runtime is closed.
 */
public interface Threads {

    /** Create a thread with a new id; see {@link #create(ThreadOwner, String, Consumer)}. */
    ThreadRecord create(ThreadOwner owner, Consumer<ThreadChange> values);

    /**
     * Create a thread without messages.
     *
     * @param owner whom it belongs to; its agent path is null for a conversation
     * @param threadId an id that no thread has
     * @param values its title and metadata; without a title it gets the first words of its first user as one
     * @throws dev.chargehand.error.ConfigurationException if there is a thread of this id, or the resource of the owner is blank
     */
    ThreadRecord create(ThreadOwner owner, String threadId, Consumer<ThreadChange> values);

    /**
     * Append messages that no run of this runtime has said to a conversation, for example those of another program, in one
     * transaction. The thread is created if it is missing. The next run on it sees them; one that is running does not.
     *
     * <p>A message with an id keeps it, and is left out if the thread has a message of this id, so that a call can be
     * repeated. Others get an id.
     *
     * @param owner whom the thread belongs to, or will belong to; its agent path is null
     * @param messages at most 1,000 of users, assistants and tools; each result of a tool follows its call, in a message of the
     *     tool, and each call has its result
     * @return the thread after that
     * @throws dev.chargehand.error.ConfigurationException if the messages are no such conversation, if one of them is blank, or if
     *     the resource of the owner is
     * @throws dev.chargehand.error.ThreadOwnershipException if the thread belongs to another owner
     */
    ThreadRecord append(ThreadOwner owner, String threadId, List<Message> messages);

    /**
     * Return a thread, without its messages.
     *
     * @throws dev.chargehand.error.ThreadOwnershipException if it belongs to another owner
     */
    Optional<ThreadRecord> find(ThreadOwner owner, String threadId);

    /**
     * Return the conversations of a resource, the one that was changed last first.
     *
     * @param offset how many to skip
     * @param limit how many at most, from 1 to 1,000
     */
    List<ThreadRecord> list(String resourceId, int offset, int limit);

    /**
     * Change the title and the metadata of a thread in one step.
     *
     * @return the thread after the change
     * @throws dev.chargehand.error.ThreadOwnershipException if it belongs to another owner
     * @throws dev.chargehand.error.StoreException {@code NOT_FOUND} if it is missing
     */
    ThreadRecord change(ThreadOwner owner, String threadId, Consumer<ThreadChange> change);

    /**
     * Return the last messages of a thread before a position, oldest first; empty if there are none. Guidance for the
     * model that is not shown to users is among them, see {@link dev.chargehand.message.Message#internal}.
     *
     * @param before a position; {@link Long#MAX_VALUE} for the end
     * @param limit how many at most, from 1 to 1,000
     * @throws dev.chargehand.error.ThreadOwnershipException if the thread belongs to another owner
     * @throws dev.chargehand.error.StoreException {@code UNREADABLE} if a stored message is damaged
     */
    List<ThreadMessage> messagesBefore(ThreadOwner owner, String threadId, long before, int limit);

    /**
     * Return the messages of a thread from a position on, oldest first; empty if there are none.
     *
     * @param from a position, from 0
     * @param limit how many at most, from 1 to 1,000
     * @throws dev.chargehand.error.ThreadOwnershipException if the thread belongs to another owner
     * @throws dev.chargehand.error.StoreException {@code UNREADABLE} if a stored message is damaged
     */
    List<ThreadMessage> messagesFrom(ThreadOwner owner, String threadId, long from, int limit);

    /**
     * Return the last messages of a thread, oldest first; see {@link #messagesBefore}.
     *
     * @param limit how many at most, from 1 to 1,000
     */
    default List<ThreadMessage> lastMessages(ThreadOwner owner, String threadId, int limit) {
        return messagesBefore(owner, threadId, Long.MAX_VALUE, limit);
    }

    /**
     * Copy the messages of a thread before a position to a new thread of the same owner; see {@link #copy(ThreadOwner, String,
     * UnaryOperator)}.
     *
     * @param before a position; {@link Long#MAX_VALUE} for all messages
     */
    default ThreadRecord copy(ThreadOwner owner, String threadId, long before, Consumer<ThreadChange> changes) {
        return copy(owner, threadId, how -> how.before(before).changes(changes));
    }

    /**
     * Copy a thread with its working memory, and with the vectors and observations of the messages that are copied, to a new thread in
     * one transaction. The copy has the title and the metadata of the thread, unless changed; later messages of one are not in the
     * other. The {@link ThreadRecord#source} of the copy is the thread, until that is deleted; the copy stays.
     *
     * <pre>{@code
     * ThreadRecord template = runtime.threads().create(ThreadOwner.of("team"), "welcome", t -> t.title("Welcome"));
     * runtime.threads().copy(template.owner(), "welcome", c -> c.toOwner(ThreadOwner.of("ann")));
     * }</pre>
     *
     * @param how which messages are copied, for whom, and what is changed
     * @return the new thread
     * @throws dev.chargehand.error.ConfigurationException if there is a thread of the id for the copy, if the resource of its owner is
     *     blank, or its agent path is another one
     * @throws dev.chargehand.error.ThreadOwnershipException if the thread belongs to another owner
     * @throws dev.chargehand.error.StoreException {@code NOT_FOUND} if it is missing
     */
    ThreadRecord copy(ThreadOwner owner, String threadId, UnaryOperator<ThreadCopy> how);

    /**
     * Return the copies of a thread that belong to its owner too, the one that was changed last first. Copies of copies are not among
     * them.
     *
     * @param offset how many to skip
     * @param limit how many at most, from 1 to 1,000
     * @return empty if there are none, or the thread is missing
     * @throws dev.chargehand.error.ThreadOwnershipException if the thread belongs to another owner
     */
    List<ThreadRecord> copies(ThreadOwner owner, String threadId, int offset, int limit);

    /**
     * Return the thread that a thread was copied from, the one that was copied from, and so on. The list ends with a thread that is
     * not a copy, or whose source was deleted or belongs to another owner: its {@link ThreadRecord#copiedLength} and {@link
     * ThreadRecord#source} show which.
     *
     * @return at most 1,000; empty if the thread is missing or not a copy
     * @throws dev.chargehand.error.ThreadOwnershipException if the thread belongs to another owner
     */
    List<ThreadRecord> lineage(ThreadOwner owner, String threadId);

    /** Delete a thread without its runs; see {@link #delete(ThreadOwner, String, UnaryOperator)}. */
    default boolean delete(ThreadOwner owner, String threadId) {
        return delete(owner, threadId, how -> how);
    }

    /**
     * Delete a thread with its messages, their vectors and the working memory of the thread.
     *
     * @param how whether runs of the thread are cancelled and deleted too
     * @return whether it existed, or runs of it that were deleted
     * @throws dev.chargehand.error.ThreadOwnershipException if it belongs to another owner
     * @throws dev.chargehand.error.ThreadBusyException with code {@code resource-busy} if a run of the thread, or a
     *     background task of one, has not ended; the thread is still there then
     */
    boolean delete(ThreadOwner owner, String threadId, UnaryOperator<ThreadDeletion> how);

    /** Delete messages of a thread; see {@link #deleteMessages(ThreadOwner, String, Collection, UnaryOperator)}. */
    default int deleteMessages(ThreadOwner owner, String threadId, Collection<String> messageIds) {
        return deleteMessages(owner, threadId, messageIds, how -> how);
    }

    /**
     * Delete messages of a thread, their vectors, the first words of an input in the list of runs, and a title that is not the
     * application's, in one transaction. The next run gives the thread a new title. The other messages keep their positions. A call of a tool is not sent to a model any more without its result, nor a result
     * without its call.
     *
     * <p>The facts of runs stay, with what was said in them: {@link ThreadDeletion#withRuns} and {@code prune} delete those.
     * Copies of the thread keep their messages, and so does working memory what was noted there.
     *
     * @param messageIds the ids of 1 to 1,000 messages; those of missing ones are ignored
     * @param how whether runs of the thread are cancelled
     * @return how many messages were deleted
     * @throws dev.chargehand.error.ConfigurationException if there are no ids, or too many
     * @throws dev.chargehand.error.ThreadOwnershipException if the thread belongs to another owner
     * @throws dev.chargehand.error.ThreadBusyException with code {@code resource-busy} if a run of the thread, or a
     *     background task of one, has not ended; nothing is deleted then
     */
    int deleteMessages(
            ThreadOwner owner, String threadId, Collection<String> messageIds, UnaryOperator<DeletionOptions> how);
}
