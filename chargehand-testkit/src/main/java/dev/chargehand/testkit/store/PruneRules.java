package dev.chargehand.testkit.store;

import static dev.chargehand.error.StoreException.Kind.NOT_FOUND;
import static dev.chargehand.testkit.store.Samples.ANN;
import static dev.chargehand.testkit.store.Samples.START;
import static dev.chargehand.testkit.store.Samples.assertRefused;
import static dev.chargehand.testkit.store.Samples.child;
import static dev.chargehand.testkit.store.Samples.fact;
import static dev.chargehand.testkit.store.Samples.facts;
import static dev.chargehand.testkit.store.Samples.id;
import static dev.chargehand.testkit.store.Samples.messageIds;
import static dev.chargehand.testkit.store.Samples.more;
import static dev.chargehand.testkit.store.Samples.root;
import static dev.chargehand.testkit.store.Samples.start;
import static dev.chargehand.testkit.store.Samples.texts;
import static dev.chargehand.testkit.store.Samples.toThread;
import static dev.chargehand.testkit.store.Samples.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.chargehand.approval.WaitKind;
import dev.chargehand.background.TaskLink;
import dev.chargehand.error.IdempotencyKeyException;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.Append.IdempotencyKey;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.Delivery.Delivered;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.store.WaitingCall;
import dev.chargehand.store.deletion.Deletion;
import dev.chargehand.testkit.store.Samples.HasStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Runs that have ended are deleted with all that is theirs, and nothing else is. */
interface PruneRules extends HasStore {

    /** Later than anything the samples do. */
    Instant LATER = START.plus(Duration.ofDays(1));

    /** Longer than any store keeps in place. */
    String LARGE = '"' + "0123456789abcdef".repeat(10_000) + '"';

    @Test
    default void anEndedRunIsDeletedWithAllThatIsIts() {
        anEndedTree(store(), "r");
        store().append(start("other", facts(1)));

        assertEquals(1, store().delete(new Deletion.EndedRuns(LATER, 10)));

        for (String run : List.of("r", "c of r")) {
            assertEquals(Optional.empty(), store().find(id(run)));
            assertEquals(List.of(), store().read(id(run), 0));
        }
        assertEquals(List.of(), store().readTree(id("r"), 0, 100));
        assertEquals(List.of(), store().undrained(id("r")));
        assertEquals(List.of(), store().waiting(id("r")));
        assertEquals(List.of("other"), runs(store()));
        assertEquals(0, store().delete(new Deletion.EndedRuns(LATER, 10)));
    }

    @Test
    default void aRunThatHasNotEndedStays() {
        for (RunStatus status : List.of(RunStatus.RUNNING, RunStatus.SUSPENDED, RunStatus.PENDING)) {
            store().append(start(status.name(), facts(1)).status(status));
        }
        for (RunStatus status :
                List.of(RunStatus.COMPLETED, RunStatus.INCOMPLETE, RunStatus.ABORTED, RunStatus.FAILED)) {
            store().append(start(status.name(), facts(1)).status(status));
        }

        assertEquals(4, store().delete(new Deletion.EndedRuns(LATER, 10)));
        assertEquals(List.of("SUSPENDED", "RUNNING", "PENDING"), runs(store()));
    }

    @Test
    default void aTreeInWhichARunHasNotEndedStaysWhole() {
        store().append(start("r", facts(1)));
        store().append(start(child("c", "r"), facts(1)));
        end(store(), "r", 1, START);

        assertEquals(0, store().delete(new Deletion.EndedRuns(LATER, 10)));
        assertEquals(List.of("r", "c"), runs(store()));
        assertEquals(1, store().read(id("c"), 0).size());

        store().append(toChild("c", "r", 1).status(RunStatus.ABORTED));
        assertEquals(1, store().delete(new Deletion.EndedRuns(LATER, 10)));
        assertEquals(List.of(), runs(store()));
    }

    @Test
    default void theTurnsAndTasksOfAnUntilIdleCallStayUntilAllHaveEnded() {
        store().append(start(record("turn").untilIdle(id("turn")).build(), facts(1)));
        store().append(start(record("task").untilIdle(id("turn")).build(), facts(1)));
        store().append(start(record("of another call").untilIdle(id("other")).build(), facts(1)));
        end(store(), "turn", 1, START);
        end(store(), "of another call", 1, START);

        assertEquals(1, store().delete(new Deletion.EndedRuns(LATER, 10)));
        assertEquals(List.of("task", "turn"), runs(store()).stream().sorted().toList());

        end(store(), "task", 1, START);
        assertEquals(2, store().delete(new Deletion.EndedRuns(LATER, 10)));
    }

