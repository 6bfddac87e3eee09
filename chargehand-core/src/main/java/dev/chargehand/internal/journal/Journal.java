package dev.chargehand.internal.journal;

import dev.chargehand.error.StoreException;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.value.Remembered;
import dev.chargehand.memory.Memory;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The one writer of a run's facts, in the epoch of its root run.
 *
 * <p>Facts are added, which folds them into the state, and then committed together in one transaction with the
 * messages they add to the thread. Until they are committed, no foreign code may receive them or be called because
 * of them. Used by the run's own thread only.
 */
public final class Journal {

    private final Store store;
    private final Summaries summaries = new Summaries();
    private final RunId runId;
    private final long epoch;
    private final List<Stored> pending = new ArrayList<>(2);
    private State state;
    private State stored;
    private @Nullable State refused;
    private final List<String> drains = new ArrayList<>(0);
    private @Nullable Receipts receipts;
    private TreeEnd treeEnd = (to, root, appends) -> to.append(appends);
    private List<Stored> committed = List.of();
    private List<Journal> below = List.of();
    private long length;
    private final String owner;
    private Memory memory = Memory.DEFAULT;
    private UnaryOperator<String> redacted = text -> text;

    /**
     * A fact stored.
     *
     * @param fact the fact
     * @param after the state after it
     * @param position its tree position; 0 if it is not stored, or an earlier version stored it
     */
    public record Stored(Fact fact, State after, long position) {

        /** Make a fact that is not stored yet. */
        public Stored(Fact fact, State after) {
            this(fact, after, 0);
        }
    }

    /** Is notified of what is stored. */
    @FunctionalInterface
    public interface Receipts {

        /** Note that facts of a run are stored, and that it has read these deliveries. */
        void appended(RunId runId, List<String> drained, Appended appended);
    }

    /** Stores the end of a tree, which its store may forget then. */
    @FunctionalInterface
    public interface TreeEnd {

        /** Append the last facts of a tree to its store. */
        Appended append(Store store, RunId root, List<Append> appends);
    }

    private Journal(Store store, String owner, long epoch, State state, long length) {
        this.store = store;
        this.owner = owner;
        this.runId = state.runId();
        this.epoch = epoch;
        this.state = state;
        this.stored = state;
        this.length = length;
    }

    /**
     * Start a run and store its start, together with its input, with what it has of another run, and with nested runs.
     *
     * @param epoch the epoch of its root run
     */
    public static Journal start(Store store, RunId runId, String owner, long epoch, RunOpening opening) {
        List<Journal> journals = new ArrayList<>(List.of(started(store, runId, owner, epoch, opening)));
        List<Append> appends = new ArrayList<>(List.of(journals.getFirst().append(opening)));
        for (RunOpening.Nested nested : opening.below()) {
            journals.add(started(store, nested.runId(), owner, epoch, nested.opening()));
            appends.add(journals.getLast().append(nested.opening()));
        }
        Appended appended = store.append(appends);
        long last = appended.treePosition();
        for (Journal journal : journals.reversed()) {
            last -= journal.pending.size();
            journal.settle(appended, last);
        }
        Journal journal = journals.getFirst();
        journal.below = List.copyOf(journals.subList(1, journals.size()));
        return journal;
    }

    /** Make the journal of a run with its first facts, which are not stored yet. */
    private static Journal started(Store store, RunId runId, String owner, long epoch, RunOpening opening) {
        Fact.Started started = opening.started();
        Journal journal = new Journal(store, owner, epoch, State.of(runId, started, opening.threadTail()), 0);
        journal.pending.add(new Stored(started, journal.state));
        for (Fact fact : Stream.concat(opening.copied().stream(), opening.added().stream())
                .toList()) {
            journal.state = opening.after(journal.state, fact);
            journal.pending.add(new Stored(fact, journal.state));
        }
        return journal;
    }

    private Append append(RunOpening opening) {
        RunRecord record = RunOpening.record(runId, opening.started(), owner, epoch);
        return append(pending, opening.threads(), record).idempotencyKey(opening.key());
    }

    /** Return the journals of the nested runs that started with the run, each below the one before. */
    public List<Journal> below() {
        return below;
    }

