package dev.chargehand.store;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.store.memory.DueThread;
import dev.chargehand.store.memory.NearestMessages.Message;
import dev.chargehand.store.memory.NewObservation;
import dev.chargehand.store.memory.Passage;
import dev.chargehand.store.memory.UsageRows;
import dev.chargehand.store.memory.VectorRows.Vector;
import dev.chargehand.store.memory.WorkingTexts;
import dev.chargehand.thread.ThreadChange;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import dev.chargehand.thread.TitleSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The threads of one tenant in memory. Used under the store's lock. */
final class MemoryThreads {

    private final String tenantId;
    private final AtomicLong numbers;
    private final Map<String, StoredThread> threads = new HashMap<>();

    /** The working memory of owners that is that of all their threads. */
    private final Map<ThreadOwner, WorkingTexts> workingTexts = new HashMap<>();

    private final UsageRows usage = new UsageRows();

    private final DueRuns.OnThreads runs = new DueRuns.OnThreads();

    /**
     * Make it.
     *
     * @param numbers the last number that a thread of any tenant got
     */
    MemoryThreads(String tenantId, AtomicLong numbers) {
        this.tenantId = tenantId;
        this.numbers = numbers;
    }

    /** Compare two threads by the order of lists. */
    static int changedLastFirst(StoredThread one, StoredThread other) {
        int byChange = other.record.updatedAt().compareTo(one.record.updatedAt());
        return byChange != 0 ? byChange : other.threadId().compareTo(one.threadId());
    }

    final class StoredThread {
        private final long number = numbers.incrementAndGet();
        private ThreadRecord record;
        private final List<ThreadEntry> entries = new ArrayList<>();
        private final Set<String> ids = new HashSet<>();

        /** The positions of messages that were deleted; their entries have no text. */
        private final Set<Long> deleted = new HashSet<>();

        private final MemoryOfAgents.OfThread memory = new MemoryOfAgents.OfThread();

        private @Nullable StoredThread source;

        /** The copies of this thread that were not deleted. */
        private final Set<StoredThread> copies = new HashSet<>();

        private StoredThread(ThreadRecord record) {
            this.record = record;
        }

        /** Return its number among the threads of all tenants, from 1. */
        long number() {
            return number;
        }

        String threadId() {
            return record.threadId();
        }

        ThreadOwner owner() {
            return record.owner();
        }

        long length() {
            return entries.size();
        }

        MemoryOfAgents.OfThread memory() {
            return memory;
        }

        /** Set the title, unless the thread has one that stays; returns whether it was set. */
        boolean title(String title, TitleSource source) {
            ThreadRecord before = record;
            record = before.titled(title, source);
            return !record.equals(before);
        }

        /** Return whether it has all these messages, and none of them was deleted. */
        boolean hasAll(List<String> messageIds) {
            return from(0).map(ThreadEntry::messageId)
                    .collect(Collectors.toSet())
                    .containsAll(messageIds);
        }

        DueThread due() {
            return new DueThread(number, tenantId, threadId(), owner(), memory.agentPath());
        }

        Optional<String> parentRunId() {
            return record.parentRunId();
        }

        /** Return the messages from a position on that were not deleted. */
        private Stream<ThreadEntry> from(long position) {
            return entries.stream().skip(position).filter(entry -> !deleted.contains(entry.position()));
        }

        /** Return the last messages before a position that were not deleted. */
        private List<ThreadEntry> last(long before, int most) {
            List<ThreadEntry> last = new ArrayList<>();
            for (int i = (int) Math.min(before, entries.size()) - 1; i >= 0 && last.size() < most; i--) {
                if (!deleted.contains((long) i)) {
                    last.add(entries.get(i));
                }
            }
            return last.reversed();
        }

        /** Delete messages with what is derived from them; returns how many there were. */
        int deleteMessages(Set<String> messageIds) {
            Set<Long> found = from(0).filter(entry -> messageIds.contains(entry.messageId()))
                    .map(ThreadEntry::position)
                    .collect(Collectors.toSet());
            for (long position : found) {
                ThreadEntry entry = entries.get((int) position);
                entries.set((int) position, new ThreadEntry(entry.messageId(), "", position, entry.at()));
            }
            if (!found.isEmpty()
                    && TitleSource.USER.replaces(record.titleSource().orElse(null))) {
                record = record.untitled();
            }
            deleted.addAll(found);
            memory.deleteAt(found);
            return found.size();
        }

