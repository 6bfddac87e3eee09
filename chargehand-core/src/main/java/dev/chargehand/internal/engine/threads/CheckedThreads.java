package dev.chargehand.internal.engine.threads;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.internal.engine.AccessGate;
import dev.chargehand.message.Message;
import dev.chargehand.spi.IdSource;
import dev.chargehand.thread.DeletionOptions;
import dev.chargehand.thread.ThreadChange;
import dev.chargehand.thread.ThreadCopy;
import dev.chargehand.thread.ThreadDeletion;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import dev.chargehand.thread.Threads;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Threads of which those that the caller may not open are missing. */
public final class CheckedThreads implements Threads {

    private final Threads threads;
    private final AccessGate access;
    private final IdSource ids;

    /** Make it over all threads. */
    public CheckedThreads(Threads threads, AccessGate access, IdSource ids) {
        this.threads = threads;
        this.access = access;
        this.ids = ids;
    }

    private boolean mayRead(ThreadOwner owner, String threadId) {
        return access.mayOpenThread(threadId, owner.resourceId(), false);
    }

    private boolean mayChange(ThreadOwner owner, String threadId) {
        return access.mayOpenThread(threadId, owner.resourceId(), true);
    }

    /** A source that the caller may not open is like a deleted one. */
    private ThreadRecord shown(ThreadRecord thread) {
        return thread.source()
                        .filter(from -> !mayRead(from.owner(), from.threadId()))
                        .isPresent()
                ? thread.ofSource(null)
                : thread;
    }

    static StoreException missing(String threadId) {
        return new StoreException(
                StoreException.Kind.NOT_FOUND, "There is no thread '" + threadId + "' in the store.", null);
    }

    @Override
    public ThreadRecord create(ThreadOwner owner, Consumer<ThreadChange> values) {
        return threads.create(owner, values);
    }

    @Override
    public ThreadRecord create(ThreadOwner owner, String threadId, Consumer<ThreadChange> values) {
        return threads.create(owner, threadId, values);
    }

    @Override
    public ThreadRecord append(ThreadOwner owner, String threadId, List<Message> messages) {
        if (!mayChange(owner, threadId)) {
            throw new ThreadOwnershipException(threadId);
        }
        return shown(threads.append(owner, threadId, messages));
    }

    @Override
    public Optional<ThreadRecord> find(ThreadOwner owner, String threadId) {
        return mayRead(owner, threadId) ? threads.find(owner, threadId).map(this::shown) : Optional.empty();
    }

    @Override
    public List<ThreadRecord> list(String resourceId, int offset, int limit) {
        return threads.list(resourceId, offset, limit).stream()
                .filter(thread -> mayRead(thread.owner(), thread.threadId()))
                .map(this::shown)
                .toList();
    }

    @Override
    public ThreadRecord change(ThreadOwner owner, String threadId, Consumer<ThreadChange> change) {
        if (!mayChange(owner, threadId)) {
            throw missing(threadId);
        }
        return shown(threads.change(owner, threadId, change));
    }

    @Override
    public List<ThreadMessage> messagesBefore(ThreadOwner owner, String threadId, long before, int limit) {
        return mayRead(owner, threadId) ? threads.messagesBefore(owner, threadId, before, limit) : List.of();
    }

    @Override
    public List<ThreadMessage> messagesFrom(ThreadOwner owner, String threadId, long from, int limit) {
        return mayRead(owner, threadId) ? threads.messagesFrom(owner, threadId, from, limit) : List.of();
    }

    @Override
    public ThreadRecord copy(ThreadOwner owner, String threadId, UnaryOperator<ThreadCopy> how) {
        if (!mayRead(owner, threadId)) {
            throw missing(threadId);
        }
        ThreadCopy copy = StoredThreads.given(how);
        ThreadOwner newOwner = copy.owner().orElse(owner);
        if (newOwner.equals(owner)) {
            return threads.copy(owner, threadId, ignored -> copy);
        }
        String newId = copy.threadId().orElseGet(() -> ids.next(StoredThreads.ID));
        if (!mayChange(newOwner, newId)) {
            throw new ThreadOwnershipException(newId);
        }
        return threads.copy(owner, threadId, ignored -> copy.threadId(newId));
    }

    @Override
    public List<ThreadRecord> copies(ThreadOwner owner, String threadId, int offset, int limit) {
        return mayRead(owner, threadId)
                ? threads.copies(owner, threadId, offset, limit).stream()
                        .filter(copy -> mayRead(copy.owner(), copy.threadId()))
                        .toList()
                : List.of();
    }

    @Override
    public List<ThreadRecord> lineage(ThreadOwner owner, String threadId) {
        return mayRead(owner, threadId)
                ? threads.lineage(owner, threadId).stream()
                        .takeWhile(source -> mayRead(source.owner(), source.threadId()))
                        .map(this::shown)
                        .toList()
                : List.of();
    }

    @Override
    public boolean delete(ThreadOwner owner, String threadId, UnaryOperator<ThreadDeletion> how) {
        return mayChange(owner, threadId) && threads.delete(owner, threadId, how);
    }

    @Override
    public int deleteMessages(
            ThreadOwner owner, String threadId, Collection<String> messageIds, UnaryOperator<DeletionOptions> how) {
        return mayChange(owner, threadId) ? threads.deleteMessages(owner, threadId, messageIds, how) : 0;
    }
}
