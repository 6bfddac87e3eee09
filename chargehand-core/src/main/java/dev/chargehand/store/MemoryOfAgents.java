package dev.chargehand.store;

import dev.chargehand.run.RunId;
import dev.chargehand.store.MemoryThreads.StoredThread;
import dev.chargehand.store.deletion.Deletion;
import dev.chargehand.store.memory.DueThread;
import dev.chargehand.store.memory.IndexedRange;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.MemoryUsage;
import dev.chargehand.store.memory.NearestMessages;
import dev.chargehand.store.memory.NewObservation;
import dev.chargehand.store.memory.NewReflection;
import dev.chargehand.store.memory.ObservationLog;
import dev.chargehand.store.memory.ObservationRows;
import dev.chargehand.store.memory.Passage;
import dev.chargehand.store.memory.PassageHits;
import dev.chargehand.store.memory.PassageQuery;
import dev.chargehand.store.memory.UnitVector;
import dev.chargehand.store.memory.VectorRows;
import dev.chargehand.store.memory.VectorRows.Vector;
import dev.chargehand.store.memory.VectorSpace;
import dev.chargehand.store.memory.WorkingMemoryEdit;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import dev.chargehand.store.memory.WorkingTexts;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.TitleSource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the agents of one tenant remember, in memory. It takes the store's lock itself, and compares vectors without it. */
final class MemoryOfAgents implements MemoryStore {

    /** Does something under the store's lock. */
    interface Lock {
        <T> T locked(Supplier<T> work);
    }

    private final MemoryRuns runs;
    private final MemoryThreads threads;
    private final Supplier<Stream<StoredThread>> threadsOfAllTenants;
    private final Map<VectorSpace, Instant> spaces;
    private final InstantSource clock;
    private final Lock lock;

    MemoryOfAgents(
            MemoryRuns runs,
            Supplier<Stream<StoredThread>> threadsOfAllTenants,
            Map<VectorSpace, Instant> spaces,
            InstantSource clock,
            Lock lock) {
        this.runs = runs;
        this.threads = runs.threads();
        this.threadsOfAllTenants = threadsOfAllTenants;
        this.spaces = spaces;
        this.clock = clock;
        this.lock = lock;
    }

    @Override
    public List<DueThread> due(long after, int limit) {
        Instant now = clock.instant();
        return lock.locked(() -> threadsOfAllTenants
                .get()
                .filter(thread -> thread.number() > after && thread.memory().isDue(now))
                .sorted(Comparator.comparingLong(StoredThread::number))
                .limit(Math.max(0, limit))
                .map(StoredThread::due)
                .toList());
    }

    @Override
    public boolean take(ThreadOwner owner, String threadId, String worker, Duration lease) {
        Instant now = clock.instant();
        return lock.locked(() -> threads.stored(threadId, owner)
                .filter(thread -> thread.memory().take(worker, now, lease))
                .isPresent());
    }

    @Override
    public void giveBack(ThreadOwner owner, String threadId, String worker, long length, @Nullable Instant dueAgain) {
        lock.locked(() -> {
            Optional<StoredThread> stored = threads.stored(threadId, owner);
            stored.ifPresent(thread -> thread.memory().giveBack(worker, length == thread.length(), dueAgain));
            return stored;
        });
    }

    @Override
    public Optional<IndexedRange> indexed(ThreadOwner owner, String threadId, VectorSpace space) {
        return lock.locked(() -> threads.stored(threadId, owner)
                .flatMap(thread -> thread.memory().vectors.range(space)));
    }

    @Override
    public boolean index(
            ThreadOwner owner,
            String threadId,
            VectorSpace space,
            Optional<IndexedRange> expected,
            IndexedRange next,
            List<Passage> passages) {
        passages.forEach(passage -> {
            UnitVector ignored = space.require(passage.vector());
        });
        Instant now = clock.instant();
        return lock.locked(() -> {
            StoredThread thread = threads.required(threadId, owner);
            spaces.put(space, now);
            boolean asExpected = thread.memory().vectors.range(space).equals(expected);
            if (asExpected) {
                thread.memory().vectors.add(space, next, passages.stream().flatMap(passage -> thread.vectors(passage)));
            }
            return asExpected;
        });
    }

    @Override
    public boolean title(
            ThreadOwner owner, String threadId, String title, TitleSource source, List<String> messageIds) {
        return lock.locked(() -> threads.stored(threadId, owner)
                .filter(thread -> thread.hasAll(messageIds) && thread.title(title, source))
                .isPresent());
    }

