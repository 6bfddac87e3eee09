package dev.chargehand.internal.journal;

import dev.chargehand.background.TaskLink;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.StartedFacts;
import dev.chargehand.internal.fact.task.TaskMessages;
import dev.chargehand.internal.fact.task.TaskOrigin;
import dev.chargehand.internal.fact.task.TaskResult;
import dev.chargehand.internal.option.Options;
import dev.chargehand.internal.state.State;
import dev.chargehand.memory.Memory;
import dev.chargehand.message.Message;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.Append;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.TreeFact;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What facts change about background tasks: whose results are read, what the end of one gives to the run it came from, and which turn
 * of an until-idle call follows an end.
 */
final class TaskEnds {

    /** The owner of a run that any process with {@code Wakeups.all()} starts. */
    private static final String ANY_PROCESS = "";

    private TaskEnds() {}

    /** Return what the record of a run says about its task; null for another run. */
    static @Nullable TaskLink link(Fact.Started started) {
        TaskOrigin origin = started.background().origin();
        return origin == null
                ? null
                : new TaskLink(origin.taskId(), origin.runId(), origin.callId(), origin.threadId(), origin.attempt());
    }

    /**
     * Return an append with what its facts change about tasks.
     *
     * @param after the state after the facts
     * @param shown takes secrets out of the result
     * @param owner the process that executes the run, and that is to execute the next attempt
     */
    static Append of(
            Append append, State after, List<Journal.Stored> facts, UnaryOperator<String> shown, String owner) {
        List<RunId> read = read(facts);
        Append reading = read.isEmpty() ? append : append.results(read);
        TaskOrigin origin = after.started().background().origin();
        StopReason stop = after.stop();
        return origin == null || stop == null ? reading : ended(reading, after, origin, stop, shown, owner);
    }

    private static List<RunId> read(List<Journal.Stored> facts) {
        List<RunId> read = new ArrayList<>(0);
        for (Journal.Stored each : facts) {
            switch (each.fact()) {
                case Fact.Started started -> addTo(read, started.background().results());
                case Fact.ExecutionStarted execution -> addTo(read, execution.results());
                case Fact.Said said ->
                    said.messages()
                            .forEach(message -> TaskMessages.taskOf(message).ifPresent(read::add));
                default -> {}
            }
        }
        return read;
    }

    private static void addTo(List<RunId> read, List<TaskResult> results) {
        for (TaskResult result : results) {
            read.add(result.taskId());
        }
    }

    private static Append ended(
            Append append, State after, TaskOrigin origin, StopReason stop, UnaryOperator<String> shown, String owner) {
        if (origin.isRetriedAfter(stop)) {
            Fact.Started next = StartedFacts.nextAttempt(after.started(), origin, append.at());
            return append.next(new Append.Next(start(next, owner), append.at().plus(origin.delay()), null));
        }
        Message message = TaskMessages.of(
                origin,
                after.agentId(),
                stop,
                shown.apply(after.text()),
                after.started().settings().get(Options.LIMITS).get(Limit.TOOL_RESULT_BYTES));
        ThreadAppend result = new ThreadAppend(
                origin.threadId(),
                origin.owner(),
                null,
                List.of(new ThreadEntry(message.id(), MessageCodec.write(message))),
                null,
                null,
                null);
        Delivery delivery = new Delivery(
                origin.runId(), message.id(), Delivery.Kind.TASK_ENDED, DeliveryCodec.write(message), append.at());
        return append.taskEnd(new Append.TaskEnd(origin.taskId(), result, delivery));
    }

    /** Return the first append of a pending root run. */
    static Append start(Fact.Started started, String owner) {
        RunId runId = started.rootRunId();
        State state = State.of(runId, started, List.of());
        return Append.start(RunOpening.record(runId, started, owner, 1), List.of(FactCodec.write(started)))
                .status(state.status())
                .at(state.lastAt())
                .summary(new Summaries().of(state))
                .threads(ThreadChanges.of(state, List.of(new Journal.Stored(started, state)), Memory.DEFAULT));
    }

    /**
     * Return an append with the next turn that its end may make due; the store decides whether it is.
     *
     * @param after the state after the facts
     * @param owner the process that executes the run
     */
    static Append withNextTurn(Append append, State after, Store store, String owner) {
        StopReason stop = after.stop();
        TaskOrigin origin = after.started().background().origin();
        if (stop == null || after.started().background().firstTurn() == null) {
            return append;
        }
        if (origin != null) {
            return origin.isRetriedAfter(stop) ? append : afterTask(append, origin, store, owner);
        }
        boolean wereAll =
                stop instanceof StopReason.LimitReached limit && limit.which().equals(Limit.CONTINUATIONS.key());
        boolean startsTasks = after.started().thread() != null; // a task needs the thread, which receives its result
        return wereAll || !startsTasks ? append : append.next(turn(append, after.started(), append.runId(), owner));
    }

    /** The process of the turn before has its caller; if that process is gone, the one that has executed the task continues. */
    private static Append afterTask(Append append, TaskOrigin origin, Store store, String executes) {
        List<TreeFact> first = store.readTree(origin.runId(), 0, 1);
        String owner = store.find(origin.runId())
                .map(RunRecord::owner)
                .filter(store::isAlive)
                .orElse(executes);
        return !first.isEmpty()
                        && FactCodec.read(first.getFirst().entry()) instanceof Fact.Started started
                        && started.background().untilIdle() != null
                ? append.next(turn(append, started, origin.runId(), owner))
                : append;
    }

    private static Append.Next turn(Append append, Fact.Started before, RunId runId, String owner) {
        Instant at = append.at();
        Fact.Started next = StartedFacts.nextTurn(before, idAfter(append.runId()), at);
        String claims = before.background().anyProcess() ? ANY_PROCESS : owner;
        return new Append.Next(start(next, claims), at, runId);
    }

    /** One end submits one turn at most, also if it is written again. */
    private static RunId idAfter(RunId ended) {
        byte[] name = ("turn after " + ended).getBytes(StandardCharsets.UTF_8);
        return new RunId("run_" + UUID.nameUUIDFromBytes(name).toString().replace("-", ""));
    }
}
