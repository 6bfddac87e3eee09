package dev.chargehand.internal.engine.watch;

import dev.chargehand.event.Cursor;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunsCursor;
import dev.chargehand.event.RunsWatch;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.engine.watch.Arrivals.Item.Broken;
import dev.chargehand.internal.engine.watch.Arrivals.Item.Changed;
import dev.chargehand.internal.engine.watch.Arrivals.Item.Happened;
import dev.chargehand.internal.engine.watch.Arrivals.Item.Over;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A reader of several root runs. It reads the stored events of one run after the other, in the order of their start; a run that has
 * not ended is then read by a thread of its own. Another thread waits for changes of the store, after which runs are looked for.
 */
public final class MergedWatch implements RunsWatch {

    private static final int PAGE = 1000;

    private static final Comparator<RunRecord> OLDEST_FIRST = Comparator.comparing(RunRecord::startedAt)
            .thenComparing(run -> run.runId().value());

    private final Engine engine;
    private final WatchedRuns runs;
    private final ReadPlaces places;
    private final Arrivals arrivals = new Arrivals();

    /** The runs that were found and are read next, the oldest first. */
    private final ArrayDeque<RunRecord> found = new ArrayDeque<>();

    /** The runs that were found and wait for their thread: they have no events, and are read after the run before them. */
    private final Map<RunId, RunRecord> pending = new LinkedHashMap<>();

    /** The runs that are read by threads of their own. */
    private final Map<RunId, Reading> live = new ConcurrentHashMap<>();

    /** Those of them that had ended when the runs were found that are read next: their events come first. */
    private final Set<RunId> ending = new HashSet<>();

    private volatile @Nullable Reading stored;
    private volatile boolean closed;
    private boolean started;
    private boolean leaving;
    private @Nullable Happened ready;

    private record Reading(RunRecord run, TreeWatch events) {

        private RunId root() {
            return run.runId();
        }

        /** Take the next event; null if it is not shown. */
        private @Nullable Happened next(WatchedRuns runs) {
            RunEvent event = events.iterator().next();
            Cursor after =
                    event.origin().id().isEmpty() ? null : events.cursor().orElse(null);
            return runs.shows().test(run, event) ? new Happened(run.runId(), event, after) : null;
        }
    }

    /**
     * Make it.
     *
     * @param after where an earlier reader of the same runs stopped, or null for the first event
     */
    public MergedWatch(Engine engine, WatchedRuns runs, @Nullable RunsCursor after) {
        this.engine = engine;
        this.runs = runs;
        this.places = new ReadPlaces(runs.name(), after);
        if (after != null) {
            after.open().forEach((run, last) -> engine.store()
                    .find(run)
                    .filter(runs.belongs()) // a client may have changed the cursor
                    .ifPresent(record -> {
                        boolean ignored = places.found(record);
                        places.read(run, last.orElse(null));
                        add(record);
                    }));
        }
    }

    @Override
    public Optional<RunsCursor> cursor() {
        return places.cursor();
    }

    @Override
    public Iterator<RunEvent> iterator() {
        return new Events();
    }

    private final class Events implements Iterator<RunEvent> {

        @Override
        public boolean hasNext() {
            if (ready == null) {
                ready = following();
            }
            return ready != null && !closed;
        }

        @Override
        public RunEvent next() {
            Happened next = hasNext() ? ready : null;
            if (next == null) {
                throw new NoSuchElementException("The reader has no more events; it or the runtime is closed.");
            }
            ready = null;
            places.taken(next.root(), next.cursor());
            if (next.cursor() != null
                    && next.event() instanceof RunEvent.RunFinish end
                    && end.runId().equals(next.root())) {
                places.ended(next.root());
            }
            return next.event();
        }
    }

    /** Return the next event, waiting for it; null if none follows. */
    private @Nullable Happened following() {
        start();
        Happened next = null;
        while (next == null && !closed && !(leaving && live.isEmpty())) {
            Reading reading = stored;
            if (reading != null) {
                next = ofStored(reading);
            } else if (!found.isEmpty() && ending.isEmpty()) {
                open(found.getFirst());
            } else {
                next = arrived();
            }
        }
        return next;
    }

    private void start() {
        if (!started) {
            look();
            started = true;
            Thread ignored = Thread.ofVirtual().name("watch " + runs.name()).start(this::awaitChanges);
        }
    }

    /** Note every change of the store until the reader or the runtime is closed. */
    private void awaitChanges() {
        long seen = 0;
        boolean open = true;
        while (open && !closed) {
            long before = seen;
            boolean failed = false;
            try {
                seen = engine.store().awaitChange(before, TreeWatch.BETWEEN_LOOKS);
            } catch (RuntimeException e) {
                failed = true; // the reader looks, and gets what is thrown then
            }
            open = engine.isOpen();
            if (failed || seen != before || !open) {
                arrivals.putChange();
            }
            if (failed) {
                LockSupport.parkNanos(TreeWatch.BETWEEN_LOOKS.toNanos());
            }
        }
    }

    private void add(RunRecord run) {
        if (waits(run)) {
            pending.put(run.runId(), run);
        } else {
            found.add(run);
        }
    }

    private static boolean waits(RunRecord run) {
        return run.status() == RunStatus.PENDING && run.threadId().isPresent();
    }