    @Override
    public long historyFrom(ThreadOwner owner, String threadId, int tokens) {
        return lock.locked(() -> threads.stored(threadId, owner)
                .map(thread -> thread.memory().historyFrom.getOrDefault(tokens, 0L))
                .orElse(0L));
    }

    @Override
    public void moveHistory(ThreadOwner owner, String threadId, int tokens, long from) {
        lock.locked(() -> {
            Optional<StoredThread> stored = threads.stored(threadId, owner);
            stored.filter(thread -> from <= thread.length())
                    .ifPresent(thread -> thread.memory().historyFrom.merge(tokens, from, Math::max));
            return stored;
        });
    }

    @Override
    public ObservationLog observations(ThreadOwner owner, String threadId) {
        return observations(owner, threadId, Long.MAX_VALUE);
    }

    @Override
    public ObservationLog observations(ThreadOwner owner, String threadId, long number) {
        return lock.locked(() -> threads.stored(threadId, owner)
                .map(thread -> thread.memory().observed.log(number))
                .orElse(ObservationLog.EMPTY));
    }

    @Override
    public List<String> observedThreads(ThreadOwner owner, int limit) {
        return lock.locked(() -> threads.of(owner)
                .filter(thread -> !thread.memory().observed.isEmpty())
                .sorted(MemoryThreads::changedLastFirst)
                .limit(Math.max(0, limit))
                .map(StoredThread::threadId)
                .toList());
    }

    @Override
    public List<String> threads(ThreadOwner owner, String after, int limit) {
        return lock.locked(() -> threads.of(owner)
                .map(StoredThread::threadId)
                .filter(id -> id.compareTo(after) > 0)
                .sorted()
                .limit(Math.max(0, limit))
                .toList());
    }

    @Override
    public OptionalLong observe(ThreadOwner owner, String threadId, NewObservation observation) {
        return lock.locked(() -> threads.stored(threadId, owner)
                .filter(thread -> thread.has(observation))
                .map(thread -> thread.memory().observed.add(observation))
                .orElse(OptionalLong.empty()));
    }

    @Override
    public OptionalLong reflect(ThreadOwner owner, String threadId, NewReflection reflection) {
        return lock.locked(() -> threads.stored(threadId, owner)
                .map(thread -> thread.memory().observed.add(reflection))
                .orElse(OptionalLong.empty()));
    }

    @Override
    public PassageHits nearest(PassageQuery query) {
        Map<Long, StoredThread> searched = new HashMap<>();
        Instant now = clock.instant();
        List<Vector> vectors = lock.locked(() -> {
            spaces.put(query.space(), now);
            threadsOf(query).forEach(thread -> searched.put(thread.number(), thread));
            return vectors(searched.values(), query);
        });
        NearestMessages nearest = new NearestMessages(query);
        vectors.forEach(vector -> nearest.offer(vector.message(), vector.quantized()));
        List<PassageHits.Hit> hits = new ArrayList<>();
        for (NearestMessages.Near near : nearest.found()) {
            StoredThread thread =
                    Objects.requireNonNull(searched.get(near.message().thread()));
            hits.add(new PassageHits.Hit(
                    thread.owner(), thread.threadId(), near.message().position(), near.score()));
        }
        return new PassageHits(hits, nearest.isComplete());
    }

    private Stream<StoredThread> threadsOf(PassageQuery query) {
        String only = query.among().onlyThread();
        return only == null ? threads.of(query.owner()) : threads.stored(only, query.owner()).stream();
    }

    /** Return the vectors that may be found, those said last first. */
    private static List<Vector> vectors(Iterable<StoredThread> threads, PassageQuery query) {
        List<Vector> vectors = new ArrayList<>();
        for (StoredThread thread : threads) {
            boolean leftOut = thread.threadId().equals(query.among().leftOut());
            thread.memory()
                    .vectors
                    .vectors(query.space())
                    .filter(vector -> !leftOut
                            || vector.message().position() < query.among().from())
                    .forEach(vectors::add);
        }
        vectors.sort(Comparator.comparing(Vector::message).reversed());
        return vectors;
    }

    @Override
    public long deleteVectors(ThreadOwner owner, VectorSpace space) {
        return lock.locked(() -> threads.of(owner)
                .mapToLong(thread -> thread.memory().vectors.delete(space))
                .sum());
    }

