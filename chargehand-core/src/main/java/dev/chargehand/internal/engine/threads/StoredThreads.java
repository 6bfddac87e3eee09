package dev.chargehand.internal.engine.threads;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.journal.FirstWords;
import dev.chargehand.internal.journal.MessageCodec;
import dev.chargehand.message.Message;
import dev.chargehand.spi.IdSource;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.thread.DeletionOptions;
import dev.chargehand.thread.ThreadChange;
import dev.chargehand.thread.ThreadCopy;
import dev.chargehand.thread.ThreadDeletion;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import dev.chargehand.thread.Threads;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The threads in the store of a runtime. */
public final class StoredThreads implements Threads {

    /** The prefix of ids of threads. */
    static final String ID = "thread_";

    private static final int LONGEST_PAGE = 1_000;

    private final Engine engine;
    private final IdSource ids;
    private final StoredDeletions deletions;

    /** Make it for a runtime. */
    public StoredThreads(Engine engine, IdSource ids, StoredDeletions deletions) {
        this.engine = engine;
        this.ids = ids;
        this.deletions = deletions;
    }

    @Override
    public ThreadRecord create(ThreadOwner owner, Consumer<ThreadChange> values) {
        return create(owner, newId(), values);
    }

    @Override
    public ThreadRecord create(ThreadOwner owner, String threadId, Consumer<ThreadChange> values) {
        requireId(threadId);
        requireOwner(owner);
        Store store = store();
        ThreadRecord thread =
                ThreadRecord.builder(threadId, owner, now()).build().changed(changed(values), now());
        if (!store.createThread(thread)) {
            throw new ConfigurationException(
                    "There is a thread '" + threadId + "' already; use another id, or let the runtime make one.");
        }
        return thread;
    }

    @Override
    public ThreadRecord append(ThreadOwner owner, String threadId, List<Message> messages) {
        requireId(threadId);
        requireOwner(owner);
        ConversationCheck.require(messages);
        List<ThreadEntry> entries = messages.stream()
                .map(message -> message.id().isEmpty() ? message.withId(ids.next("message_")) : message)
                .map(message -> new ThreadEntry(message.id(), MessageCodec.write(message)))
                .toList();
        ThreadAppend append = new ThreadAppend(threadId, owner, null, null, entries);
        return store().appendToThread(append.title(FirstWords.of(owner, messages.stream())), now());
    }

    private static void requireId(String threadId) {
        if (threadId.isBlank()) {
            throw new ConfigurationException("A thread id must not be blank.");
        }
    }

    /** A run has a resource that is not blank, or none; so have its threads. */
    private static void requireOwner(ThreadOwner owner) {
        if (owner.resourceId() != null && owner.resourceId().isBlank()) {
            throw new ConfigurationException(
                    "The resource of a thread must not be blank; ThreadOwner.of(null) is the owner of one without a resource.");
        }
    }

    private String newId() {
        return ids.next(ID);
    }

    private static ThreadChange changed(Consumer<ThreadChange> values) {
        ThreadChange change = new ThreadChange();
        values.accept(change);
        return change;
    }

    @Override
    public Optional<ThreadRecord> find(ThreadOwner owner, String threadId) {
        Store store = store();
        List<ThreadEntry> ignored = store.readThread(threadId, owner, 0, 0); // refuses a thread of another owner
        return store.findThread(threadId);
    }

    @Override
    public List<ThreadRecord> list(String resourceId, int offset, int limit) {
        return list(ThreadOwner.of(resourceId), null, offset, limit);
    }

    private List<ThreadRecord> list(ThreadOwner owner, @Nullable String copyOf, int offset, int limit) {
        if (offset < 0) {
            throw new ConfigurationException(
                    "The offset of a page of threads must not be negative, but is " + offset + ".");
        }
        return store().listThreads(new ThreadRecord.Filter(owner, copyOf, offset, page(limit)));
    }

    @Override
    public ThreadRecord change(ThreadOwner owner, String threadId, Consumer<ThreadChange> change) {
        return store().changeThread(threadId, owner, changed(change), now());
    }

    @Override
    public List<ThreadMessage> messagesBefore(ThreadOwner owner, String threadId, long before, int limit) {
        return messages(store().readThread(threadId, owner, before, page(limit)));
    }

    @Override
    public List<ThreadMessage> messagesFrom(ThreadOwner owner, String threadId, long from, int limit) {
        return messages(store().readThreadFrom(threadId, owner, from, page(limit)));
    }

