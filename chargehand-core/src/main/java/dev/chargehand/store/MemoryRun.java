package dev.chargehand.store;

import dev.chargehand.error.StoreException;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Delivery.Delivered;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A run in memory, with its facts. Used under the store's lock. */
final class MemoryRun {

    final List<FactEntry> facts = new ArrayList<>();

    /** The tree positions of the facts. */
    final Positions positions = new Positions();

    /** The other runs of its tree, if it is a root run. */
    final List<RunId> below = new ArrayList<>(0);

    RunRecord record;

    /** The deliveries to it and its waiting calls; null until there are some. */
    @Nullable
    MemoryInbox inbox;

    /** The version of what was derived from its facts; 0 if that is missing. */
    int indexed;

    /** Of a root run: the tree position of the last fact of its tree. */
    long treeLength;

    /** Of a root run: whether a run of its tree has an inbox. */
    boolean hasInboxes;

    /** Of a root run: when it may be woken again, or null. */
    @Nullable
    Instant notBefore;

    /**
     * Of a root run that is running: which of those on its thread took the thread last, the one with the greatest turn;
     * else 0.
     */
    long threadTurn;

    /** Of a root run: how many deliveries to its tree are undrained, and how many of them wake. */
    long undrained;

    long wakes;

    /** Of a root run: the owner under which {@link DueRuns.Attended} counts it, or null. */
    @Nullable
    String countedUnder;

    /** Return whether this is a root run whose tree has ended. */
    boolean isEndedTree(Map<RunId, MemoryRun> runs) {
        return record.isRoot()
                && record.status().isEnded()
                && below.stream().allMatch(run -> Objects.requireNonNull(runs.get(run))
                        .record
                        .status()
                        .isEnded());
    }

    MemoryRun(RunRecord record) {
        this.record = record;
    }

    /** Numbers that only ever become more. */
    static final class Positions {

        private long[] values = new long[8];
        private int size;

        void add(long position) {
            if (size == values.length) {
                values = Arrays.copyOf(values, size * 2);
            }
            values[size++] = position;
        }

        long get(int index) {
            return values[index];
        }
    }

    MemoryInbox inbox() {
        MemoryInbox open = inbox;
        if (open == null) {
            open = new MemoryInbox();
            inbox = open;
        }
        return open;
    }

    /** Note that facts were appended to the tree of this root run. */
    void progressed(Append append) {
        if (!append.takesThread() && record.attempts() > 0) {
            record = record.attempts(0);
            notBefore = null;
        }
    }

    /** Return the inboxes of a tree: of most trees none, and then its runs are not searched. */
    List<MemoryInbox> inboxes(Map<RunId, MemoryRun> runs) {
        List<MemoryInbox> all = new ArrayList<>(0);
        if (hasInboxes) {
            Stream.concat(Stream.of(this), below.stream().map(runs::get))
                    .filter(Objects::nonNull)
                    .map(run -> run.inbox)
                    .filter(Objects::nonNull)
                    .forEach(all::add);
        }
        return all;
    }

    /** Return the deliveries to a tree that have not been read, in order. */
    Stream<Delivery> undrained(Map<RunId, MemoryRun> runs) {
        return inboxes(runs).stream()
                .flatMap(inbox -> inbox.undrained().stream())
                .sorted(Comparator.comparingLong(MemoryInbox.Undrained::number))
                .map(MemoryInbox.Undrained::delivery);
    }

    /** Return the calls of a tree that wait. */
    Stream<WaitingCall> waiting(Map<RunId, MemoryRun> runs) {
        return inboxes(runs).stream()
                .flatMap(inbox -> inbox.waiting().stream())
                .sorted(Comparator.comparing(WaitingCall::expiresAt)
                        .thenComparing(call -> call.runId().value())
                        .thenComparing(WaitingCall::callId));
    }

