package dev.chargehand.internal.engine.watch;

import dev.chargehand.error.StoreException;
import dev.chargehand.event.Cursor;
import dev.chargehand.event.EventId;
import dev.chargehand.event.Origin;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunWatch;
import dev.chargehand.internal.engine.Engine;
import dev.chargehand.internal.engine.history.ForgottenTrees;
import dev.chargehand.internal.engine.history.TreeNarrator;
import dev.chargehand.internal.event.LiveFeed;
import dev.chargehand.internal.journal.FactCodec;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.TreeFact;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A reader of a tree of runs. It reads the store to its end, joins the live tree if this process executes it, reads what
 * was stored meanwhile, and takes what follows from the live tree, until it loses something there or the tree is not
 * live any more; then it reads the store again.
 */
public final class TreeWatch implements RunWatch {

    /** How long a reader waits between two looks into the store while nothing arrives. */
    static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

    private static final long FIRST_EPOCH = 1;

    private final Engine engine;
    private final Store store;
    private final RunId root;
    private final AgentPath path;
    private final boolean forgotten;
    private final TreeNarrator narrator;
    private final ArrayDeque<TreeNarrator.Narrated> ready = new ArrayDeque<>();
    private final OpenSteps steps = new OpenSteps();
    private final Iterator<RunEvent> events = new Events();
    private volatile @Nullable LiveFeed feed;
    private Runnable onSignal = () -> {};
    private volatile boolean closed;
    private @Nullable Cursor cursor;
    private boolean afterTheEnd;
    private boolean beforeTheEnd;
    private boolean taken;
    private boolean caughtUp;
    private boolean over;
    private long change;

    /**
     * Make it.
     *
     * @param path the agent of the root run
     * @param after where to continue, or null for the first event
     */
    public TreeWatch(Engine engine, RunId root, AgentPath path, @Nullable Cursor after) {
        this.engine = engine;
        this.store = engine.store();
        this.root = root;
        this.path = path;
        this.forgotten = engine.environment().forgetsEndedRuns();
        boolean reset = after != null && !isThere(after);
        Cursor from = reset ? null : after;
        this.cursor = from;
        this.narrator = new TreeNarrator(
                store,
                engine.environment().tenantId(),
                root,
                engine.definitions()::find,
                from == null ? null : from.id());
        if (after != null) {
            resumed(reset);
        }
    }

    /**
     * Make a reader of a run from its first event on, also if its store has forgotten it and its facts are kept. All facts of a store that
     * may forget the run at any time are read at once.
     */
    public static TreeWatch fromStart(Engine engine, RunId root, AgentPath path) {
        TreeWatch watch = new TreeWatch(engine, root, path, null);
        watch.afterTheEnd = watch.forgotten;
        watch.beforeTheEnd = watch.forgotten && engine.store().find(root).isPresent();
        boolean more = watch.forgotten;
        while (more) {
            more = watch.whileOpen(watch::readStored);
        }
        return watch;
    }

    /** Return the place after all events of a tree that are stored now. */
    public static Cursor end(Store store, RunId root) {
        long epoch = FIRST_EPOCH;
        long last = 0;
        for (TreeFact placed : store.readTree(root, 0, Integer.MAX_VALUE)) {
            last = placed.position();
            if (placed.runId().equals(root)) {
                epoch = TreeNarrator.epochAfter(FactCodec.read(placed.entry()), epoch);
            }
        }
        return new Cursor(root, epoch, new EventId(last, Integer.MAX_VALUE));
    }

    /** A power cut can take facts back; others then get their positions, in a later epoch. */
    private boolean isThere(Cursor after) {
        long wanted = after.id().position();
        if (wanted == 0) {
            return true;
        }
        long epoch = FIRST_EPOCH;
        long last = 0;
        for (TreeFact placed : store.readTree(root, 0, (int) Math.min(wanted, Integer.MAX_VALUE))) {
            last = placed.position();
            if (last <= wanted && placed.runId().equals(root)) {
                epoch = TreeNarrator.epochAfter(FactCodec.read(placed.entry()), epoch);
            }
        }
        return last >= wanted && epoch == after.epoch();
    }

    private void resumed(boolean reset) {
        Origin origin = new Origin(
                Optional.empty(),
                root,
                path,
                0,
                engine.now(),
                false,
                engine.environment().tenantId());
        ready.add(new TreeNarrator.Narrated(new RunEvent.StreamResumed(origin, reset), 0, 0));
    }

    @Override
    public RunId runId() {
        return root;
    }

    @Override
    public Optional<Cursor> cursor() {
        return Optional.ofNullable(cursor);
    }

    @Override
    public Iterator<RunEvent> iterator() {
        return events;
    }

    private final class Events implements Iterator<RunEvent> {

        @Override
        public boolean hasNext() {
            return hasMore();
        }

        @Override
        public RunEvent next() {
            return take();
        }
    }

    private boolean hasMore() {
        while (ready.isEmpty() && !isOver()) {
            if (!whileOpen(this::readStored)) {
                boolean ignored = whileOpen(this::awaitMore);
            }
        }
        return !ready.isEmpty() && !closed;
    }

    /** Return whether an event can be taken at once, since it is stored. */
    public boolean hasStored() {
        boolean more = true;
        while (more && ready.isEmpty() && !isOver()) {
            more = whileOpen(this::readStored);
        }
        return !ready.isEmpty() && !closed;
    }

    /** Return whether an event can be taken at once: it is stored, or has arrived from the live tree. */
    public boolean hasArrived() {
        while (!hasStored()) {
            LiveFeed live = feed;
            if (live == null || isOver() || !live.isTakenAtOnce()) {
                return false;
            }
            boolean ignored = whileOpen(this::awaitMore); // it does not wait now
        }
        return true;
    }

