package dev.chargehand.store;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Delivery.Delivered;
import dev.chargehand.store.MemoryThreads.StoredThread;
import dev.chargehand.store.deletion.Deletion;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The runs of one tenant in memory, with what was delivered to them, and its threads. Used under the store's lock. */
final class MemoryRuns {

    /** The runs of all tenants: only {@link #own} looks a run up by the id of a caller. */
    private final Map<RunId, MemoryRun> runs;

    private final String tenantId;
    private final boolean keepsEndedRuns;
    private final Set<String> owners;
    private final DueRuns.Attended attended;
    private final MemoryThreads threads;
    final InMemoryStore.Keys keys = new InMemoryStore.Keys();
    private long deliveries;

    MemoryRuns(
            Map<RunId, MemoryRun> runs,
            String tenantId,
            boolean keepsEndedRuns,
            Set<String> owners,
            DueRuns.Attended attended,
            AtomicLong threadNumbers) {
        this.runs = runs;
        this.tenantId = tenantId;
        this.keepsEndedRuns = keepsEndedRuns;
        this.owners = owners;
        this.attended = attended;
        this.threads = new MemoryThreads(tenantId, threadNumbers);
    }

    private @Nullable MemoryRun own(RunId runId) {
        MemoryRun run = runs.get(runId);
        return run == null || !run.record.tenantId().equals(tenantId) ? null : run;
    }

    MemoryThreads threads() {
        return threads;
    }

    Appended append(List<Append> appends) {
        Map<RunId, MemoryRun> changed = changed(appends);
        threads.requireOwners(appends);
        keys.requireUnused(appends);
        MemoryTasks.require(appends, this::own);
        for (Append append : appends) {
            if (append.takesThread()) {
                requireFreeThread(Objects.requireNonNull(changed.get(append.runId())));
            }
        }
        MemoryRun root = rootOf(appends.getFirst(), changed);
        for (Append append : appends) {
            Objects.requireNonNull(changed.get(append.runId())).requireDrained(append, root, runs);
        }
        for (Append append : appends) {
            add(append, Objects.requireNonNull(changed.get(append.runId())), root);
        }
        attended.note(root);
        keys.add(appends);
        appends.forEach(this::addElsewhere);
        if (!keepsEndedRuns) {
            MemoryTasks.over(root, appends, this::own).forEach(this::forget);
        }
        return new Appended(root.treeLength, root.undrained, root.wakes);
    }

    /** Store what an append changes about runs of other trees. */
    private void addElsewhere(Append append) {
        MemoryTasks.read(append, runs);
        Append.TaskEnd end = append.taskEnd().orElse(null);
        if (end != null) {
            MemoryTasks.end(append, end, runs, threads);
            Delivered ignored = deliver(end.delivery()); // not stored if the run that started the task has ended
        }
        Append.Next next = append.next().orElse(null);
        if (next != null && MemoryTasks.isDue(next, own().map(run -> run.record).toList())) {
            append(List.of(next.start()));
            required(next.start().runId()).notBefore = next.notBefore();
        }
    }

    /** Delete the trees that have not changed since a moment. */
    int deleteEnded(Instant changedBefore, int limit) {
        return delete(endedTrees(
                root -> root.record.updatedAt().isBefore(changedBefore) && !MemoryTasks.isNeeded(root.record, own()),
                limit));
    }

    /** Delete the tree of a root run that has ended. */
    int deleteRun(RunId root) {
        MemoryRun run = own(root);
        return run == null ? 0 : delete(run.isEndedTree(runs) ? List.of(run) : List.of());
    }

    /** Delete trees of a resource. */
    int deleteOfResource(Deletion.RunsOfResource what) {
        Optional<String> resource = Optional.of(what.resourceId());
        Predicate<MemoryRun> which = run -> run.record.resourceId().equals(resource);
        requireEnded(which, run -> run.threadId().orElse(""));
        return delete(endedTrees(which, what.limit()));
    }