    /** Return the facts of the tree of this root run after a position, in order. */
    List<TreeFact> readTree(long after, int limit, Map<RunId, MemoryRun> runs) {
        if (after >= treeLength) {
            return List.of();
        }
        List<TreeFact> found = new ArrayList<>();
        addAfter(after, found);
        for (RunId run : below) {
            Objects.requireNonNull(runs.get(run)).addAfter(after, found);
        }
        found.sort(Comparator.comparingLong(TreeFact::position));
        return List.copyOf(found.subList(0, Math.min(limit, found.size())));
    }

    private void addAfter(long after, List<TreeFact> found) {
        for (int i = facts.size() - 1; i >= 0 && positions.get(i) > after; i--) {
            found.add(new TreeFact(positions.get(i), record.runId(), i, facts.get(i)));
        }
    }

    /** Take a delivery to this run of a tree. */
    Delivered receive(Delivery delivery, long number, MemoryRun root) {
        Delivered delivered = inbox().deliver(delivery, number);
        if (delivered instanceof Delivered.Accepted) {
            root.hasInboxes = true;
            root.undrained++;
            root.wakes += delivery.kind().wakes() ? 1 : 0;
        }
        return delivered;
    }

    /** Return what a delivery is that the run cannot read: a message that it received before, or nothing. */
    static Delivered repeated(@Nullable MemoryRun run, Delivery delivery) {
        return run == null || run.inbox == null || delivery.kind() != Delivery.Kind.MESSAGE
                ? new Delivered.NotWaiting()
                : run.inbox.stored(delivery).orElseGet(Delivered.NotWaiting::new);
    }

    /** Let the record follow an append whose facts were added. */
    void advance(Append append) {
        if (append.newRun().isPresent() && append.summary().isPresent()) {
            indexed = RunSummary.VERSION;
        }
        record = record.advanced(
                append.status(), facts.size(), append.at(), append.expiresAt().orElse(null));
        record = append.summary().map(record::summarized).orElse(record);
        threadTurn = record.status() == RunStatus.RUNNING ? threadTurn : 0;
    }

    /** Store what was derived from the facts; returns whether it is stored now. */
    boolean index(Append derived, MemoryRun root) {
        if (indexed < RunSummary.VERSION
                && facts.size() == derived.expectedLength()
                && root.record.epoch() == derived.epoch()) {
            indexed = RunSummary.VERSION;
            record = record.advanced(
                    record.status(),
                    facts.size(),
                    record.updatedAt(),
                    derived.expiresAt().orElse(null));
            record = derived.summary().map(record::summarized).orElse(record);
            inbox().derived(derived.waits());
            root.hasInboxes = true;
        }
        return indexed == RunSummary.VERSION;
    }

    /** Store what an append says about the inbox; the deliveries to a run that has ended count as read. */
    void drain(Append append, MemoryRun root) {
        if (!append.waits().isEmpty() || !append.waitsOver().isEmpty()) {
            inbox().waits(append.waits(), append.waitsOver());
        }
        if (inbox == null || (append.drains().isEmpty() && !append.status().isEnded())) {
            return;
        }
        for (MemoryInbox.Undrained each : inbox.undrained()) {
            Delivery delivery = each.delivery();
            if (append.status().isEnded() || append.drains().contains(delivery.id())) {
                inbox.drain(delivery.id());
                root.undrained--;
                root.wakes -= delivery.kind().wakes() ? 1 : 0;
            }
        }
    }

    /** Reject an append that drains a missing delivery, or that ignores a delivery that must be read before. */
    void requireDrained(Append append, MemoryRun root, Map<RunId, MemoryRun> runs) {
        for (String id : append.drains()) {
            if (inbox == null || !inbox.hasUndrained(id)) {
                throw takenOver(append.runId());
            }
        }
        if (root.undrained > append.drains().size() && ignoresDelivery(append, root.inboxes(runs))) {
            throw new StoreException(
                    StoreException.Kind.DELIVERED,
                    "Run " + append.runId() + " has received something that it has to read first.",
                    null);
        }
    }