    /**
     * Delete vectors of spaces that are not used; returns how many, with their ranges.
     *
     * @param spaces when each was used
     */
    static int deleteUnused(
            Deletion.UnusedVectors what, Map<VectorSpace, Instant> spaces, Supplier<Stream<StoredThread>> threads) {
        int deleted = 0;
        for (VectorSpace space : spaces.keySet()) {
            if (spaces.get(space).isBefore(what.unusedSince())) {
                for (StoredThread thread : threads.get().toList()) {
                    int left = what.limit() - deleted;
                    deleted += left > 0 ? thread.memory().vectors.delete(space, left) : 0;
                }
            }
        }
        return deleted;
    }

    @Override
    public Optional<WorkingMemoryRevision> workingMemory(ThreadOwner owner, @Nullable String threadId) {
        return workingMemory(owner, threadId, WorkingTexts::newest);
    }

    @Override
    public Optional<WorkingMemoryRevision> workingMemory(ThreadOwner owner, @Nullable String threadId, long revision) {
        return workingMemory(owner, threadId, texts -> texts.revision(revision));
    }

    private Optional<WorkingMemoryRevision> workingMemory(
            ThreadOwner owner,
            @Nullable String threadId,
            Function<WorkingTexts, Optional<WorkingMemoryRevision>> read) {
        return lock.locked(() -> (threadId == null
                        ? Optional.of(threads.workingTexts(owner))
                        : threads.stored(threadId, owner).map(thread -> thread.memory().texts))
                .flatMap(read));
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
        String editKey = MemoryStore.requireEditKey(key);
        return lock.locked(() -> {
            if (by != null
                    && runs.find(by).filter(run -> !run.status().isEnded()).isEmpty()) {
                throw MemoryStore.editOfEndedRun(by);
            }
            return (threadId == null
                            ? threads.workingTexts(owner)
                            : threads.required(threadId, owner).memory().texts)
                    .edit(expected, editKey, text, at);
        });
    }

    @Override
    public boolean addUsage(ThreadOwner owner, String threadId, MemoryUsage used) {
        return lock.locked(() -> {
            boolean exists = threads.stored(threadId, owner).isPresent();
            if (exists) {
                threads.usage().add(owner.resourceId(), used);
            }
            return exists;
        });
    }

    @Override
    public List<MemoryUsage> usage(@Nullable String resourceId, LocalDate since) {
        return lock.locked(() -> threads.usage().since(resourceId, since));
    }

    /** What is remembered of one thread. Used under the store's lock. */
    static final class OfThread {

        private final VectorRows vectors = new VectorRows();
        private final WorkingTexts texts = new WorkingTexts();
        private final ObservationRows observed = new ObservationRows();

        /** The first message that runs see, by their bound of tokens. */
        private final Map<Integer, Long> historyFrom = new HashMap<>();

        private @Nullable Instant due;
        private @Nullable String agentPath;
        private @Nullable String worker;
        private Instant until = Instant.MIN;

        WorkingTexts texts() {
            return texts;
        }

        /** Now, by any clock. */
        void makeDue(String ofAgent) {
            due = Instant.MIN;
            agentPath = ofAgent;
        }

        String agentPath() {
            return Objects.requireNonNull(agentPath, "It is due.");
        }

        private boolean isDue(Instant now) {
            return due != null && !due.isAfter(now) && !isTaken(now);
        }

        private boolean isTaken(Instant now) {
            return worker != null && until.isAfter(now);
        }

        private boolean take(String taker, Instant now, Duration lease) {
            boolean mine = taker.equals(worker) || !isTaken(now);
            if (mine) {
                worker = taker;
                until = lease.compareTo(Duration.between(now, Instant.MAX)) < 0 ? now.plus(lease) : Instant.MAX;
            }
            return mine;
        }

        private void giveBack(String giver, boolean allSeen, @Nullable Instant dueAgain) {
            if (giver.equals(worker)) {
                worker = null;
                Instant again = agentPath == null ? null : dueAgain; // no agent has ever had work to do
                due = allSeen || due == null ? again : due;
            }
        }

        /** Delete what is derived from some messages. */
        void deleteAt(Set<Long> positions) {
            positions.forEach(observed::deleteFrom);
            vectors.deleteAt(positions);
        }

        /** Become a copy of what another thread has of its messages before a position. */
        void copy(OfThread other, long number, long before) {
            due = other.due;
            agentPath = other.agentPath;
            texts.copy(other.texts);
            observed.copy(other.observed, before);
            vectors.copy(other.vectors, number, before);
        }
    }
}
