package dev.chargehand.internal.journal;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.StartedFacts;
import dev.chargehand.internal.fact.ThreadLink;
import dev.chargehand.internal.state.State;
import dev.chargehand.internal.state.value.Remembered;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Append.IdempotencyKey;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.ThreadAppend;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a run starts with, stored in one transaction.
 *
 * @param started its first fact
 * @param threadTail what its agent remembers of its thread
 * @param remembered the texts of what the copied facts say the other run recalled
 * @param copied the facts that it has of another run, and what was said to it after them
 * @param threads the messages that it has of threads of another run
 * @param added what was decided about it before it started
 * @param key finds it when the call that starts it is repeated, or null
 */
public record RunOpening(
        Fact.Started started,
        List<Message> threadTail,
        Remembered remembered,
        List<Fact> copied,
        List<ThreadAppend> threads,
        List<Fact> added,
        @Nullable IdempotencyKey key) {

    public RunOpening {
        threadTail = List.copyOf(threadTail);
        copied = List.copyOf(copied);
        threads = List.copyOf(threads);
        added = List.copyOf(added);
    }

    /** Make the opening of a run that has nothing of another. */
    public static RunOpening of(Fact.Started started, List<Message> threadTail) {
        return new RunOpening(started, threadTail, Remembered.NOTHING, List.of(), List.of(), List.of(), null);
    }

    /** Fold a fact that the run starts with. */
    State after(State before, Fact fact) {
        return fact.equals(remembered.fact()) ? before.conversation().recalled(remembered) : before.after(fact);
    }

    /** Return the opening of a run that is found by a key, or by none. */
    public RunOpening keyed(@Nullable IdempotencyKey value) {
        return new RunOpening(started, threadTail, remembered, copied, threads, added, value);
    }

    /** Return the opening of a run about which something was decided before it started. */
    public RunOpening decided(List<Fact> facts) {
        return new RunOpening(started, threadTail, remembered, copied, threads, facts, key);
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
        return new RunOpening(StartedFacts.withInput(started, input), threadTail, remembered, facts, threads, all, key);
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
                .resourceId(thread == null ? null : thread.owner().resourceId())
                .epoch(epoch)
                .task(TaskEnds.link(started))
                .untilIdle(started.background().firstTurn())
                .build();
    }
}