    /**
     * Read a run back, to continue it.
     *
     * @param known the record as claimed, or as seen: its length is that to write after
     * @param epoch the epoch of its root run as claimed, or as seen
     * @param texts reads the texts of threads that the run uses
     * @throws StoreException {@code FENCED} if another has continued the run since
     */
    public static Journal load(Store store, RunRecord known, long epoch, ThreadTexts texts) {
        List<FactEntry> entries = store.read(known.runId(), 0);
        if (entries.size() != known.length()) {
            throw new StoreException(
                    StoreException.Kind.FENCED,
                    "Run " + known.runId() + " was taken over by another owner; this process must stop executing it.",
                    null);
        }
        return new Journal(store, known.owner(), epoch, state(known, entries, texts), entries.size());
    }

    /** Read where a run stands now, without what its thread held before it. */
    public static State look(Store store, RunRecord record) {
        return state(record, RunOpening.entries(store, record.runId()), ThreadTexts.NONE);
    }

    private static State state(RunRecord record, List<FactEntry> entries, ThreadTexts texts) {
        State state = RunOpening.executing(record, entries, texts);
        for (FactEntry entry : entries.subList(1, entries.size())) {
            state = texts.after(state, FactCodec.read(entry));
        }
        return state;
    }

    /** Read all facts of a run, in order, without what its thread held before it. */
    public static List<Stored> read(Store store, RunId runId) {
        List<FactEntry> entries = RunOpening.entries(store, runId);
        Fact.Started started = RunOpening.first(runId, entries);
        State state = State.of(runId, started, List.of());
        List<Stored> facts = new ArrayList<>(List.of(new Stored(started, state)));
        facts.addAll(folded(state, entries.subList(1, entries.size())));
        return facts;
    }

    private static List<Stored> folded(State before, List<FactEntry> entries) {
        List<Stored> facts = new ArrayList<>(entries.size());
        State after = before;
        for (FactEntry entry : entries) {
            Fact fact = FactCodec.read(entry);
            after = after.after(fact);
            facts.add(new Stored(fact, after));
        }
        return facts;
    }

    /** Return what another writer has stored since this one last did, in order. */
    public List<Stored> writtenSince() {
        return folded(stored, store.read(runId, length));
    }

    /** Return the epoch of the root run in which it writes. */
    public long epoch() {
        return epoch;
    }

    /** Return the state, uncommitted facts included. */
    public State state() {
        return state;
    }

    /** Return the state with the facts that the store did not take, for a caller that gets what there was. */
    public State latest() {
        return refused != null && pending.isEmpty() ? refused : state;
    }

    /** Start a submitted run, whose thread held this before it; that is stored with the next {@link #commit}. */
    public void startExecution(Fact.ExecutionStarted execution, List<Message> threadTail) {
        state = state.executing(execution, threadTail);
        pending.add(new Stored(execution, state));
    }

    /** Fold facts; they are stored with the next {@link #commit}. */
    public void add(List<? extends Fact> facts) {
        for (Fact fact : facts) {
            state = state.after(fact);
            pending.add(new Stored(fact, state));
        }
    }

    /** Fold that the run recalled something; that is stored with the next {@link #commit}. */
    public void recall(Remembered remembered) {
        state = state.conversation().recalled(remembered);
        pending.add(new Stored(remembered.recalled(), state));
    }

    /** Notify of what is stored from now on. */
    public void reportTo(Receipts to) {
        receipts = to;
    }

    /** Have the work on a memory done when the run has ended, and secrets taken out of the result of a task; default: neither. */
    public void atEnd(Memory ofTheAgent, UnaryOperator<String> redactor) {
        memory = ofTheAgent;
        redacted = redactor;
    }

    /** Have the end of the tree stored by this, if it is the journal of a root run. */
    public void endTreeBy(TreeEnd end) {
        treeEnd = end;
    }

    /** Note that a delivery was read; that is stored with the next {@link #commit}. */
    public void drain(String deliveryId) {
        drains.add(deliveryId);
    }

    /** Fold a fact; it is stored with the next {@link #commit}. */
    public void add(Fact fact) {
        add(List.of(fact));
    }

    /** Return whether a reader may notice how long storing takes. */
    public boolean isSlow() {
        return !(store instanceof InMemoryStore);
    }

    /** Store what was added; see {@link #commitAfter}. */
    public List<Stored> commit() {
        return commitAfter(List.of());
    }