        /** Return whether the messages of an observation are those that the model saw. */
        boolean has(NewObservation observation) {
            return observation.to() <= entries.size()
                    && from(observation.from())
                            .takeWhile(entry -> entry.position() < observation.to())
                            .map(ThreadEntry::messageId)
                            .toList()
                            .equals(observation.messageIds());
        }

        /** Return the vector of a passage as it is stored, or none if its message is missing. */
        Stream<Vector> vectors(Passage passage) {
            return from(passage.position())
                    .limit(1)
                    .filter(entry -> entry.position() == passage.position())
                    .map(entry -> new Message(
                            number,
                            passage.position(),
                            entry.at() == null ? 0 : entry.at().toEpochMilli()))
                    .map(message ->
                            new Vector(message, passage.part(), passage.vector().quantized()));
        }

        private void add(Stream<ThreadEntry> more, Instant at) {
            int before = entries.size();
            more.filter(entry -> ids.add(entry.messageId()))
                    .forEach(entry -> entries.add(entry.placed(entries.size(), entry.at() == null ? at : entry.at())));
            if (entries.size() > before) {
                record = record.lengthened(entries.size(), at);
            }
        }

        private void addAsItIs(ThreadEntry entry) {
            ids.add(entry.messageId());
            entries.add(entry);
        }
    }

    /** Fail if one of the threads belongs to another owner, or would have two. */
    void requireOwners(List<Append> appends) {
        Map<String, ThreadOwner> newOwners = new HashMap<>();
        for (Append append : appends) {
            for (ThreadAppend thread : append.threads()) {
                requireOwner(thread);
                ThreadOwner first = newOwners.putIfAbsent(thread.threadId(), thread.owner());
                if (first != null && !first.equals(thread.owner())) {
                    throw new ThreadOwnershipException(thread.threadId());
                }
            }
        }
    }

    private void requireOwner(ThreadAppend append) {
        StoredThread thread = owned(append.threadId(), append.owner());
        append.requireLength(thread == null ? 0 : thread.record.length());
        ThreadAppend.Notes notes = append.notes();
        StoredThread ignored = notes == null ? thread : owned(notes.threadId(), append.owner());
    }

    private @Nullable StoredThread owned(String threadId, ThreadOwner owner) {
        StoredThread thread = threads.get(threadId);
        if (thread != null && !thread.record.owner().equals(owner)) {
            throw new ThreadOwnershipException(threadId);
        }
        return thread;
    }

    /** Return a thread, if it is not missing. */
    Optional<StoredThread> stored(String threadId, ThreadOwner owner) {
        return Optional.ofNullable(owned(threadId, owner));
    }

    Stream<StoredThread> all() {
        return threads.values().stream();
    }

    Stream<StoredThread> of(ThreadOwner owner) {
        return all().filter(thread -> thread.owner().equals(owner));
    }

    /** Return the threads of a resource, those of sub-agents too. */
    Stream<StoredThread> ofResource(String resourceId) {
        return all().filter(thread -> resourceId.equals(thread.owner().resourceId()));
    }

    WorkingTexts workingTexts(ThreadOwner owner) {
        return workingTexts.computeIfAbsent(owner, of -> new WorkingTexts());
    }

    /** Delete the keys of old edits; returns how many. */
    int deleteKeys(Instant before, int limit) {
        int deleted = 0;
        for (WorkingTexts texts : Stream.concat(
                        workingTexts.values().stream(), all().map(thread -> thread.memory.texts()))
                .toList()) {
            deleted += texts.deleteKeys(before, limit - deleted);
        }
        return deleted;
    }

    /** Return which runs use or want the threads. */
    DueRuns.OnThreads runs() {
        return runs;
    }

    /** Return the tokens that were used for memory. */
    UsageRows usage() {
        return usage;
    }

