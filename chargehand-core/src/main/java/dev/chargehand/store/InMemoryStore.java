package dev.chargehand.store;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A store in memory; nothing survives the process.
 *
 * <p>Thread-safe. One short lock guards all state; no foreign code is called while it is held.
 */
public final class InMemoryStore implements Store {

    private final boolean keepsEndedRuns;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<RunId, StoredRun> runs = new HashMap<>();
    private final Map<String, StoredThread> threads = new HashMap<>();

    /** The running root runs of each thread. */
    private final Map<String, Set<RunId>> atWork = new HashMap<>();

    private final Set<String> owners = ConcurrentHashMap.newKeySet();

    private static final class StoredRun {
        private RunRecord record;
        private final List<FactEntry> facts = new ArrayList<>();
        private final Positions positions = new Positions();

        /** The runs of its tree, if it is a root run. */
        private final List<RunId> below = new ArrayList<>(0);

        /** The tree position of the last fact of its tree, if it is a root run. */
        private long treeLength;

        private StoredRun(RunRecord record) {
            this.record = record;
        }
    }

    private static final class StoredThread {
        private final ThreadAppend origin;
        private final Instant createdAt;
        private final List<ThreadEntry> entries = new ArrayList<>();
        private final Set<String> ids = new HashSet<>();

        private StoredThread(ThreadAppend origin, Instant createdAt) {
            this.origin = origin;
            this.createdAt = createdAt;
        }

        private ThreadRecord record() {
            return new ThreadRecord(
                    origin.threadId(),
                    origin.owner(),
                    origin.parentRunId(),
                    origin.parentCallId(),
                    entries.size(),
                    createdAt);
        }
    }

    private InMemoryStore(boolean keepsEndedRuns) {
        this.keepsEndedRuns = keepsEndedRuns;
    }

    /** Make a store that forgets a run, with all its nested ones, when its root run ends; threads stay. */
    public static InMemoryStore create() {
        return new InMemoryStore(false);
    }

    /** Make a store that keeps ended runs too, for tests and short programs that look back at them. */
    public static InMemoryStore keepingEndedRuns() {
        return new InMemoryStore(true);
    }

    @Override
    public Appended append(List<Append> appends) {
        lock.lock();
        try {
            Map<RunId, StoredRun> changed = changed(appends);
            requireOwners(appends);
            for (Append append : appends) {
                if (append.takesThread()) {
                    requireFreeThread(Objects.requireNonNull(changed.get(append.runId())).record);
                }
            }
            StoredRun root = rootOf(appends.getFirst(), changed);
            for (Append append : appends) {
                add(append, Objects.requireNonNull(changed.get(append.runId())), root);
            }
            if (!keepsEndedRuns && root.record.status().isEnded()) {
                root.below.forEach(runs::remove);
                runs.remove(root.record.runId());
            }
            return new Appended(root.treeLength);
        } finally {
            lock.unlock();
        }
    }

    /** Return the runs that appends are to, new ones too; changes nothing. */
    private Map<RunId, StoredRun> changed(List<Append> appends) {
        Map<RunId, StoredRun> changed = HashMap.newHashMap(appends.size());
        for (Append append : appends) {
            changed.put(append.runId(), runFor(append));
        }
        for (Append append : appends) {
            if (rootOf(append, changed).record.epoch() != append.epoch()) {
                throw takenOver(append.runId());
            }
        }
        return changed;
    }

    private StoredRun rootOf(Append append, Map<RunId, StoredRun> changed) {
        StoredRun root = changed.getOrDefault(append.rootRunId(), runs.get(append.rootRunId()));
        if (root == null) {
            throw notFound(append.rootRunId());
        }
        return root;
    }

    private StoredRun runFor(Append append) {
        StoredRun run = runs.get(append.runId());
        RunRecord newRun = append.newRun().orElse(null);
        if (newRun != null) {
            if (run != null) {
                throw new StoreException(
                        StoreException.Kind.FENCED, "Run " + append.runId() + " has been started already.", null);
            }
            run = new StoredRun(newRun);
        }
        if (run == null) {
            throw notFound(append.runId());
        }
        if (run.facts.size() != append.expectedLength()) {
            throw takenOver(append.runId());
        }
        return run;
    }

