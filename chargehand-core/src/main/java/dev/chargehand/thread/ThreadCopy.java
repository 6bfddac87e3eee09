package dev.chargehand.thread;

import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.ConfigurationException;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** How a thread is copied. Immutable and thread-safe. */
public final class ThreadCopy {

    /** All messages are copied, to a thread of the same owner with a new id, with the title and the metadata of the thread. */
    public static final ThreadCopy DEFAULT = new ThreadCopy(Long.MAX_VALUE, null, null, change -> {});

    private final long before;
    private final @Nullable ThreadOwner owner;
    private final @Nullable String threadId;
    private final Consumer<ThreadChange> changes;

    private ThreadCopy(
            long before, @Nullable ThreadOwner owner, @Nullable String threadId, Consumer<ThreadChange> changes) {
        this.before = before;
        this.owner = owner;
        this.threadId = threadId;
        this.changes = changes;
    }

    /**
     * Return this copy with the messages before a position only.
     *
     * @param position from 0; {@link Long#MAX_VALUE} for all messages
     * @throws ConfigurationException if it is negative
     */
    @CheckReturnValue
    public ThreadCopy before(long position) {
        if (position < 0) {
            throw new ConfigurationException(
                    "The position before which messages are copied must not be negative, but is " + position + ".");
        }
        return new ThreadCopy(position, owner, threadId, changes);
    }

    /**
     * Return this copy for another owner. Messages, observations, vectors and the working memory of the thread belong to that owner then,
     * and stay if the owner of the thread is forgotten.
     *
     * @param other whom the copy will belong to; its agent path is that of the owner of the thread
     */
    @CheckReturnValue
    public ThreadCopy toOwner(ThreadOwner other) {
        return new ThreadCopy(before, other, threadId, changes);
    }

    /** Return this copy with an id that no thread has. */
    @CheckReturnValue
    public ThreadCopy threadId(String id) {
        return new ThreadCopy(before, owner, id, changes);
    }

    /** Return this copy with another title or other metadata than the thread; replaces the changes that were set before. */
    @CheckReturnValue
    public ThreadCopy changes(Consumer<ThreadChange> values) {
        return new ThreadCopy(before, owner, threadId, values);
    }

    /** Return the position before which messages are copied. */
    public long before() {
        return before;
    }

    /** Return whom the copy will belong to; empty for the owner of the thread. */
    public Optional<ThreadOwner> owner() {
        return Optional.ofNullable(owner);
    }

    /** Return the id of the copy; empty for a new one. */
    public Optional<String> threadId() {
        return Optional.ofNullable(threadId);
    }

    /** Return what changes the title and the metadata of the copy. */
    public Consumer<ThreadChange> changes() {
        return changes;
    }
}