    /** Return whether events arrive from the live tree, so that asking for one does not read the store. */
    public boolean isLive() {
        return feed != null && caughtUp;
    }

    /** Continue in the store, as another process has taken the run, while a call of it may still be executed here for any time. */
    public void lost() {
        if (feed != null && ready.isEmpty()) {
            leave(feed);
        }
    }

    /** Set what is called when an event may have arrived from the live tree: by a thread of the run, so it must not block. */
    public void onSignal(Runnable call) {
        onSignal = call;
        if (feed != null) {
            feed.onSignal(call);
        }
    }

    /** Return whether no event follows those that are ready. */
    public boolean isOver() {
        return over || closed;
    }

    private boolean whileOpen(BooleanSupplier reading) {
        try {
            return reading.getAsBoolean();
        } catch (RuntimeException e) {
            if (engine.isOpen()) {
                throw e;
            }
            over = true; // the runtime was closed while its store was read
            return false;
        }
    }

    private RunEvent take() {
        if (!hasMore()) {
            throw new NoSuchElementException("There are no more events of run " + root + ".");
        }
        taken = true;
        TreeNarrator.Narrated narrated = ready.removeFirst();
        RunEvent event = narrated.event();
        event.origin().id().ifPresent(id -> {
            cursor = new Cursor(root, narrated.epoch(), id);
            if (event instanceof RunEvent.RunFinish && event.runId().equals(root)) {
                close();
                over = true;
            }
        });
        return event;
    }

    @Override
    public void close() {
        closed = true;
        LiveFeed live = feed;
        if (live != null) {
            live.close();
        }
    }

    /** Get the next stored events ready; returns false if there are none, or what follows is taken from the live tree. */
    private boolean readStored() {
        LiveFeed live = feed == null ? join() : feed;
        if (live != null && caughtUp) {
            return false;
        }
        if (narrator.read(ready::add) || readForgotten()) {
            return true;
        }
        if (live != null) {
            requirePast(live);
            caughtUp = true;
        }
        return false;
    }

    private boolean readForgotten() {
        if (!afterTheEnd || store.find(root).isPresent()) {
            return false;
        }
        ForgottenTrees trees = engine.environment().forgotten();
        return narrator.read(beforeTheEnd ? trees.read(root) : trees.take(root), ready::add);
    }

    /** Take the next event of the live tree, or wait for a change of the store. */
    private boolean awaitMore() {
        LiveFeed live = feed;
        if (live == null) {
            awaitChange();
        } else {
            take(live);
        }
        return true;
    }

    /** Before the store is read: what is stored later is received live. */
    private @Nullable LiveFeed join() {
        caughtUp = false;
        LiveFeed joined = engine.live(root).flatMap(run -> run.join(forgotten)).orElse(null);
        feed = joined;
        if (joined != null) {
            joined.onSignal(onSignal);
            if (closed) {
                joined.close();
            }
        }
        return joined;
    }

    private void awaitChange() {
        Optional<RunRecord> found = store.find(root);
        boolean gone = found.isEmpty() && !engine.isAtWork(root);
        boolean ended = found.filter(run -> run.status().isEnded()).isPresent();
        if (gone && forgotten && !taken && engine.isOpen()) {
            throw isForgotten();
        }
        if (gone || !engine.isOpen() || Thread.currentThread().isInterrupted()) {
            over = true;
        } else if (ended) {
            over = !narrator.read(ready::add); // what was stored between the last look and its end
        } else {
            change = store.awaitChange(change, BETWEEN_LOOKS);
        }
    }

    /** A store that forgets may have forgotten the run before it was read for the first time. */
    private void requirePast(LiveFeed live) {
        if (forgotten
                && narrator.isAtStart()
                && live.hasStarted()
                && store.find(root).isEmpty()) {
            throw isForgotten();
        }
    }

    private StoreException isForgotten() {
        over = true;
        close();
        return new StoreException(
                StoreException.Kind.NOT_FOUND,
                "Run " + root + " has ended, and its store in memory has forgotten it. Read its events before, or use"
                        + " InMemoryStore.keepingEndedRuns() or a store in a database.",
                null);
    }

    private void take(LiveFeed live) {
        try {
            Optional<LiveFeed.Item> item = live.take();
            if (item.isPresent()) {
                take(live, item.get());
            } else {
                boolean lost = live.takeLost();
                if (!lost || !forgotten) {
                    leave(live);
                } else if (steps.clear()) {
                    resumed(false);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            over = true;
        }
    }

    private void take(LiveFeed live, LiveFeed.Item item) {
        RunEvent event = item.event();
        Optional<EventId> id = event.origin().id();
        if (id.isEmpty()) {
            if (!narrator.isStale(event.runId(), item.follows()) && steps.isOf(event)) {
                ready.add(new TreeNarrator.Narrated(event, 0, 0));
            }
        } else if (cursor == null || id.get().compareTo(cursor.id()) > 0) {
            if (steps.isMissing(event) && isReadable()) {
                leave(live); // what is stored has the whole text of the answer
            } else {
                steps.note(event);
                ready.add(new TreeNarrator.Narrated(event, id.get().position(), live.epoch()));
            }
        }
    }

    private boolean isReadable() {
        return store.find(root).isPresent()
                || (afterTheEnd && engine.environment().forgotten().holds(root));
    }

    /** Continue in the store after the last event; of steps that were received in part, what was received is void. */
    private void leave(LiveFeed live) {
        live.close();
        feed = null;
        if (cursor != null) {
            narrator.skipTo(cursor.id());
        }
        if (steps.clear()) {
            resumed(false);
        }
    }
}