    StoredThread required(String threadId, ThreadOwner owner) {
        StoredThread thread = owned(threadId, owner);
        if (thread == null) {
            throw new StoreException(
                    StoreException.Kind.NOT_FOUND, "There is no thread '" + threadId + "' in the store.", null);
        }
        return thread;
    }

    void append(ThreadAppend append, Instant at) {
        StoredThread thread = threads.computeIfAbsent(
                append.threadId(),
                id -> new StoredThread(ThreadRecord.builder(id, append.owner(), at)
                        .parent(append.parentRunId(), append.parentCallId())
                        .build()));
        thread.add(append.entries().stream(), at);
        if (append.title() != null) {
            boolean ignored = thread.title(append.title(), TitleSource.FIRST_WORDS);
        }
        append.due(thread.record.titleSource()).ifPresent(agent -> thread.memory.makeDue(agent));
        ThreadAppend.Notes notes = append.notes();
        WorkingTexts texts = thread.memory.texts();
        if (notes != null && texts.isEmpty()) {
            stored(notes.threadId(), append.owner())
                    .ifPresent(source -> texts.copy(source.memory.texts(), notes.revision()));
        }
    }

    ThreadRecord appendAlone(ThreadAppend append, Instant at) {
        requireOwner(append);
        append(append, at);
        return required(append.threadId(), append.owner()).record;
    }

    Optional<ThreadRecord> find(String threadId) {
        return Optional.ofNullable(threads.get(threadId)).map(thread -> thread.record);
    }

    List<ThreadEntry> read(String threadId, ThreadOwner owner, long before, int last) {
        StoredThread thread = owned(threadId, owner);
        if (thread == null) {
            return List.of();
        }
        return thread.last(before, last);
    }

    List<ThreadEntry> readFrom(String threadId, ThreadOwner owner, long from, int limit) {
        StoredThread thread = owned(threadId, owner);
        return thread == null ? List.of() : thread.from(from).limit(limit).toList();
    }

    List<ThreadRecord> list(ThreadRecord.Filter filter) {
        StoredThread source = filter.copyOf() == null ? null : threads.get(filter.copyOf());
        Stream<StoredThread> found =
                filter.copyOf() == null ? all() : source == null ? Stream.of() : source.copies.stream();
        return found.filter(thread -> thread.owner().equals(filter.owner()))
                .sorted(MemoryThreads::changedLastFirst)
                .skip(filter.offset())
                .limit(filter.limit())
                .map(thread -> thread.record)
                .toList();
    }

    boolean create(ThreadRecord thread) {
        return threads.putIfAbsent(thread.threadId(), new StoredThread(thread)) == null;
    }

    ThreadRecord change(String threadId, ThreadOwner owner, ThreadChange change, Instant at) {
        StoredThread thread = required(threadId, owner);
        thread.record = thread.record.changed(change, at);
        return thread.record;
    }

    boolean copy(ThreadRecord.Source from, long before, ThreadRecord to) {
        StoredThread source = required(from.threadId(), from.owner());
        boolean created = create(to.copiedFrom(source.record, Math.min(before, source.length())));
        if (created) {
            StoredThread copy = required(to.threadId(), to.owner());
            copy.source = source;
            source.copies.add(copy);
            source.entries.stream().limit(before).forEach(copy::addAsItIs);
            source.deleted.stream().filter(position -> position < before).forEach(copy.deleted::add);
            copy.memory.copy(source.memory, copy.number, before);
        }
        return created;
    }

    void delete(StoredThread thread) {
        threads.remove(thread.threadId());
        for (StoredThread copy : thread.copies) {
            copy.source = null;
            copy.record = copy.record.ofSource(null);
        }
        if (thread.source != null) {
            thread.source.copies.remove(thread);
        }
    }

    /** Delete what is remembered of a resource apart from its threads; returns how many working memories there were. */
    int deleteMemory(String resourceId) {
        usage.deleteOf(resourceId);
        List<ThreadOwner> owners = workingTexts.keySet().stream()
                .filter(owner -> resourceId.equals(owner.resourceId()))
                .toList();
        return (int) owners.stream()
                .map(workingTexts::remove)
                .filter(texts -> !texts.isEmpty())
                .count();
    }
}
