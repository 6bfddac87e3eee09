package dev.chargehand.testkit;

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
import dev.chargehand.testkit.FaultyStore.Operation;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.TitleSource;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The memory of a {@link FaultyStore}, whose calls meet the faults of the same plan. */
record FaultyMemoryStore(MemoryStore memory, FaultPlan plan) implements MemoryStore {

    /** Not counted: how often it is called depends on how long a program takes. */
    @Override
    public List<DueThread> due(long after, int limit) {
        return memory.due(after, limit);
    }

    @Override
    public boolean take(ThreadOwner owner, String threadId, String worker, Duration lease) {
        return plan.call(Operation.TAKE_MEMORY_WORK, () -> memory.take(owner, threadId, worker, lease));
    }

    @Override
    public void giveBack(ThreadOwner owner, String threadId, String worker, long length, @Nullable Instant dueAgain) {
        plan.call(Operation.TAKE_MEMORY_WORK, () -> {
            memory.giveBack(owner, threadId, worker, length, dueAgain);
            return null;
        });
    }

    @Override
    public Optional<IndexedRange> indexed(ThreadOwner owner, String threadId, VectorSpace space) {
        return plan.call(Operation.READ_INDEXED, () -> memory.indexed(owner, threadId, space));
    }

    @Override
    public boolean index(
            ThreadOwner owner,
            String threadId,
            VectorSpace space,
            Optional<IndexedRange> expected,
            IndexedRange next,
            List<Passage> passages) {
        return plan.call(Operation.INDEX_THREAD, () -> memory.index(owner, threadId, space, expected, next, passages));
    }

    @Override
    public boolean title(
            ThreadOwner owner, String threadId, String title, TitleSource source, List<String> messageIds) {
        return plan.call(Operation.TITLE_THREAD, () -> memory.title(owner, threadId, title, source, messageIds));
    }

    @Override
    public long historyFrom(ThreadOwner owner, String threadId, int tokens) {
        return plan.call(Operation.MOVE_HISTORY, () -> memory.historyFrom(owner, threadId, tokens));
    }

    @Override
    public void moveHistory(ThreadOwner owner, String threadId, int tokens, long from) {
        plan.call(Operation.MOVE_HISTORY, () -> {
            memory.moveHistory(owner, threadId, tokens, from);
            return null;
        });
    }

    @Override
    public ObservationLog observations(ThreadOwner owner, String threadId) {
        return plan.call(Operation.READ_OBSERVATIONS, () -> memory.observations(owner, threadId));
    }

    @Override
    public ObservationLog observations(ThreadOwner owner, String threadId, long number) {
        return plan.call(Operation.READ_OBSERVATIONS, () -> memory.observations(owner, threadId, number));
    }

    @Override
    public List<String> observedThreads(ThreadOwner owner, int limit) {
        return plan.call(Operation.READ_OBSERVATIONS, () -> memory.observedThreads(owner, limit));
    }

    @Override
    public List<String> threads(ThreadOwner owner, String after, int limit) {
        return plan.call(Operation.LIST_THREADS, () -> memory.threads(owner, after, limit));
    }

    @Override
    public OptionalLong observe(ThreadOwner owner, String threadId, NewObservation observation) {
        return plan.call(Operation.OBSERVE, () -> memory.observe(owner, threadId, observation));
    }

    @Override
    public OptionalLong reflect(ThreadOwner owner, String threadId, NewReflection reflection) {
        return plan.call(Operation.REFLECT, () -> memory.reflect(owner, threadId, reflection));
    }

    @Override
    public PassageHits nearest(PassageQuery query) {
        return plan.call(Operation.SEARCH, () -> memory.nearest(query));
    }

    @Override
    public long deleteVectors(ThreadOwner owner, VectorSpace space) {
        return plan.call(Operation.DELETE_VECTORS, () -> memory.deleteVectors(owner, space));
    }

    @Override
    public Optional<WorkingMemoryRevision> workingMemory(ThreadOwner owner, @Nullable String threadId) {
        return plan.call(Operation.READ_WORKING_MEMORY, () -> memory.workingMemory(owner, threadId));
    }

    @Override
    public Optional<WorkingMemoryRevision> workingMemory(ThreadOwner owner, @Nullable String threadId, long revision) {
        return plan.call(Operation.READ_WORKING_MEMORY, () -> memory.workingMemory(owner, threadId, revision));
    }

    @Override
    public WorkingMemoryEdit edit(
            ThreadOwner owner,
            @Nullable String threadId,
            long expected,
            String key,
            String text,
            Instant at,
            @Nullable RunId by) {
        return plan.call(
                Operation.EDIT_WORKING_MEMORY, () -> memory.edit(owner, threadId, expected, key, text, at, by));
    }

    @Override
    public boolean addUsage(ThreadOwner owner, String threadId, MemoryUsage used) {
        return plan.call(Operation.ADD_MEMORY_USAGE, () -> memory.addUsage(owner, threadId, used));
    }

    @Override
    public List<MemoryUsage> usage(@Nullable String resourceId, LocalDate since) {
        return plan.call(Operation.READ_MEMORY_USAGE, () -> memory.usage(resourceId, since));
    }
}