    /** Delete trees and tasks of a thread, and the threads of sub-agents in them. */
    int deleteOfThread(Deletion.RunsOfThread what) {
        Optional<StoredThread> ignored =
                threads.stored(what.threadId(), what.owner()); // refuses a thread of another owner
        Optional<String> resource = Optional.ofNullable(what.owner().resourceId());
        requireEndedOf(what.threadId());
        List<MemoryRun> roots = endedTrees(
                        run -> MemoryTasks.isOf(what.threadId(), run.record, runs)
                                && run.record.resourceId().equals(resource),
                        Integer.MAX_VALUE)
                .stream() // a task before what has started it, by which it is found
                .sorted(Comparator.comparing(run -> -MemoryTasks.depthUnder(what.threadId(), run.record, runs)))
                .limit(Math.max(0, what.limit()))
                .toList();
        Set<String> nested = roots.stream()
                .flatMap(root -> Stream.concat(Stream.of(root.record.runId()), root.below.stream()))
                .flatMap(run -> Objects.requireNonNull(runs.get(run)).record.threadId().stream())
                .filter(thread -> !thread.equals(what.threadId()))
                .collect(Collectors.toSet());
        int deleted = delete(roots);
        threads.all()
                .filter(thread -> thread.owner().agentPath() != null && nested.contains(thread.threadId()))
                .toList()
                .forEach(threads::delete);
        return deleted;
    }

    /** Delete some of the threads. */
    int deleteThreads(Stream<StoredThread> which) {
        List<StoredThread> deleted = which.toList();
        deleted.forEach(thread -> requireEndedOf(thread.threadId()));
        deleted.forEach(threads::delete);
        return deleted.size();
    }

    /** Delete messages of a thread, if it is not missing. */
    int deleteMessages(Deletion.MessagesOfThread what) {
        StoredThread thread = threads.stored(what.threadId(), what.owner()).orElse(null);
        if (thread == null) {
            return 0;
        }
        requireEndedOf(what.threadId());
        what.runs().stream()
                .flatMap(run -> Stream.ofNullable(own(run)))
                .filter(run -> MemoryTasks.isOf(what.threadId(), run.record, runs))
                .forEach(run -> run.record = run.record.withoutFirstWords());
        return thread.deleteMessages(what.messageIds());
    }

    private Stream<MemoryRun> own() {
        return runs.values().stream().filter(run -> run.record.tenantId().equals(tenantId));
    }

    private List<MemoryRun> endedTrees(Predicate<MemoryRun> which, int limit) {
        return own().filter(which.and(run -> run.isEndedTree(runs)))
                .limit(Math.max(0, limit))
                .toList();
    }

    private void requireEndedOf(String threadId) {
        requireEnded(run -> MemoryTasks.isOf(threadId, run.record, runs), run -> threadId);
    }

    private void requireEnded(Predicate<MemoryRun> which, Function<RunRecord, String> thread) {
        own().filter(which.and(run -> !run.record.status().isEnded()))
                .findFirst()
                .map(run -> run.record)
                .ifPresent(open -> {
                    throw ThreadBusyException.notDeleted(
                            thread.apply(open), open.runId().value());
                });
    }

    /** Delete trees, and the keys by which they are found. */
    private int delete(List<MemoryRun> roots) {
        for (MemoryRun root : roots) {
            forget(root);
            keys.deleteOf(root.record.runId());
        }
        return roots.size();
    }

    private void forget(MemoryRun root) {
        root.below.forEach(runs::remove);
        attended.forget(root);
        runs.remove(root.record.runId());
    }

    /** Return the runs that appends are to, new ones too; changes nothing. */
    private Map<RunId, MemoryRun> changed(List<Append> appends) {
        Map<RunId, MemoryRun> changed = HashMap.newHashMap(appends.size());
        for (Append append : appends) {
            changed.put(append.runId(), runFor(append));
        }
        for (Append append : appends) {
            if (rootOf(append, changed).record.epoch() != append.epoch()) {
                throw MemoryRun.takenOver(append.runId());
            }
        }
        return changed;
    }

    private MemoryRun rootOf(Append append, Map<RunId, MemoryRun> changed) {
        MemoryRun root = changed.get(append.rootRunId());
        return root == null ? required(append.rootRunId()) : root;
    }