    private void requireOwners(List<Append> appends) {
        Map<String, ThreadOwner> newOwners = new HashMap<>();
        for (Append append : appends) {
            for (ThreadAppend thread : append.threads()) {
                requireOwner(thread.threadId(), thread.owner());
                ThreadOwner first = newOwners.putIfAbsent(thread.threadId(), thread.owner());
                if (first != null && !first.equals(thread.owner())) {
                    throw new ThreadOwnershipException(thread.threadId());
                }
            }
        }
    }

    private void add(Append append, StoredRun run, StoredRun root) {
        if (append.newRun().isPresent()) {
            runs.put(append.runId(), run);
            if (run != root) {
                root.below.add(append.runId());
            }
        }
        for (FactEntry fact : append.facts()) {
            run.facts.add(fact);
            run.positions.add(++root.treeLength);
        }
        run.record = run.record.advanced(
                append.status(),
                run.facts.size(),
                append.at(),
                append.expiresAt().orElse(null));
        noteWhoIsAtWork(run.record);
        append.threads().forEach(thread -> appendTo(thread, append.at()));
    }

    private void requireFreeThread(RunRecord run) {
        String thread = run.threadId().orElse(null);
        if (thread == null || !run.isRoot()) {
            return;
        }
        for (RunId other : atWork.getOrDefault(thread, Set.of())) {
            if (!other.equals(run.runId())
                    && isAlive(Objects.requireNonNull(runs.get(other)).record.owner())) {
                throw new ThreadBusyException(thread, other.value());
            }
        }
    }

    private void noteWhoIsAtWork(RunRecord run) {
        String thread = run.threadId().orElse(null);
        if (thread == null || !run.isRoot()) {
            return;
        }
        if (run.status() == RunStatus.RUNNING) {
            atWork.computeIfAbsent(thread, t -> new HashSet<>()).add(run.runId());
        } else {
            atWork.computeIfPresent(thread, (t, ids) -> ids.remove(run.runId()) && ids.isEmpty() ? null : ids);
        }
    }

    private void appendTo(ThreadAppend append, Instant at) {
        StoredThread thread = threads.computeIfAbsent(append.threadId(), id -> new StoredThread(append, at));
        for (ThreadEntry entry : append.entries()) {
            if (thread.ids.add(entry.messageId())) {
                thread.entries.add(entry);
            }
        }
    }