    @Test
    default void theAttemptsOfATaskStayUntilAllHaveEnded() {
        store().append(start(record("first").task(attempt("first", 2)).build(), facts(1)));
        end(store(), "first", 1, START);
        store().append(start(record("second").task(attempt("first", 3)).build(), facts(1)));
        store().append(start(record("other").task(attempt("other", 2)).build(), facts(1)));
        end(store(), "other", 1, START);

        assertEquals(1, store().delete(new Deletion.EndedRuns(LATER, 10)));
        assertEquals(List.of("first", "second"), runs(store()).stream().sorted().toList());

        end(store(), "second", 1, START);
        assertEquals(2, store().delete(new Deletion.EndedRuns(LATER, 10)));
    }

    private static RunRecord.Builder record(String run) {
        return RunRecord.builder(id(run), "agent", "process-1", START);
    }

    /** Make the link of an attempt; a first one would need its origin. */
    private static TaskLink attempt(String task, int number) {
        return new TaskLink(id(task), id("origin"), "c", "t", number);
    }

    @Test
    default void aRunThatHasChangedSinceStays() {
        for (int hour = 0; hour < 4; hour++) {
            String run = "ended after " + hour;
            store().append(start(run, facts(1)));
            end(store(), run, 1, START.plus(Duration.ofHours(hour)));
        }

        assertEquals(2, store().delete(new Deletion.EndedRuns(START.plus(Duration.ofHours(2)), 10)));
        assertEquals(List.of("ended after 3", "ended after 2"), runs(store()));
        assertEquals(0, store().delete(new Deletion.EndedRuns(Instant.MIN, 10)));
        assertEquals(2, store().delete(new Deletion.EndedRuns(Instant.MAX, 10)));
    }

    @Test
    default void aCallDeletesAsManyTreesAsItMay() {
        for (int run = 0; run < 5; run++) {
            anEndedTree(store(), "r" + run);
        }

        assertEquals(0, store().delete(new Deletion.EndedRuns(LATER, 0)));
        assertEquals(0, store().delete(new Deletion.EndedRuns(LATER, -1)));
        assertEquals(2, store().delete(new Deletion.EndedRuns(LATER, 2)));
        assertEquals(6, runs(store()).size());
        assertEquals(2, store().delete(new Deletion.EndedRuns(LATER, 2)));
        assertEquals(1, store().delete(new Deletion.EndedRuns(LATER, 2)));
        assertEquals(0, store().delete(new Deletion.EndedRuns(LATER, 2)));
        assertEquals(List.of(), runs(store()));
    }

    @Test
    default void threadsAndTheirMessagesStay() {
        ThreadAppend large = new ThreadAppend("large", ANN, null, null, List.of(new ThreadEntry("m", LARGE)));
        store().append(with(
                        start("r", fact("a"), FactEntry.of("Answered", 1, LARGE)),
                        toThread("t", ANN, "m0", "m1"),
                        large)
                .status(RunStatus.COMPLETED));

        assertEquals(1, store().delete(new Deletion.EndedRuns(LATER, 10)));
        assertEquals(List.of("m0", "m1"), messageIds(store(), "t", ANN));
        assertEquals(2, store().findThread("t").orElseThrow().length());
        assertEquals(LARGE, store().readThread("large", ANN, 1, 1).getFirst().text());
    }

    @Test
    default void aLargeTextThatAnotherRunHasStays() {
        store().append(start("kept", FactEntry.of("Answered", 1, LARGE)));
        store().append(start("r", FactEntry.of("Answered", 1, LARGE)).status(RunStatus.COMPLETED));

        assertEquals(1, store().delete(new Deletion.EndedRuns(LATER, 10)));
        assertEquals(List.of(LARGE), texts(store(), "kept"));

        store().append(start("again", FactEntry.of("Answered", 1, LARGE)));
        assertEquals(List.of(LARGE), texts(store(), "again"));
    }

    @Test
    default void theRunsOfOtherTenantsStayUnlessAllAreMeant() {
        Store acme = store().forTenant("acme");
        for (Store tenant : List.of(store(), acme, store().forTenant("zeta"))) {
            String mine = tenant == store() ? "local" : tenant == acme ? "acme" : "zeta";
            anEndedTree(tenant, mine);
            tenant.append(start("live of " + mine, facts(1)));
        }

        assertEquals(1, acme.delete(new Deletion.EndedRuns(LATER, 10)));
        assertEquals(List.of("live of acme"), runs(acme));
        assertEquals(3, runs(store()).size());

        assertEquals(2, acme.delete(new Deletion.EndedRuns(LATER, 10, true)));
        assertEquals(List.of("live of local"), runs(store()));
        assertEquals(List.of("live of zeta"), runs(store().forTenant("zeta")));
        assertEquals(0, store().delete(new Deletion.EndedRuns(LATER, 10, true)));
    }

    @Test
    default void aKeyGoesWithItsRun() {
        for (String run : List.of("ended", "live")) {
            store().append(start(run, facts(1)).idempotencyKey(new IdempotencyKey("key of " + run, "digest")));
        }
        end(store(), "ended", 1, START);

        assertEquals(1, store().delete(new Deletion.EndedRuns(LATER, 10)));

        store().append(start("again", facts(1)).idempotencyKey(new IdempotencyKey("key of ended", "digest")));
        assertThrows(IdempotencyKeyException.class, () -> store().append(
                        start("x", facts(1)).idempotencyKey(new IdempotencyKey("key of live", "digest"))));
    }

