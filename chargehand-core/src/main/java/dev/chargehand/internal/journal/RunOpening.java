package dev.chargehand.internal.journal;

import dev.chargehand.error.StoreException;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.StartedFacts;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.journal.stored.FactForm;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.value.Remembered;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Append.IdempotencyKey;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.TreeFact;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a run starts with, stored in one transaction.
 *
 * @param started its first fact
 * @param threadTail what its agent remembers of its thread
 * @param remembered the texts of what the copied facts say the other run recalled
 * @param copied the facts that it has of another run or of its caller, and what was said to it after them
 * @param threads the messages that it has of threads of another run
 * @param added what was decided about it before it started
 * @param below the nested runs that start with it, each below the one before
 * @param key finds it when the call that starts it is repeated, or null
 */
public record RunOpening(
        Fact.Started started,
        List<Message> threadTail,
        Remembered remembered,
        List<Fact> copied,
        List<ThreadAppend> threads,
        List<Fact> added,
        List<Nested> below,
        @Nullable IdempotencyKey key) {

    /**
     * A nested run that starts with the run, because that has it of another.
     *
     * @param runId its id
     */
    public record Nested(RunId runId, RunOpening opening) {}

    public RunOpening {
        threadTail = List.copyOf(threadTail);
        copied = List.copyOf(copied);
        threads = List.copyOf(threads);
        added = List.copyOf(added);
        below = List.copyOf(below);
    }

    /** Make the opening of a run that has nothing of another. */
    public static RunOpening of(Fact.Started started, List<Message> threadTail) {
        return new RunOpening(
                started, threadTail, Remembered.NOTHING, List.of(), List.of(), List.of(), List.of(), null);
    }

    /** Fold a fact that the run starts with. */
    State after(State before, Fact fact) {
        return fact.equals(remembered.fact()) ? before.conversation().recalled(remembered) : before.after(fact);
    }

    /** Return the opening of a run that has more facts, which it has not made itself. */
    public RunOpening having(List<Fact> more) {
        List<Fact> facts = new ArrayList<>(copied);
        facts.addAll(more);
        return new RunOpening(started, threadTail, remembered, facts, threads, added, below, key);
    }

    /** Return the opening of a run that starts with nested runs, each below the one before. */
    public RunOpening above(List<Nested> nested) {
        return new RunOpening(started, threadTail, remembered, copied, threads, added, nested, key);
    }

    /** Return the opening of a run with what follows on its start, unless it has facts of another run, or starts later. */
    public RunOpening then(RunId runId, Function<State, List<Fact>> first) {
        return started.submitted() || !copied.isEmpty() || !added.isEmpty()
                ? this
                : decided(first.apply(State.of(runId, started, threadTail)));
    }

    /** Return the opening of a run that is found by a key, or by none. */
    public RunOpening keyed(@Nullable IdempotencyKey value) {
        return new RunOpening(started, threadTail, remembered, copied, threads, added, below, value);
    }

    /** Return the opening of a run about which something was decided before it started. */
    public RunOpening decided(List<Fact> facts) {
        return new RunOpening(started, threadTail, remembered, copied, threads, facts, below, key);
    }

    /** Return what was said to the run after the steps that it has of another. */
    public List<Message> said() {
        return copied.stream()
                .filter(Fact.Said.class::isInstance)
                .flatMap(fact -> ((Fact.Said) fact).messages().stream())
                .toList();
    }

    /** Return the opening with what passed of the input and of what was said, and what was decided about both. */
    public RunOpening screened(List<Message> input, List<Message> said, List<Fact> decided) {
        List<Fact> facts = copied.stream()
                .map(fact -> fact instanceof Fact.Said whole ? new Fact.Said(whole.step(), said, whole.at()) : fact)
                .toList();
        List<Fact> all = Stream.concat(added.stream(), decided.stream()).toList();
        return new RunOpening(
                StartedFacts.withInput(started, input), threadTail, remembered, facts, threads, all, below, key);
    }

    /**
     * Read the facts of a run.
     *
     * @throws StoreException {@code NOT_FOUND} if it was deleted since it was found
     */
    public static List<FactEntry> entries(Store store, RunId runId) {
        List<FactEntry> entries = store.read(runId, 0);
        if (entries.isEmpty() && store.find(runId).isEmpty()) {
            throw new StoreException(
                    StoreException.Kind.NOT_FOUND, "There is no run " + runId + " in the store.", null);
        }
        return entries;
    }

    /** Fold the first of the facts of a run. */
    public static State executing(RunRecord record, List<FactEntry> entries, ThreadTexts texts) {
        Fact.Started started = first(record.runId(), entries);
        return State.of(record.runId(), started, texts.tail(executing(started, entries)));
    }

    /** Return the first fact of a run, of a submitted one as it is once its execution has started. */
    public static Fact.Started executing(Fact.Started started, List<FactEntry> entries) {
        return !started.submitted()
                ? started
                : entries.stream()
                        .filter(entry -> entry.type().equals(FactForm.EXECUTION_STARTED.key()))
                        .findFirst()
                        .map(FactCodec::read)
                        .map(fact -> StartedFacts.executing(started, (Fact.ExecutionStarted) fact))
                        .orElse(started);
    }

    /**
     * Return the first fact of a run.
     *
     * @throws StoreException {@code UNREADABLE} if it is missing
     */
    static Fact.Started first(RunId runId, List<FactEntry> entries) {
        if (entries.isEmpty() || !(FactCodec.read(entries.getFirst()) instanceof Fact.Started started)) {
            throw new StoreException(
                    StoreException.Kind.UNREADABLE,
                    "Run " + runId + " has no first fact in the store; it cannot be resumed.",
                    null);
        }
        return started;
    }

    /** Read the first fact of a root run, if possible without its other facts. */
    public static Fact.Started first(Store store, RunId root) {
        List<TreeFact> first = store.readTree(root, 0, 1);
        return !first.isEmpty() && FactCodec.read(first.getFirst().entry()) instanceof Fact.Started started
                ? started
                : first(root, store.read(root, 0)); // of a version without tree positions
    }

    /** Make the record of a run that starts. */
    static RunRecord record(RunId runId, Fact.Started started, String owner, long epoch) {
        ThreadLink thread = started.thread();
        return RunRecord.builder(runId, started.agentId(), owner, started.at())
                .rootRunId(started.rootRunId())
                .parentRunId(started.parentRunId())
                .parentCallId(started.parentCallId())
                .path(started.path().toString())
                .threadId(thread == null ? null : thread.id())
                .resourceId(started.resourceId())
                .epoch(epoch)
                .task(TaskEnds.link(started))
                .untilIdle(started.background().firstTurn())
                .build();
    }
}