    private static List<ThreadMessage> messages(List<ThreadEntry> entries) {
        return entries.stream()
                .map(entry -> new ThreadMessage(
                        entry.position(), MessageCodec.read(entry.text()), Optional.ofNullable(entry.at())))
                .toList();
    }

    @Override
    public ThreadRecord copy(ThreadOwner owner, String threadId, UnaryOperator<ThreadCopy> how) {
        ThreadCopy copy = given(how);
        ThreadOwner newOwner = copy.owner().orElse(owner);
        copy.threadId().ifPresent(StoredThreads::requireId);
        requireOwner(newOwner);
        requireSamePath(owner, newOwner);
        Store store = store();
        ThreadRecord from = find(owner, threadId).orElseThrow(() -> CheckedThreads.missing(threadId));
        ThreadRecord to = ThreadRecord.builder(copy.threadId().orElseGet(this::newId), newOwner, now())
                .title(from.title().orElse(null), from.titleSource().orElse(null))
                .metadata(from.metadata())
                .build()
                .changed(changed(copy.changes()), now());
        if (!store.copyThread(new ThreadRecord.Source(threadId, owner), copy.before(), to)) {
            throw new ConfigurationException("There is a thread '" + to.threadId()
                    + "' already; use another id for the copy, or let the runtime make one.");
        }
        return store.findThread(to.threadId()).orElse(to);
    }

    /** Return the options of a copy that an application returned. */
    static ThreadCopy given(UnaryOperator<ThreadCopy> how) {
        ThreadCopy copy = how.apply(ThreadCopy.DEFAULT);
        if (copy == null) {
            throw new ConfigurationException(
                    "The options of a copy are null; return what they are given, changed or as it is.");
        }
        return copy;
    }

    private static void requireSamePath(ThreadOwner from, ThreadOwner to) {
        if (!Objects.equals(from.agentPath(), to.agentPath())) {
            throw new ConfigurationException("A copy has the agent path of its thread, '" + from.agentPath()
                    + "', but its owner has '" + to.agentPath() + "'.");
        }
    }

    @Override
    public List<ThreadRecord> copies(ThreadOwner owner, String threadId, int offset, int limit) {
        Optional<ThreadRecord> thread = find(owner, threadId);
        List<ThreadRecord> copies = list(owner, threadId, offset, limit);
        return thread.isPresent() ? copies : List.of();
    }

    @Override
    public List<ThreadRecord> lineage(ThreadOwner owner, String threadId) {
        List<ThreadRecord> sources = new ArrayList<>();
        Optional<ThreadRecord> copy = find(owner, threadId);
        while (copy.isPresent() && sources.size() < LONGEST_PAGE) {
            copy = source(copy.get());
            copy.ifPresent(sources::add);
        }
        return sources;
    }

    /** Return what a thread of the same owner was copied from; looks at the copy again, because another thread may have that id by now. */
    private Optional<ThreadRecord> source(ThreadRecord copy) {
        Store store = store();
        return copy.source()
                .filter(from -> from.owner().equals(copy.owner()))
                .flatMap(from -> store.findThread(from.threadId()))
                .filter(found -> store.findThread(copy.threadId())
                        .flatMap(ThreadRecord::source)
                        .equals(copy.source()));
    }

    @Override
    public boolean delete(ThreadOwner owner, String threadId, UnaryOperator<ThreadDeletion> how) {
        ThreadDeletion deletion = StoredDeletions.given(how.apply(ThreadDeletion.DEFAULT));
        return deletions.delete(owner, threadId, deletion.cancelsRuns(), deletion.includesRuns());
    }

    @Override
    public int deleteMessages(
            ThreadOwner owner, String threadId, Collection<String> messageIds, UnaryOperator<DeletionOptions> how) {
        if (messageIds.isEmpty() || messageIds.size() > LONGEST_PAGE) {
            throw new ConfigurationException("One call deletes 1 to " + LONGEST_PAGE + " messages, not "
                    + messageIds.size() + "; delete more with several calls.");
        }
        DeletionOptions options = StoredDeletions.given(how.apply(DeletionOptions.DEFAULT));
        return deletions.deleteMessages(owner, threadId, messageIds, options.cancelsRuns());
    }

    /** Return the moment as a store keeps it. */
    private Instant now() {
        return engine.now().truncatedTo(ChronoUnit.MILLIS);
    }

    private Store store() {
        engine.requireOpen();
        return engine.store();
    }

    private static int page(int limit) {
        if (limit < 1 || limit > LONGEST_PAGE) {
            throw new ConfigurationException("A page has 1 to " + LONGEST_PAGE + " rows, not " + limit + ".");
        }
        return limit;
    }
}
