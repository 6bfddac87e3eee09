package dev.chargehand.internal.journal;

import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.StartedFacts;
import dev.chargehand.internal.fact.task.TaskOrigin;
import dev.chargehand.internal.state.State;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.Append;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.TreeFact;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Has the end of a task or of a turn submit the next turn of an until-idle call. */
final class NextTurns {

    private NextTurns() {}

    /**
     * Return an append with the next turn that its end may make due; the store decides whether it is.
     *
     * @param after the state after the facts
     * @param owner the process that executes the run
     */
    static Append of(Append append, State after, Store store, String owner) {
        StopReason stop = after.stop();
        TaskOrigin origin = after.started().background().origin();
        if (stop == null || after.started().background().firstTurn() == null) {
            return append;
        }
        if (origin != null) {
            return origin.isRetriedAfter(stop) ? append : afterTask(append, origin, store);
        }
        boolean wereAll =
                stop instanceof StopReason.LimitReached limit && limit.which().equals(Limit.CONTINUATIONS.key());
        boolean answered = stop.status() == RunStatus.COMPLETED || stop.status() == RunStatus.INCOMPLETE;
        return answered && !wereAll ? append.next(turn(append, after.started(), append.runId(), owner)) : append;
    }

    private static Append afterTask(Append append, TaskOrigin origin, Store store) {
        List<TreeFact> first = store.readTree(origin.runId(), 0, 1);
        String owner = store.find(origin.runId()).map(RunRecord::owner).orElse("");
        return !first.isEmpty()
                        && FactCodec.read(first.getFirst().entry()) instanceof Fact.Started started
                        && started.background().untilIdle() != null
                ? append.next(turn(append, started, origin.runId(), owner))
                : append;
    }

    private static Append.Next turn(Append append, Fact.Started before, RunId runId, String owner) {
        Instant at = append.at();
        Fact.Started next = StartedFacts.nextTurn(before, idAfter(append.runId()), at);
        return new Append.Next(TaskEnds.start(next, owner), at, runId);
    }

    /** One end submits one turn at most, also if it is written again. */
    private static RunId idAfter(RunId ended) {
        byte[] name = ("turn after " + ended).getBytes(StandardCharsets.UTF_8);
        return new RunId("run_" + UUID.nameUUIDFromBytes(name).toString().replace("-", ""));
    }
}