    @Override
    public List<FactEntry> read(RunId runId, long from) {
        lock.lock();
        try {
            StoredRun run = runs.get(runId);
            return run == null || from >= run.facts.size()
                    ? List.of()
                    : List.copyOf(run.facts.subList((int) from, run.facts.size()));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<TreeFact> readTree(RunId root, long after, int limit) {
        lock.lock();
        try {
            StoredRun top = runs.get(root);
            if (top == null || after >= top.treeLength) {
                return List.of();
            }
            List<TreeFact> facts = new ArrayList<>();
            addAfter(after, top, facts);
            for (RunId below : top.below) {
                addAfter(after, Objects.requireNonNull(runs.get(below)), facts);
            }
            facts.sort(Comparator.comparingLong(TreeFact::position));
            return List.copyOf(facts.subList(0, Math.min(limit, facts.size())));
        } finally {
            lock.unlock();
        }
    }

    private static void addAfter(long after, StoredRun run, List<TreeFact> facts) {
        for (int i = run.facts.size() - 1; i >= 0 && run.positions.get(i) > after; i--) {
            facts.add(new TreeFact(run.positions.get(i), run.record.runId(), i, run.facts.get(i)));
        }
    }

    @Override
    public Optional<RunRecord> find(RunId runId) {
        lock.lock();
        try {
            return Optional.ofNullable(runs.get(runId)).map(run -> run.record);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<RunRecord> list(RunFilter filter) {
        lock.lock();
        try {
            RunRecord last = filter.before()
                    .map(before -> find(before).orElseThrow(() -> notFound(before)))
                    .orElse(null);
            return runs.values().stream()
                    .map(run -> run.record)
                    .filter(run -> matches(run, filter) && (last == null || NEWEST_FIRST.compare(run, last) > 0))
                    .sorted(NEWEST_FIRST)
                    .limit(filter.limit())
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    private static final Comparator<RunRecord> NEWEST_FIRST = Comparator.comparing(RunRecord::startedAt)
            .thenComparing(run -> run.runId().value())
            .reversed();

    private boolean matches(RunRecord run, RunFilter filter) {
        return (filter.statuses().isEmpty() || filter.statuses().contains(run.status()))
                && (!filter.rootsOnly() || run.isRoot())
                && isOrAny(filter.rootRunId(), Optional.of(run.rootRunId()))
                && isOrAny(filter.threadId(), run.threadId())
                && isOrAny(filter.resourceId(), run.resourceId())
                && isBefore(filter.expiringBefore(), run.expiresAt())
                && (!filter.leftBelow() || isLeftBelow(run));
    }

    private boolean isLeftBelow(RunRecord run) {
        StoredRun above = run.parentRunId().map(runs::get).orElse(null);
        return !run.status().isEnded() && above != null && above.record.status().isEnded();
    }

    private static boolean isBefore(Optional<Instant> limit, Optional<Instant> expiresAt) {
        return limit.isEmpty() || expiresAt.filter(limit.get()::isAfter).isPresent();
    }

    private static boolean isOrAny(Optional<?> wanted, Optional<?> actual) {
        return wanted.isEmpty() || wanted.equals(actual);
    }

    @Override
    public RunRecord claim(RunId runId, long expectedEpoch, long expectedLength, String owner) {
        lock.lock();
        try {
            StoredRun run = runs.get(runId);
            if (run == null) {
                throw notFound(runId);
            }
            if (run.record.epoch() != expectedEpoch || run.record.length() != expectedLength) {
                throw takenOver(runId);
            }
            run.record = run.record.claimed(owner);
            return run.record;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void release(RunId root, long epoch) {
        lock.lock();
        try {
            StoredRun run = runs.get(root);
            if (run == null) {
                throw notFound(root);
            }
            if (run.record.epoch() != epoch) {
                throw takenOver(root);
            }
            if (!run.record.status().isEnded()) {
                run.record = run.record.claimed("");
            }
        } finally {
            lock.unlock();
        }
    }

    /** Remember the owner, or forget it; within one process an owner lives until it says that it is gone. */
    @Override
    public void heartbeat(String owner, Duration timeToLive) {
        if (timeToLive.isPositive()) {
            owners.add(owner);
        } else {
            owners.remove(owner);
        }
    }

    @Override
    public boolean isAlive(String owner) {
        return owners.contains(owner);
    }

    @Override
    public Optional<ThreadRecord> findThread(String threadId) {
        lock.lock();
        try {
            return Optional.ofNullable(threads.get(threadId)).map(StoredThread::record);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<ThreadEntry> readThread(String threadId, ThreadOwner owner, long before, int last) {
        lock.lock();
        try {
            requireOwner(threadId, owner);
            StoredThread thread = threads.get(threadId);
            if (thread == null) {
                return List.of();
            }
            int end = (int) Math.min(before, thread.entries.size());
            return List.copyOf(thread.entries.subList(Math.max(0, end - last), end));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public List<ThreadRecord> listThreads(String resourceId, int offset, int limit) {
        lock.lock();
        try {
            return threads.values().stream()
                    .map(StoredThread::record)
                    .filter(thread -> thread.owner().equals(new ThreadOwner(resourceId, null)))
                    .sorted(Comparator.comparing(ThreadRecord::createdAt)
                            .thenComparing(ThreadRecord::threadId)
                            .reversed())
                    .skip(offset)
                    .limit(limit)
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean deleteThread(String threadId, ThreadOwner owner) {
        lock.lock();
        try {
            requireOwner(threadId, owner);
            return threads.remove(threadId) != null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {}

    private void requireOwner(String threadId, ThreadOwner owner) {
        StoredThread thread = threads.get(threadId);
        if (thread != null && !thread.origin.owner().equals(owner)) {
            throw new ThreadOwnershipException(threadId);
        }
    }

    private static StoreException takenOver(RunId runId) {
        return new StoreException(
                StoreException.Kind.FENCED,
                "Run " + runId + " was taken over or written by another owner; this process must stop executing it.",
                null);
    }

    private static StoreException notFound(RunId runId) {
        return new StoreException(StoreException.Kind.NOT_FOUND, "There is no run " + runId + " in the store.", null);
    }
}
