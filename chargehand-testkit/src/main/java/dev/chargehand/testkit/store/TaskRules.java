package dev.chargehand.testkit.store;

import static dev.chargehand.error.StoreException.Kind.ALREADY_READ;
import static dev.chargehand.error.StoreException.Kind.DELIVERED;
import static dev.chargehand.error.StoreException.Kind.FENCED;
import static dev.chargehand.testkit.store.Samples.ANN;
import static dev.chargehand.testkit.store.Samples.START;
import static dev.chargehand.testkit.store.Samples.assertRefused;
import static dev.chargehand.testkit.store.Samples.facts;
import static dev.chargehand.testkit.store.Samples.id;
import static dev.chargehand.testkit.store.Samples.messageIds;
import static dev.chargehand.testkit.store.Samples.more;
import static dev.chargehand.testkit.store.Samples.root;
import static dev.chargehand.testkit.store.Samples.start;
import static dev.chargehand.testkit.store.Samples.toThread;
import static dev.chargehand.testkit.store.Samples.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.background.TaskFilter;
import dev.chargehand.background.TaskLink;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.testkit.store.Samples.HasStore;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The result of a background task is in its thread once and is read by one run; it starts one turn of an until-idle call. */
interface TaskRules extends HasStore {

    @Test
    default void theEndOfATaskIsInTheThreadAndForTheRunThatStartedIt() {
        startTurn("turn");
        store().append(task("task", "turn"));

        store().append(taskEnd("task", "turn"));

        assertEquals(List.of("m1", "task-task"), messageIds(store(), "t", ANN));
        assertEquals(1, store().undrained(id("turn")).size());
        assertEquals(
                Optional.of(1L),
                store().find(id("task")).flatMap(RunRecord::task).map(TaskLink::resultAt));
        assertEquals(List.of("task"), unread());
    }

    @Test
    default void aResultIsReadByOneRun() {
        startTurn("turn");
        store().append(task("task", "turn"));
        store().append(taskEnd("task", "turn"));

        store().append(more("turn", 1, 2, facts(1)).results(List.of(id("task"))));

        assertEquals(List.of(), unread());
        assertEquals(
                Optional.of(id("turn")),
                store().find(id("task")).flatMap(RunRecord::task).map(TaskLink::readBy));
        store().append(start(root("other"), facts(1)));
        assertRefused(
                ALREADY_READ, () -> store().append(more("other", 1, 1, facts(1)).results(List.of(id("task")))));
        assertEquals(1, store().find(id("other")).orElseThrow().length());
    }

    @Test
    default void theEndOfATaskOfATurnThatHasEndedStartsTheNextTurn() {
        startTurn("turn");
        store().append(task("task", "turn"));
        endTurn("turn", RunStatus.COMPLETED, "early");
        assertEquals(Optional.empty(), store().find(id("early")), "there is nothing to read");

        store().append(taskEnd("task", "turn").next(turn("next", "turn")));

        RunRecord next = store().find(id("next")).orElseThrow();
        assertEquals(RunStatus.PENDING, next.status());
        assertEquals(Optional.of(id("turn")), next.untilIdle());
        assertEquals(
                List.of("next", "task", "turn"),
                store().list(RunFilter.ROOTS.untilIdle(id("turn"))).stream()
                        .map(run -> run.runId().value())
                        .sorted()
                        .toList());
    }

    @Test
    default void theEndOfATurnWithAnUnreadResultStartsTheNextTurn() {
        startTurn("turn");
        store().append(task("task", "turn"));
        store().append(taskEnd("task", "turn").next(turn("early", "turn")));
        assertEquals(Optional.empty(), store().find(id("early")), "the turn can read it itself");

        endTurn("turn", RunStatus.INCOMPLETE, "next");

        assertTrue(store().find(id("next")).isPresent());
    }

    @Test
    default void noTurnFollowsOneThatFailedOrWasCancelled() {
        startTurn("turn");
        store().append(task("task", "turn"));
        endTurn("turn", RunStatus.FAILED, "early");

        store().append(taskEnd("task", "turn").next(turn("next", "turn")));

        assertEquals(Optional.empty(), store().find(id("next")));
        assertEquals(List.of("task"), unread());
    }