    private MemoryRun runFor(Append append) {
        MemoryRun run = own(append.runId());
        RunRecord newRun = append.newRun().orElse(null);
        if (newRun != null) {
            if (runs.containsKey(append.runId())) {
                throw new StoreException(
                        StoreException.Kind.FENCED, "Run " + append.runId() + " has been started already.", null);
            }
            run = new MemoryRun(newRun.tenantId(tenantId));
        }
        if (run == null) {
            throw MemoryRun.notFound(append.runId());
        }
        if (run.facts.size() != append.expectedLength()) {
            throw MemoryRun.takenOver(append.runId());
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
        threads.runs().noteStatus(run.record);
        if (append.takesThread()) {
            takeTurn(run);
        }
        if (!append.waits().isEmpty()) {
            root.hasInboxes = true;
        }
        root.progressed(append);
        run.drain(append, root);
        append.threads().forEach(thread -> threads.append(thread, append.at()));
    }

    /** Return a run that keeps another from taking its thread. */
    private Optional<RunId> hasThreadBefore(MemoryRun run) {
        if (run.record.threadId().isEmpty()) {
            return Optional.empty();
        }
        return othersOn(run)
                .filter(other -> owners.contains(other.record.owner()) && other.threadTurn >= run.threadTurn)
                .map(other -> other.record.runId())
                .findFirst()
                .or(() -> threads.runs().olderPending(run.record));
    }

    /** Return the other root runs on the thread of a run that are running. */
    private Stream<MemoryRun> othersOn(MemoryRun run) {
        return threads.runs().othersOn(run.record).stream().map(other -> Objects.requireNonNull(runs.get(other)));
    }

    private void requireFreeThread(MemoryRun run) {
        hasThreadBefore(run).ifPresent(other -> {
            throw new ThreadBusyException(run.record.threadId().orElseThrow(), other.value());
        });
    }

    /** Give a run a later turn than others on its thread have. */
    private void takeTurn(MemoryRun run) {
        if (run.record.threadId().isEmpty()) {
            return;
        }
        run.threadTurn =
                1 + othersOn(run).mapToLong(other -> other.threadTurn).max().orElse(run.threadTurn);
    }

    List<FactEntry> read(RunId runId, long from) {
        MemoryRun run = own(runId);
        return run == null || from >= run.facts.size()
                ? List.of()
                : List.copyOf(run.facts.subList((int) from, run.facts.size()));
    }

    Delivered deliver(Delivery delivery) {
        MemoryRun run = own(delivery.to());
        if (run == null || run.record.status().isEnded()) {
            return MemoryRun.repeated(run, delivery);
        }
        MemoryRun root = Objects.requireNonNull(runs.get(run.record.rootRunId()));
        Delivered delivered = run.receive(delivery, ++deliveries, root);
        attended.note(root);
        return delivered;
    }

    List<Delivery> undrained(RunId root) {
        return Stream.ofNullable(own(root)).flatMap(top -> top.undrained(runs)).toList();
    }

    List<WaitingCall> waiting(RunId root) {
        return Stream.ofNullable(own(root)).flatMap(top -> top.waiting(runs)).toList();
    }

    boolean index(Append derived) {
        MemoryRun run = own(derived.runId());
        MemoryRun root = own(derived.rootRunId());
        if (run == null || root == null) {
            return false;
        }
        boolean indexed = run.index(derived, root);
        attended.note(root);
        return indexed;
    }

    List<TreeFact> readTree(RunId root, long after, int limit) {
        MemoryRun top = own(root);
        return top == null ? List.of() : top.readTree(after, limit, runs);
    }

    Optional<RunRecord> find(RunId runId) {
        return Optional.ofNullable(own(runId)).map(run -> run.record);
    }

    List<RunRecord> list(RunFilter filter) {
        return filter.among(runs, tenantId);
    }

    /** Claim a run; {@code notBefore} is when it may be woken again, for a wake-up. */
    RunRecord claim(RunId runId, long expectedEpoch, long expectedLength, String owner, @Nullable Instant notBefore) {
        MemoryRun run = required(runId);
        if (run.record.epoch() != expectedEpoch || run.record.length() != expectedLength) {
            throw MemoryRun.takenOver(runId);
        }
        boolean pending = run.record.status() == RunStatus.PENDING;
        if (pending) {
            requireFreeThread(run);
        }
        run.record = run.record.claimed(owner);
        threads.runs().noteStatus(run.record);
        attended.note(run);
        if (pending) {
            takeTurn(run);
        }
        if (notBefore != null) {
            run.record = run.record.attempts(run.record.attempts() + 1);
            run.notBefore = notBefore;
        }
        return run.record;
    }

    /** Return whether a pending run of this tenant could take its thread. */
    boolean mayBegin(RunRecord run) {
        return hasThreadBefore(required(run.runId())).isEmpty();
    }

    void release(RunId root, long epoch) {
        MemoryRun run = required(root);
        if (run.record.epoch() != epoch) {
            throw MemoryRun.takenOver(root);
        }
        if (!run.record.status().isEnded() && run.record.status() != RunStatus.PENDING) {
            run.record = run.record.claimed("");
            attended.note(run);
        }
    }

    private MemoryRun required(RunId runId) {
        return Optional.ofNullable(own(runId)).orElseThrow(() -> MemoryRun.notFound(runId));
    }
}