    @Test
    default void forALateWriterADeletedRunIsMissing() {
        anEndedTree(store(), "r");
        assertEquals(1, store().delete(new Deletion.EndedRuns(LATER, 10)));

        assertRefused(NOT_FOUND, () -> store().append(more("r", 1, 2, facts(1))));
        assertRefused(NOT_FOUND, () -> store().append(toChild("c of r", "r", 2)));
        assertRefused(NOT_FOUND, () -> store().append(start(child("d", "r"), facts(1))));
        assertRefused(NOT_FOUND, () -> store().claim(id("r"), 1, 2, "process-2"));
        assertRefused(NOT_FOUND, () -> store().release(id("r"), 1));
        assertEquals(new Delivered.NotWaiting(), store().deliver(message("r", "m9")));
        assertEquals(new Delivered.NotWaiting(), store().deliver(message("c of r", "m9")));
        assertEquals(List.of(), runs(store()));

        store().append(start("r", fact("new")));
        assertEquals(List.of("\"new\""), texts(store(), "r"));
    }

    @Test
    default void manyDeleteAtOnceWhileOthersWrite() throws Exception {
        int trees = 60;
        for (int run = 0; run < trees; run++) {
            anEndedTree(store(), "r" + run);
        }
        store().append(start("kept", FactEntry.of("Answered", 1, LARGE)));

        int callers = 4;
        CyclicBarrier meeting = new CyclicBarrier(callers * 2);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> deleting = IntStream.range(0, callers)
                    .mapToObj(caller -> threads.submit(() -> {
                        meeting.await(1, TimeUnit.MINUTES);
                        int deleted = 0;
                        for (int last = 1; last > 0; deleted += last) {
                            last = store().delete(new Deletion.EndedRuns(LATER, 3));
                        }
                        return deleted;
                    }))
                    .toList();
            List<Future<Integer>> writing = IntStream.range(0, callers)
                    .mapToObj(caller -> threads.submit(() -> {
                        meeting.await(1, TimeUnit.MINUTES);
                        for (int turn = 0; turn < 20; turn++) {
                            String run = "w" + caller + "-" + turn;
                            store().append(start(run, FactEntry.of("Answered", 1, LARGE)));
                            Delivered ignored = store().deliver(message("r" + turn, "to " + run));
                        }
                        return 0;
                    }))
                    .toList();
            for (Future<Integer> each : writing) {
                assertEquals(0, each.get(1, TimeUnit.MINUTES));
            }
            int deleted = 0;
            for (Future<Integer> each : deleting) {
                deleted += each.get(1, TimeUnit.MINUTES);
            }
            assertEquals(trees, deleted + store().delete(new Deletion.EndedRuns(LATER, trees)));
        }
        List<String> left = runs(store());
        assertEquals(callers * 20 + 1, left.size());
        left.forEach(run -> assertEquals(List.of(LARGE), texts(store(), run)));
    }

    private static Append toChild(String run, String root, long expectedLength) {
        return Append.to(id(run), 1, expectedLength, List.of(facts(1)), RunStatus.RUNNING, START)
                .rootRunId(id(root));
    }

    /** Make a tree of two runs with two facts each, a delivery that was read, one that was not, and a waiting call. */
    private static void anEndedTree(Store store, String run) {
        String child = "c of " + run;
        store.append(start(root(run), fact("a"), FactEntry.of("Answered", 1, LARGE))
                .idempotencyKey(new IdempotencyKey("key of " + run, "digest")));
        WaitingCall call = new WaitingCall(
                id(child),
                "call",
                new WaitingCall.Waiting(WaitKind.APPROVAL, 1, START, START.plusSeconds(9)),
                "tool",
                null,
                null);
        store.append(start(child(child, run), fact("a"), fact("b")).waits(List.of(call)));
        assertEquals(new Delivered.Accepted(), store.deliver(message(run, "m0")));
        assertEquals(new Delivered.Accepted(), store.deliver(message(child, "m1")));
        store.append(List.of(
                Append.to(id(run), 1, 2, List.of(), RunStatus.COMPLETED, START),
                Append.to(id(child), 1, 2, List.of(), RunStatus.ABORTED, START).rootRunId(id(run))));
    }

    private static Delivery message(String run, String id) {
        return new Delivery(id(run), id, Delivery.Kind.MESSAGE, Json.parse("{}"), START);
    }

    private static void end(Store store, String run, long length, Instant at) {
        store.append(Append.to(id(run), 1, length, List.of(), RunStatus.COMPLETED, at));
    }

    private static List<String> runs(Store store) {
        return store.list(RunFilter.ALL.limit(1000)).stream()
                .map(run -> run.runId().value())
                .toList();
    }
}