    /**
     * Return whether an append leaves a delivery unread that must be read before.
     *
     * @param tree the inboxes of all runs of the tree
     */
    private boolean ignoresDelivery(Append append, List<MemoryInbox> tree) {
        boolean suspends = append.status() == RunStatus.SUSPENDED;
        for (MemoryInbox inbox : tree) {
            for (MemoryInbox.Undrained each : inbox.undrained()) {
                Delivery delivery = each.delivery();
                boolean mine = delivery.to().equals(append.runId());
                if (mine && append.drains().contains(delivery.id())) {
                    continue;
                }
                boolean wakes = suspends && delivery.kind().wakes() && (mine || append.isRoot());
                boolean unread = mine && append.readsAllMessages() && delivery.kind() == Delivery.Kind.MESSAGE;
                if (wakes || unread) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Return whether it has received a cancel that it has not read. */
    boolean isToBeCancelled() {
        return inbox != null
                && inbox.undrained().stream().anyMatch(each -> each.delivery().kind() == Delivery.Kind.CANCEL);
    }

    static StoreException takenOver(RunId runId) {
        return new StoreException(
                StoreException.Kind.FENCED,
                "Run " + runId + " was taken over or written by another owner; this process must stop executing it.",
                null);
    }

    static StoreException notFound(RunId runId) {
        return new StoreException(StoreException.Kind.NOT_FOUND, "There is no run " + runId + " in the store.", null);
    }

    /** The deliveries to one run and its calls that wait, in memory. Used under the store's lock. */
    static final class MemoryInbox {

        private final Map<String, Entry> deliveries = new LinkedHashMap<>();
        private final Map<String, Wait> waits = new LinkedHashMap<>();

        private static final class Entry {
            private final Delivery delivery;
            private final long number;
            private boolean drained;

            private Entry(Delivery delivery, long number) {
                this.delivery = delivery;
                this.number = number;
            }
        }

        /** A delivery that has not been read, with its place among all deliveries of the store. */
        record Undrained(long number, Delivery delivery) {}

        private static final class Wait {
            private WaitingCall call;
            private boolean answered;

            private Wait(WaitingCall call) {
                this.call = call;
            }
        }

        Delivered deliver(Delivery delivery, long number) {
            Optional<Delivered> stored = stored(delivery);
            if (stored.isPresent()) {
                return stored.get();
            }
            if (delivery.kind().answers()) {
                Wait wait = waitFor(delivery.id());
                if (wait == null || wait.answered) {
                    return new Delivered.NotWaiting();
                }
                wait.answered = true;
            }
            deliveries.put(delivery.id(), new Entry(delivery, number));
            return new Delivered.Accepted();
        }

        private Optional<Delivered> stored(Delivery delivery) {
            return Optional.ofNullable(deliveries.get(delivery.id()))
                    .map(entry -> new Delivered.Duplicate(entry.delivery.digest()));
        }

        private @Nullable Wait waitFor(String id) {
            return waits.values().stream()
                    .filter(wait -> Delivery.idOf(wait.call.callId(), wait.call.waitNumber())
                            .equals(id))
                    .findFirst()
                    .orElse(null);
        }

        boolean hasUndrained(String id) {
            Entry entry = deliveries.get(id);
            return entry != null && !entry.drained;
        }

        List<Undrained> undrained() {
            List<Undrained> undrained = new ArrayList<>();
            for (Entry entry : deliveries.values()) {
                if (!entry.drained) {
                    undrained.add(new Undrained(entry.number, entry.delivery));
                }
            }
            return undrained;
        }

        void drain(String id) {
            Entry entry = deliveries.get(id);
            if (entry != null) {
                entry.drained = true;
            }
        }

        void waits(List<WaitingCall> begun, List<String> over) {
            over.forEach(waits::remove);
            begun.forEach(call -> waits.put(call.callId(), new Wait(call)));
        }

        /** Store all waiting calls; one that was answered stays so. */
        void derived(List<WaitingCall> all) {
            all.forEach(call -> waits.computeIfAbsent(call.callId(), id -> new Wait(call)).call = call);
        }

        List<WaitingCall> waiting() {
            return waits.values().stream()
                    .filter(wait -> !wait.answered)
                    .map(wait -> wait.call)
                    .toList();
        }
    }
}
