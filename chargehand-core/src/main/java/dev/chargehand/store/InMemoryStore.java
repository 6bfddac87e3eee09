package dev.chargehand.store;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A store in memory; nothing survives the process.
 *
 * <p>Thread-safe. One short lock guards all state; no foreign code is called while it is held.
 */
public final class InMemoryStore implements Store {

    private final boolean keepsEndedRuns;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<RunId, MemoryRun> runs = new HashMap<>();
    private final MemoryThreads threads = new MemoryThreads();
    private final MemoryRun.Keys keys = new MemoryRun.Keys();

    private final Set<String> owners = ConcurrentHashMap.newKeySet();
    private long deliveries;

    private long appends;
    private long appendsSeen;
    private final ChangeSignal changes = new ChangeSignal(this::hasGrown);

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

    /** Return whether it forgets a run when its root run ends. */
    public boolean forgetsEndedRuns() {
        return !keepsEndedRuns;
    }

    @Override
    public Appended append(List<Append> appends) {
        Appended appended = locked(() -> appendAll(appends));
        if (appends.stream().anyMatch(append -> append.status() != RunStatus.RUNNING)) {
            changes.signal();
        }
        return appended;
    }

    private Appended appendAll(List<Append> appends) {
        Map<RunId, MemoryRun> changed = changed(appends);
        threads.requireOwners(appends);
        keys.requireUnused(appends);
        for (Append append : appends) {
            if (append.takesThread()) {
                requireFreeThread(Objects.requireNonNull(changed.get(append.runId())).record);
            }
        }
        MemoryRun root = rootOf(appends.getFirst(), changed);
        for (Append append : appends) {
            requireDrained(append, Objects.requireNonNull(changed.get(append.runId())), root);
        }
        for (Append append : appends) {
            add(append, Objects.requireNonNull(changed.get(append.runId())), root);
        }
        keys.add(appends);
        if (!keepsEndedRuns && root.record.status().isEnded()) {
            root.below.forEach(runs::remove);
            runs.remove(root.record.runId());
        }
        this.appends++;
        return new Appended(root.treeLength, root.undrained, root.wakes);
    }

    /** Reject an append that drains a missing delivery, or that ignores a delivery that must be read before. */
    private void requireDrained(Append append, MemoryRun run, MemoryRun root) {
        for (String id : append.drains()) {
            if (run.inbox == null || !run.inbox.hasUndrained(id)) {
                throw takenOver(append.runId());
            }
        }
        if (root.undrained > append.drains().size() && run.ignoresDelivery(append, root.inboxes(runs))) {
            throw new StoreException(
                    StoreException.Kind.DELIVERED,
                    "Run " + append.runId() + " has received something that it has to read first.",
                    null);
        }
    }