    /**
     * Store what was added to the journals of nested runs, then what was added to this one, in one transaction.
     *
     * @param nested in the order in which they are stored
     * @return the facts of this run that are stored now, in order, to be emitted
     * @throws StoreException if they could not be stored: what was added is forgotten, and the run must end
     */
    public List<Stored> commitAfter(List<Journal> nested) {
        List<Journal> journals = new ArrayList<>(nested);
        journals.add(this);
        journals.removeIf(journal -> journal.pending.isEmpty() && journal.drains.isEmpty());
        if (journals.isEmpty()) {
            return List.of();
        }
        Appended appended;
        try {
            appended = append(journals);
        } catch (RuntimeException e) {
            journals.forEach(Journal::forget);
            throw e;
        }
        long last = appended.treePosition();
        for (Journal journal : journals.reversed()) {
            last -= journal.pending.size();
            journal.settle(appended, last);
        }
        return journals.getLast() == this ? committed : List.of();
    }

    /** Store the facts of runs; those that end while messages to them are unread note which. */
    private Appended append(List<Journal> journals) {
        boolean wereRead = false;
        while (true) {
            List<Append> appends = new ArrayList<>(journals.size());
            for (Journal journal : journals) {
                appends.add(journal.append(journal.pending, List.of(), null));
            }
            try {
                return endsTree() ? treeEnd.append(store, runId, appends) : store.append(appends);
            } catch (StoreException e) {
                if (e.kind() != StoreException.Kind.DELIVERED) {
                    throw e;
                }
                List<Delivery> undrained = store.undrained(state.started().rootRunId());
                boolean noted = false;
                boolean areUnread = false;
                for (Journal journal : journals) {
                    List<String> unread = UnreadMessages.to(journal.runId, undrained, journal.drains);
                    areUnread |= !unread.isEmpty();
                    noted |= journal.endsWith(unread);
                }
                if (!noted && (areUnread || wereRead)) {
                    throw e;
                }
                wereRead = !noted; // by another, whose facts fence this one
            }
        }
    }

    private boolean endsTree() {
        return state.status().isEnded() && state.started().parentRunId() == null;
    }

    /** Note unread messages in the fact that ends the run; returns whether there are some to be noted there. */
    private boolean endsWith(List<String> unread) {
        if (unread.isEmpty() || pending.isEmpty()) {
            return false;
        }
        Fact end = pending.removeLast().fact();
        Optional<Fact> noting = UnreadMessages.addTo(end, unread);
        state = pending.isEmpty() ? stored : pending.getLast().after();
        add(noting.orElse(end));
        noting.ifPresent(ignored -> drains.addAll(unread));
        return noting.isPresent();
    }

    /** Return the facts of this run that were stored last, in order, to be emitted. */
    public List<Stored> committed() {
        return committed;
    }

    /** Forget what could not be stored. */
    private void forget() {
        pending.clear();
        drains.clear();
        refused = state;
        state = stored;
    }

    private void settle(Appended appended, long before) {
        committed = TreePositions.placed(pending, before);
        length += pending.size();
        pending.clear();
        if (receipts != null) {
            receipts.appended(runId, List.copyOf(drains), appended);
        }
        drains.clear();
        stored = state;
        refused = null;
    }

    private Append append(List<Stored> facts, List<ThreadAppend> before, @Nullable RunRecord newRun) {
        List<FactEntry> entries = new ArrayList<>(facts.size());
        boolean takesThread = false;
        boolean durable = Durability.isNeeded(newRun) || endsTree(); // its end is reported to the caller
        WaitChanges waits = new WaitChanges();
        for (Stored each : facts) {
            entries.add(FactCodec.write(each.fact()));
            takesThread |= ThreadChanges.takesThread(each.fact());
            durable |= Durability.isNeeded(each.fact());
            waits.add(each);
        }
        List<ThreadAppend> threads = new ArrayList<>(before);
        threads.addAll(ThreadChanges.of(state, facts, memory));
        Append append = newRun == null
                ? Append.to(runId, epoch, length, entries, state.status(), state.lastAt())
                        .rootRunId(state.started().rootRunId())
                : Append.start(newRun, entries);
        append = append.status(state.status())
                .at(state.lastAt())
                .summary(summaries.of(state))
                .expiresAt(state.waitsUntil())
                .takesThread(takesThread)
                .threads(threads)
                .drains(drains)
                .waits(waits.started())
                .waitsOver(waits.over())
                .readsAllMessages(state.status().isEnded())
                .durable(durable);
        return TaskEnds.withNextTurn(TaskEnds.of(append, state, facts, redacted, owner), state, store, owner);
    }
}
