package dev.chargehand.internal.scope;

import dev.chargehand.background.TaskLink;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.journal.DeliveryCodec;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Appended;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/**
 * The inbox of a live tree: the deliveries in the store that its runs have not read.
 *
 * <p>The store is read only if it is said to have some: by the answer to an append, by a delivery in this process,
 * or when the tree is resumed. Thread-safe; no lock is held while the store is called.
 */
public final class TreeInbox implements Deliveries, Journal.Receipts {

    private final Store store;
    private final RunId root;
    private final Cancellation cancellation;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** Guards what follows. */
    private final Object lock = new Object();

    private int reads;
    private int lastRead;

    /** Whether there may be a delivery. Most trees never have one: until then all collections are immutable and empty. */
    private boolean used;

    private Map<Key, Delivery> undrained = Map.of();
    private Set<Key> drained = Set.of();
    private Set<Key> carriedOut = Set.of();

    /** Those that have become a fact which is not stored yet. */
    private Set<Key> becoming = Set.of();

    /** The runs that have to be resumed: those with a delivery that wakes, and all above them. */
    private Map<RunId, Set<Key>> wakes = Map.of();

    private record Key(RunId to, String id) {
        private static Key of(Delivery delivery) {
            return new Key(delivery.to(), delivery.id());
        }
    }

    /**
     * Make the inbox of a tree, which is not read yet.
     *
     * @param cancellation ends the tree when a cancel of its root run arrives
     */
    public TreeInbox(Store store, RunId root, Cancellation cancellation) {
        this.store = store;
        this.root = root;
        this.cancellation = cancellation;
    }

    @Override
    public List<Delivery> to(RunId runId) {
        synchronized (lock) {
            return undrained.isEmpty()
                    ? List.of()
                    : undrained.values().stream()
                            .filter(delivery -> delivery.to().equals(runId))
                            .toList();
        }
    }

    @Override
    public boolean hasMessages(RunId runId) {
        for (Delivery delivery : to(runId)) {
            if (delivery.kind() == Delivery.Kind.MESSAGE) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean wakes(RunId runId) {
        synchronized (lock) {
            return wakes.containsKey(runId);
        }
    }

    @Override
    public boolean isUnread(RunId taskId) {
        return store.find(taskId)
                .flatMap(RunRecord::task)
                .filter(TaskLink::isUnread)
                .isPresent();
    }

    @Override
    public void refresh() {
        int read = beginRead();
        List<Delivery> found = store.undrained(root);
        Map<RunId, Set<Key>> paths = new HashMap<>();
        for (Delivery delivery : found) {
            if (delivery.kind().wakes()) {
                for (RunId run : pathOf(delivery.to())) {
                    paths.computeIfAbsent(run, id -> new HashSet<>()).add(Key.of(delivery));
                }
            }
        }
        synchronized (lock) {
            if (read > lastRead) {
                lastRead = read;
                forgetAllBut(found);
            }
            for (Delivery delivery : found) {
                Key key = Key.of(delivery);
                if (!drained.contains(key)) {
                    undrained.putIfAbsent(key, delivery);
                }
            }
            paths.forEach(
                    (run, keys) -> keys.stream().filter(undrained::containsKey).forEach(key -> wakes.computeIfAbsent(
                                    run, id -> new HashSet<>())
                            .add(key)));
        }
        found.stream()
                .filter(delivery ->
                        delivery.kind() == Delivery.Kind.CANCEL && delivery.to().equals(root))
                .findFirst()
                .ifPresent(cancel -> cancellation.cancel(DeliveryCodec.cancel(cancel.body())));
        listeners.forEach(Runnable::run);
    }

    private int beginRead() {
        synchronized (lock) {
            use();
            return ++reads;
        }
    }

    private void use() {
        if (!used) {
            used = true;
            undrained = new LinkedHashMap<>();
            drained = new HashSet<>();
            carriedOut = new HashSet<>();
            becoming = new HashSet<>();
            wakes = new HashMap<>();
        }
    }

    /** Forget the deliveries to runs that have ended meanwhile, with which they were drained. */
    private void forgetAllBut(List<Delivery> found) {
        Set<Key> kept = found.stream().map(Key::of).collect(Collectors.toSet());
        undrained.keySet().retainAll(kept);
        wakes.values().removeIf(keys -> keys.retainAll(kept) && keys.isEmpty());
    }

    /** Return whether the store has another number of unread deliveries than are known here. */
    public boolean differs(long stored) {
        synchronized (lock) {
            return stored != undrained.size();
        }
    }

    /** Return a run and all above it. */
    private List<RunId> pathOf(RunId runId) {
        List<RunId> path = new ArrayList<>();
        Optional<RunId> at = Optional.of(runId);
        while (at.isPresent()) {
            path.add(at.get());
            at = store.find(at.get()).flatMap(RunRecord::parentRunId);
        }
        return path;
    }

    @Override
    public void appended(RunId runId, List<String> ids, Appended appended) {
        boolean unknown;
        synchronized (lock) {
            if (!ids.isEmpty()) {
                use();
            }
            for (String id : ids) {
                Key key = new Key(runId, id);
                drained.add(key);
                undrained.remove(key);
                if (becoming.remove(key)) {
                    carriedOut.add(key);
                }
                wakes.values().removeIf(keys -> keys.remove(key) && keys.isEmpty());
            }
            unknown = appended.undrained() != undrained.size();
        }
        if (unknown) {
            refresh();
        }
    }

    @Override
    public void read(Delivery delivery, boolean takesEffect) {
        synchronized (lock) {
            use();
            boolean ignored = takesEffect ? becoming.add(Key.of(delivery)) : becoming.remove(Key.of(delivery));
        }
    }

    /** Return whether a delivery has become a fact here that is stored. */
    public boolean isCarriedOut(Delivery delivery) {
        synchronized (lock) {
            return carriedOut.contains(Key.of(delivery));
        }
    }

    /** Return whether any delivery has. */
    public boolean hasCarriedOut() {
        synchronized (lock) {
            return !carriedOut.isEmpty();
        }
    }

    @Override
    public Listening listen(Runnable onArrival) {
        Runnable mine = Objects.requireNonNull(onArrival);
        listeners.add(mine);
        return () -> listeners.remove(mine);
    }
}