    /** Return the runs that appends are to, new ones too; changes nothing. */
    private Map<RunId, MemoryRun> changed(List<Append> appends) {
        Map<RunId, MemoryRun> changed = HashMap.newHashMap(appends.size());
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

    private MemoryRun rootOf(Append append, Map<RunId, MemoryRun> changed) {
        MemoryRun root = changed.getOrDefault(append.rootRunId(), runs.get(append.rootRunId()));
        if (root == null) {
            throw notFound(append.rootRunId());
        }
        return root;
    }

    private MemoryRun runFor(Append append) {
        MemoryRun run = runs.get(append.runId());
        RunRecord newRun = append.newRun().orElse(null);
        if (newRun != null) {
            if (run != null) {
                throw new StoreException(
                        StoreException.Kind.FENCED, "Run " + append.runId() + " has been started already.", null);
            }
            run = new MemoryRun(newRun);
        }
        if (run == null) {
            throw notFound(append.runId());
        }
        if (run.facts.size() != append.expectedLength()) {
            throw takenOver(append.runId());
        }
        return run;
    }

    private void add(Append append, MemoryRun run, MemoryRun root) {
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
        run.advance(append);
        threads.noteStatus(run.record);
        if (!append.waits().isEmpty()) {
            root.hasInboxes = true;
        }
        root.progressed(append);
        run.drain(append, root);
        append.threads().forEach(thread -> threads.append(thread, append.at()));
    }

    /** Return a run that keeps another from taking its thread. */
    private Optional<RunId> hasThreadBefore(RunRecord run) {
        return threads.othersOn(run).stream()
                .filter(other ->
                        isAlive(Objects.requireNonNull(runs.get(other)).record.owner()))
                .findFirst()
                .or(() -> threads.olderPending(run));
    }

    private void requireFreeThread(RunRecord run) {
        hasThreadBefore(run).ifPresent(other -> {
            throw new ThreadBusyException(run.threadId().orElseThrow(), other.value());
        });
    }

    @Override
    public List<FactEntry> read(RunId runId, long from) {
        return locked(() -> {
            MemoryRun run = runs.get(runId);
            return run == null || from >= run.facts.size()
                    ? List.of()
                    : List.copyOf(run.facts.subList((int) from, run.facts.size()));
        });
    }

    @Override
    public Delivered deliver(Delivery delivery) {
        Delivered delivered = locked(() -> stored(delivery));
        if (delivered instanceof Delivered.Accepted) {
            changes.signal();
        }
        return delivered;
    }

    private Delivered stored(Delivery delivery) {
        MemoryRun run = runs.get(delivery.to());
        return run == null || run.record.status().isEnded()
                ? new Delivered.NotWaiting()
                : run.receive(delivery, ++deliveries, Objects.requireNonNull(runs.get(run.record.rootRunId())));
    }

    @Override
    public List<Delivery> undrained(RunId root) {
        return locked(() -> Stream.ofNullable(runs.get(root))
                .flatMap(top -> top.undrained(runs))
                .toList());
    }

    @Override
    public List<WaitingCall> waiting(RunId root) {
        return locked(() -> Stream.ofNullable(runs.get(root))
                .flatMap(top -> top.waiting(runs))
                .toList());
    }

    @Override
    public boolean index(Append derived) {
        return locked(() -> {
            MemoryRun run = runs.get(derived.runId());
            MemoryRun root = runs.get(derived.rootRunId());
            return run != null && root != null && run.index(derived, root);
        });
    }

    @Override
    public List<TreeFact> readTree(RunId root, long after, int limit) {
        return locked(() -> {
            MemoryRun top = runs.get(root);
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
        });
    }

    private static void addAfter(long after, MemoryRun run, List<TreeFact> facts) {
        for (int i = run.facts.size() - 1; i >= 0 && run.positions.get(i) > after; i--) {
            facts.add(new TreeFact(run.positions.get(i), run.record.runId(), i, run.facts.get(i)));
        }
    }

    @Override
    public Optional<RunRecord> find(RunId runId) {
        return locked(() -> Optional.ofNullable(runs.get(runId)).map(run -> run.record));
    }

    @Override
    public List<RunRecord> list(RunFilter filter) {
        return locked(() -> {
            RunRecord last = filter.before()
                    .map(before -> find(before).orElseThrow(() -> notFound(before)))
                    .orElse(null);
            return MemoryRun.list(runs, filter, last);
        });
    }

    @Override
    public RunRecord claim(RunId runId, long expectedEpoch, long expectedLength, String owner) {
        return locked(() -> {
            MemoryRun run = runs.get(runId);
            if (run == null) {
                throw notFound(runId);
            }
            if (run.record.epoch() != expectedEpoch || run.record.length() != expectedLength) {
                throw takenOver(runId);
            }
            if (run.record.status() == RunStatus.PENDING) {
                requireFreeThread(run.record);
            }
            run.record = run.record.claimed(owner);
            threads.noteStatus(run.record);
            return run.record;
        });
    }

    @Override
    public RunRecord claimToWake(
            RunId runId, long expectedEpoch, long expectedLength, String owner, Instant notBefore) {
        return locked(() -> {
            RunRecord claimed = claim(runId, expectedEpoch, expectedLength, owner);
            MemoryRun run = Objects.requireNonNull(runs.get(runId));
            run.record = claimed.attempts(claimed.attempts() + 1);
            run.notBefore = notBefore;
            return run.record;
        });
    }

    @Override
    public DueRuns due(DueRuns.Query query) {
        return locked(() ->
                DueRuns.of(runs, query, owners, run -> hasThreadBefore(run).isEmpty()));
    }

    @Override
    public void release(RunId root, long epoch) {
        locked(() -> {
            MemoryRun run = runs.get(root);
            if (run == null) {
                throw notFound(root);
            }
            if (run.record.epoch() != epoch) {
                throw takenOver(root);
            }
            if (!run.record.status().isEnded() && run.record.status() != RunStatus.PENDING) {
                run.record = run.record.claimed("");
            }
            return run;
        });
        changes.signal();
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
    public long awaitChange(long seen, Duration atMost) {
        return changes.await(seen, atMost);
    }

    private boolean hasGrown() {
        long now = locked(() -> appends);
        boolean grown = now != appendsSeen;
        appendsSeen = now;
        return grown;
    }

    @Override
    public Optional<ThreadRecord> findThread(String threadId) {
        return locked(() -> threads.find(threadId));
    }

    @Override
    public List<ThreadEntry> readThread(String threadId, ThreadOwner owner, long before, int last) {
        return locked(() -> threads.read(threadId, owner, before, last));
    }

    @Override
    public List<ThreadRecord> listThreads(String resourceId, int offset, int limit) {
        return locked(() -> threads.list(resourceId, offset, limit));
    }

    @Override
    public boolean deleteThread(String threadId, ThreadOwner owner) {
        return locked(() -> threads.delete(threadId, owner));
    }

    private <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        changes.signal();
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
