package dev.chargehand.internal.journal;

import dev.chargehand.run.RunId;
import dev.chargehand.store.memory.DueThread;
import dev.chargehand.store.memory.IndexedRange;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.MemoryUsage;
import dev.chargehand.store.memory.NewObservation;
import dev.chargehand.store.memory.NewReflection;
import dev.chargehand.store.memory.ObservationLog;
import dev.chargehand.store.memory.Passage;
import dev.chargehand.store.memory.PassageHits;
import dev.chargehand.store.memory.PassageQuery;
import dev.chargehand.store.memory.VectorSpace;
import dev.chargehand.store.memory.WorkingMemoryEdit;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.TitleSource;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** What a store keeps for the memory of agents, with calls that end as those of a {@link BoundedStore} do. */
record BoundedMemoryStore(MemoryStore memory, BoundedStoreCalls calls) implements MemoryStore {

    @Override
    public List<DueThread> due(long after, int most) {
        return calls.run("look for memory work", () -> memory.due(after, most));
    }

    @Override
    public boolean take(ThreadOwner owner, String threadId, String worker, Duration lease) {
        return calls.run("take memory work", () -> memory.take(owner, threadId, worker, lease));
    }

    @Override
    public void giveBack(ThreadOwner owner, String threadId, String worker, long length, @Nullable Instant dueAgain) {
        calls.run("give memory work back", () -> {
            memory.giveBack(owner, threadId, worker, length, dueAgain);
            return null;
        });
    }

    @Override
    public Optional<IndexedRange> indexed(ThreadOwner owner, String threadId, VectorSpace space) {
        return calls.run("read what is indexed", () -> memory.indexed(owner, threadId, space));
    }

    @Override
    public boolean index(
            ThreadOwner owner,
            String threadId,
            VectorSpace space,
            Optional<IndexedRange> expected,
            IndexedRange next,
            List<Passage> passages) {
        return calls.run("index a thread", () -> memory.index(owner, threadId, space, expected, next, passages));
    }

    @Override
    public boolean title(
            ThreadOwner owner, String threadId, String title, TitleSource source, List<String> messageIds) {
        return calls.run("give a thread a title", () -> memory.title(owner, threadId, title, source, messageIds));
    }

    @Override
    public long historyFrom(ThreadOwner owner, String threadId, int tokens) {
        return calls.run("read where a history starts", () -> memory.historyFrom(owner, threadId, tokens));
    }

    @Override
    public void moveHistory(ThreadOwner owner, String threadId, int tokens, long from) {
        calls.run("move where a history starts", () -> {
            memory.moveHistory(owner, threadId, tokens, from);
            return null;
        });
    }

    @Override
    public ObservationLog observations(ThreadOwner owner, String threadId) {
        return calls.run("read observations", () -> memory.observations(owner, threadId));
    }

    @Override
    public ObservationLog observations(ThreadOwner owner, String threadId, long number) {
        return calls.run("read observations", () -> memory.observations(owner, threadId, number));
    }

    @Override
    public List<String> observedThreads(ThreadOwner owner, int limit) {
        return calls.run("look for observed threads", () -> memory.observedThreads(owner, limit));
    }

    @Override
    public List<String> threads(ThreadOwner owner, String after, int limit) {
        return calls.run("read the threads of an owner", () -> memory.threads(owner, after, limit));
    }

    @Override
    public OptionalLong observe(ThreadOwner owner, String threadId, NewObservation observation) {
        return calls.run("store an observation", () -> memory.observe(owner, threadId, observation));
    }

    @Override
    public OptionalLong reflect(ThreadOwner owner, String threadId, NewReflection reflection) {
        return calls.run("store a reflection", () -> memory.reflect(owner, threadId, reflection));
    }

    @Override
    public PassageHits nearest(PassageQuery query) {
        return calls.run("search messages", () -> memory.nearest(query));
    }

    @Override
    public long deleteVectors(ThreadOwner owner, VectorSpace space) {
        return calls.run("delete vectors", () -> memory.deleteVectors(owner, space));
    }

    @Override
    public Optional<WorkingMemoryRevision> workingMemory(ThreadOwner owner, @Nullable String threadId) {
        return calls.run("read a working memory", () -> memory.workingMemory(owner, threadId));
    }

    @Override
    public Optional<WorkingMemoryRevision> workingMemory(ThreadOwner owner, @Nullable String threadId, long revision) {
        return calls.run("read a working memory", () -> memory.workingMemory(owner, threadId, revision));
    }

    /** Add; if the outcome is unknown, it is not added again. */
    @Override
    public boolean addUsage(ThreadOwner owner, String threadId, MemoryUsage used) {
        return calls.run("count the tokens of memory", () -> memory.addUsage(owner, threadId, used));
    }

    @Override
    public List<MemoryUsage> usage(@Nullable String resourceId, LocalDate since) {
        return calls.run("read the tokens of memory", () -> memory.usage(resourceId, since));
    }

    /** Edit; if the outcome is unknown, the edit is made again, which changes nothing if it is stored. */
    @Override
    public WorkingMemoryEdit edit(
            ThreadOwner owner,
            @Nullable String threadId,
            long expected,
            String key,
            String text,
            Instant at,
            @Nullable RunId by) {
        Callable<WorkingMemoryEdit> edit = () -> memory.edit(owner, threadId, expected, key, text, at, by);
        return calls.determined("edit a working memory", edit, () -> Optional.of(edited(edit.call(), expected)));
    }

    private static WorkingMemoryEdit edited(WorkingMemoryEdit again, long expected) {
        return again instanceof WorkingMemoryEdit.Known known && known.revision() == expected + 1
                ? new WorkingMemoryEdit.Stored(known.revision())
                : again;
    }
}