    /**
     * Return the runs whose wait for their thread is over. They stay pending until they are found, since the store may fail before;
     * those that were deleted meanwhile have no events.
     */
    private List<RunRecord> noLongerPending(List<RunRecord> listed) {
        Map<RunId, RunRecord> seen = new HashMap<>();
        listed.forEach(run -> seen.put(run.runId(), run));
        List<RunRecord> over = new ArrayList<>();
        for (RunId waiting : List.copyOf(pending.keySet())) {
            RunRecord now = seen.containsKey(waiting)
                    ? seen.get(waiting)
                    : engine.store().find(waiting).orElse(null);
            if (now == null) {
                pending.remove(waiting);
                places.ended(waiting);
            } else if (!waits(now)) {
                over.add(now);
            }
        }
        return over;
    }

    /** Look for runs that were stored since the last look, and for those that no longer wait for their thread. */
    private void look() {
        if (!engine.isOpen()) {
            leave();
            return;
        }
        try {
            List<RunRecord> fresh = listed();
            List<RunRecord> begun = noLongerPending(fresh);
            Set<RunId> others = new HashSet<>();
            fresh.stream()
                    .filter(run -> !places.knows(run) && !runs.belongs().test(run))
                    .forEach(run -> others.add(run.runId()));
            boolean any = !begun.isEmpty() || fresh.stream().anyMatch(run -> !places.knows(run));
            List<RunId> over =
                    any ? live.keySet().stream().filter(this::hasEnded).toList() : List.of();
            begun.forEach(run -> pending.remove(run.runId()));
            found.addAll(begun);
            for (RunRecord run : fresh) {
                boolean isNew = places.found(run);
                if (others.contains(run.runId())) {
                    places.ended(run.runId());
                } else if (isNew) {
                    add(run);
                }
            }
            places.foundAll(engine.now());
            ending.addAll(over);
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    /** Return the runs that may be new, the oldest first. */
    private List<RunRecord> listed() {
        Map<RunId, RunRecord> listed = new HashMap<>();
        for (RunFilter filter : runs.filters()) {
            RunFilter page =
                    places.from().map(filter::startedFrom).orElse(filter).limit(PAGE);
            List<RunRecord> records = engine.store().list(page);
            records.forEach(run -> listed.put(run.runId(), run));
            while (records.size() == PAGE) {
                records = engine.store().list(page.before(records.getLast().runId()));
                records.forEach(run -> listed.put(run.runId(), run));
            }
        }
        return listed.values().stream().sorted(OLDEST_FIRST).toList();
    }

    private boolean hasEnded(RunId run) {
        return engine.store().find(run).map(record -> record.status().isEnded()).orElse(true);
    }

    /** Read the runs to the end that are executed here; the runtime is being closed. */
    private void leave() {
        leaving = true;
        found.clear();
        pending.clear();
    }

    private void failed(RuntimeException why) {
        if (engine.isOpen()) {
            arrivals.putChange(); // so that it looks again
            throw why;
        }
        leave();
    }

    /** Start to read the stored events of the next run. */
    private void open(RunRecord run) {
        try {
            Cursor after = places.last(run.runId()).orElse(null);
            TreeWatch events = new TreeWatch(engine, run.runId(), AgentPath.parse(run.path()), after);
            stored = new Reading(run, events);
            if (closed) {
                events.close();
            }
            found.remove(run);
            places.opened(run.runId());
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    /** Return the next stored event of a run; null if there is none, or if it is not shown. */
    private @Nullable Happened ofStored(Reading reading) {
        TreeWatch events = reading.events();
        if (events.hasStored()) {
            return reading.next(runs);
        }
        stored = null;
        if (events.isOver()) {
            over(reading.root());
        } else {
            live.put(reading.root(), reading);
            Thread ignored =
                    Thread.ofVirtual().name("watch run " + reading.root()).start(() -> read(reading));
            if (closed) {
                events.close();
            }
        }
        return null;
    }

    /** Read a run that has not ended, as its events arrive. */
    private void read(Reading reading) {
        try {
            boolean wanted = true;
            while (wanted && reading.events().iterator().hasNext()) {
                Happened next = reading.next(runs);
                wanted = next == null || arrivals.put(next);
            }
            boolean ignored = arrivals.put(new Over(reading.root()));
        } catch (RuntimeException e) {
            boolean ignored = arrivals.put(new Broken(reading.root(), e));
        }
    }

    /** Note that a run was read to its end, and not only until the reader or the runtime was closed. */
    private void over(RunId root) {
        if (!closed && engine.isOpen()) {
            places.ended(root);
        }
    }

    private @Nullable Happened arrived() {
        try {
            return switch (arrivals.take().orElse(null)) {
                case null -> null;
                case Happened happened -> happened;
                case Changed ignored -> {
                    look();
                    yield null;
                }
                case Over over -> {
                    removed(over.root());
                    over(over.root());
                    yield null;
                }
                case Broken broken -> {
                    Reading reading = removed(broken.root());
                    if (reading != null) {
                        reading.events().close();
                        found.addFirst(reading.run());
                    }
                    throw broken.why();
                }
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            close();
            return null;
        }
    }

    private @Nullable Reading removed(RunId root) {
        ending.remove(root);
        return live.remove(root);
    }

    @Override
    public void close() {
        closed = true;
        arrivals.close();
        live.values().forEach(each -> each.events().close());
        Reading reading = stored;
        if (reading != null) {
            reading.events().close();
        }
    }
}