    @Test
    default void oneTurnOfAThreadWaits() {
        startTurn("turn");
        store().append(task("task", "turn"));
        store().append(task("other", "turn"));
        endTurn("turn", RunStatus.COMPLETED, "early");

        store().append(taskEnd("task", "turn").next(turn("next", "turn")));
        store().append(taskEnd("other", "turn").next(turn("second", "turn")));

        assertTrue(store().find(id("next")).isPresent());
        assertEquals(Optional.empty(), store().find(id("second")));
        RunRecord claimed = store().claim(id("next"), 1, 1, "process-1");
        store().append(task("third", "next"));
        store().append(taskEnd("third", "next").next(turn("later", "turn")));
        assertEquals(RunStatus.RUNNING, claimed.status());
        assertTrue(store().find(id("later")).isPresent(), "the one before has begun, and may have read already");
    }

    @Test
    default void aTaskOfARunThatHasEndedOrIsMissingDoesNotStart() {
        startTurn("turn");
        store().append(task("early", "turn"));
        endTurn("turn", RunStatus.ABORTED, "next");

        assertRefused(FENCED, () -> store().append(task("task", "turn")));
        assertRefused(FENCED, () -> store().append(task("other", "missing")));

        assertEquals(Optional.empty(), store().find(id("task")));
        store().append(attempt("again", "early", "turn", 2));
        assertTrue(store().find(id("again")).isPresent(), "it had started before");
    }

    @Test
    default void aTaskOfARunThatIsToBeCancelledDoesNotStart() {
        startTurn("turn");
        Json why = Json.of(Map.of("by", "ann"));
        store().deliver(new Delivery(id("turn"), "message", Delivery.Kind.MESSAGE, why, START));
        store().append(task("early", "turn"));
        store().deliver(new Delivery(id("turn"), "cancel", Delivery.Kind.CANCEL, why, START));

        assertRefused(DELIVERED, () -> store().append(task("task", "turn")));

        assertEquals(Optional.empty(), store().find(id("task")));
        store().append(attempt("again", "early", "turn", 2));
        assertTrue(store().find(id("again")).isPresent(), "it had started before");
    }

    private void startTurn(String run) {
        Append start = start(turnRecord(run, run), facts(1)).takesThread(true);
        store().append(with(start, toThread("t", ANN, "m1")));
        store().append(more(run, 1, 1, facts(1)));
    }

    private void endTurn(String run, RunStatus status, String next) {
        store().append(more(run, 1, 2, facts(1)).status(status).next(turn(next, run)));
    }

    private static RunRecord turnRecord(String run, String first) {
        return record(run, START)
                .threadId("t")
                .resourceId("ann")
                .untilIdle(id(first))
                .build();
    }

    private static Append.Next turn(String run, String after) {
        RunRecord record = turnRecord(run, "turn");
        return new Append.Next(start(record, facts(1)).status(RunStatus.PENDING), START, id(after));
    }

    private static Append task(String task, String origin) {
        return attempt(task, task, origin, 1);
    }

    private static Append attempt(String run, String task, String origin, int number) {
        RunRecord record = record(run, START.plusMillis(1))
                .task(new TaskLink(id(task), id(origin), "c", "t", number))
                .untilIdle(id("turn"))
                .build();
        return start(record, facts(1));
    }

    private static RunRecord.Builder record(String run, Instant at) {
        return RunRecord.builder(id(run), "agent", "process-1", at);
    }

    private static Append taskEnd(String task, String origin) {
        ThreadAppend message = toThread("t", ANN, "task-" + task);
        RunId to = id(origin);
        Delivery delivery =
                new Delivery(to, "task-" + task, Delivery.Kind.TASK_ENDED, Json.of(Map.of("text", "found")), START);
        return more(task, 1, 1, facts(1))
                .status(RunStatus.COMPLETED)
                .taskEnd(new Append.TaskEnd(id(task), message, delivery));
    }

    private List<String> unread() {
        return store().list(RunFilter.ROOTS.tasks(TaskFilter.ofThread("t").unread(true))).stream()
                .map(run -> run.runId().value())
                .toList();
    }
}
