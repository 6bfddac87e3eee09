package dev.chargehand.testkit.store;

import static dev.chargehand.error.StoreException.Kind.FENCED;
import static dev.chargehand.testkit.store.Samples.START;
import static dev.chargehand.testkit.store.Samples.assertRefused;
import static dev.chargehand.testkit.store.Samples.facts;
import static dev.chargehand.testkit.store.Samples.id;
import static dev.chargehand.testkit.store.Samples.more;
import static dev.chargehand.testkit.store.Samples.start;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.DueRuns;
import dev.chargehand.store.DueRuns.Scope;
import dev.chargehand.store.DueRuns.Turns;
import dev.chargehand.store.RunRecord;
import dev.chargehand.testkit.store.Samples.HasStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Pending runs are claimed once, and those of a thread in the order in which they were stored; tenants have their due runs
 * looked at in turn, each the oldest first.
 */
interface PendingRules extends HasStore {

    @Test
    default void aPendingRunIsDueForAnyProcessAndRunningOnceItIsClaimed() {
        live("process-1");
        store().append(pending("r", null));

        assertEquals(RunStatus.PENDING, store().find(id("r")).orElseThrow().status());
        assertEquals(List.of("r"), due(DueRuns.Scope.ALL));
        assertEquals(List.of(), due(DueRuns.Scope.OWN));
        RunRecord claimed = store().claim(id("r"), 1, 1, "process-1");

        assertEquals(RunStatus.RUNNING, claimed.status());
        assertEquals("process-1", claimed.owner());
        assertEquals(Optional.of(claimed), store().find(id("r")));
        assertEquals(List.of(), due(DueRuns.Scope.ALL));
        assertRefused(FENCED, () -> store().claimToWake(id("r"), 1, 1, "process-2", START));
    }

    @Test
    default void aRunThatWasClaimedIsDueAgainWhenItsOwnerDiesBeforeItWritesSomething() {
        live("process-1");
        store().append(pending("r", "t"));
        store().claimToWake(id("r"), 1, 1, "process-1", START);
        assertEquals(List.of(), due(DueRuns.Scope.ALL));

        store().heartbeat("process-1", Duration.ZERO);

        assertEquals(List.of("r"), due(DueRuns.Scope.ALL));
        assertEquals(2, store().claimToWake(id("r"), 2, 1, "process-2", START).attempts());
    }

    @Test
    default void theOldestPendingRunOfAThreadIsClaimedFirst() {
        live("process-1");
        store().append(pending("z", "t"));
        store().append(pending("a", "t"));
        store().append(pending("other", "u"));

        assertEquals(List.of("other", "z"), due(DueRuns.Scope.ALL));
        assertEquals("z", busy(() -> store().claim(id("a"), 1, 1, "process-1")));
        assertEquals("z", busy(() -> store().claimToWake(id("a"), 1, 1, "process-1", START)));
        assertEquals(1, store().find(id("a")).orElseThrow().epoch());
        store().claim(id("z"), 1, 1, "process-1");

        assertEquals(List.of("other"), due(DueRuns.Scope.ALL));
        assertEquals("z", busy(() -> store().claim(id("a"), 1, 1, "process-1")));
        store().append(more("z", 2, 1, facts(1)).status(RunStatus.COMPLETED));
        assertEquals(List.of("a", "other"), due(DueRuns.Scope.ALL));
        store().claim(id("a"), 1, 1, "process-1");
    }

    @Test
    default void aPendingRunWaitsForTheRunThatHasItsThread() {
        live("process-1");
        store().append(started("first", "t"));
        store().append(pending("second", "t"));

        assertEquals(List.of(), due(DueRuns.Scope.ALL));
        assertEquals("first", busy(() -> store().claim(id("second"), 1, 1, "process-1")));
        store().append(more("first", 1, 1, facts(1)).status(RunStatus.SUSPENDED));
        assertEquals(List.of("second"), due(DueRuns.Scope.ALL));
    }

    @Test
    default void aRunThatStartsWaitsForThosePendingBeforeIt() {
        live("process-1");
        store().append(pending("first", "t"));

        assertEquals("first", busy(() -> store().append(started("second", "t"))));
        assertEquals("first", busy(() -> store().append(pending("third", "t").takesThread(true))));
        store().append(Append.to(id("first"), 1, 1, List.of(facts(1)), RunStatus.ABORTED, START));

        store().append(started("second", "t"));
    }

    @Test
    default void aPendingRunIsNotInTheWayOfOneThatIsOlder() {
        live("process-1");
        store().append(started("first", "t"));
        store().append(pending("second", "t"));
        store().append(more("first", 1, 1, facts(1)).status(RunStatus.SUSPENDED));

        store().append(more("first", 1, 2, facts(1)).takesThread(true));

        assertEquals("first", busy(() -> store().claim(id("second"), 1, 1, "process-1")));
    }

    @Test
    default void aPendingRunIsNotReleased() {
        store().append(pending("r", "t"));

        store().release(id("r"), 1);

        assertEquals(RunStatus.PENDING, store().find(id("r")).orElseThrow().status());
        assertEquals(1, store().find(id("r")).orElseThrow().epoch());
    }

    @Test
    default void ofManyThatClaimThePendingRunsOfAThreadOneIsFirst() throws InterruptedException {
        for (int round = 1; round <= 10; round++) {
            String thread = "t" + round;
            live("process-1");
            live("process-2");
            List<String> runs = List.of("a" + round, "b" + round);
            runs.forEach(run -> store().append(pending(run, thread)));
            Queue<String> claimed = new ConcurrentLinkedQueue<>();
            CountDownLatch go = new CountDownLatch(1);
            List<Thread> threads = Stream.of("process-1", "process-2")
                    .flatMap(owner -> runs.stream()
                            .map(run -> Thread.ofPlatform().start(() -> {
                                try {
                                    go.await();
                                    claimed.add(store().claim(id(run), 1, 1, owner)
                                            .runId()
                                            .value());
                                } catch (InterruptedException | StoreException | ThreadBusyException e) {
                                    // another was first
                                }
                            })))
                    .toList();
            go.countDown();
            for (Thread each : threads) {
                each.join();
            }
            assertEquals(List.of("a" + round), List.copyOf(claimed));
        }
    }

    private void live(String owner) {
        store().heartbeat(owner, Duration.ofHours(1));
    }

    private List<String> due(DueRuns.Scope scope) {
        return store().due(new DueRuns.Query("other", scope, START, DueRuns.Turns.FIRST, 100)).toWake().stream()
                .map(run -> run.runId().value())
                .toList();
    }

    private static String busy(Runnable call) {
        return assertThrows(ThreadBusyException.class, call::run).runId();
    }

    private static Append pending(String run, @Nullable String thread) {
        return start(record(run, "", thread), facts(1)).status(RunStatus.PENDING);
    }

    private static Append started(String run, String thread) {
        return start(record(run, "process-1", thread), facts(1)).takesThread(true);
    }

    private static RunRecord record(String run, String owner, @Nullable String thread) {
        return RunRecord.builder(id(run), "boss", owner, START)
                .threadId(thread)
                .resourceId("ann")
                .build();
    }

    @Test
    default void aTenantWithAThousandDueRunsKeepsNoOtherWaiting() {
        IntStream.range(0, 1_000).forEach(i -> stored("local", "big" + i, i));
        stored("small", "other", 1_000);

        for (Turns turns : List.of(Turns.FIRST, new Turns("big", Map.of()))) {
            List<RunRecord> first = looked(Scope.ALL, turns, 100);
            assertEquals(100, first.size());
            assertEquals(
                    List.of("local", "small"),
                    first.stream().limit(2).map(RunRecord::tenantId).sorted().toList());
        }
    }

    @Test
    default void theOldestRunOfATenantIsTheFirst() {
        stored("local", "a", 3);
        stored("local", "b", 2);
        stored("local", "d", 1);
        stored("local", "c", 1);

        assertEquals(List.of("c", "d", "b", "a"), namesOf(looked(Scope.ALL, Turns.FIRST, 100)));
    }

    @Test
    default void everyKindOfDueRunHasItsPlaceInTheOrder() {
        stored("local", "pending", 2);
        store().append(start(recorded("orphan", 1, "dead"), facts(1)));
        store().append(start(recorded("woken", 3, "dead"), facts(1)).status(RunStatus.SUSPENDED));
        store().deliver(new Delivery(id("woken"), "cancel", Delivery.Kind.CANCEL, Json.of("x"), START));

        assertEquals(List.of("orphan", "pending", "woken"), namesOf(looked(Scope.ALL, Turns.FIRST, 100)));
        assertEquals(List.of("orphan", "pending"), namesOf(looked(Scope.ALL, Turns.FIRST, 2)));
    }

    @Test
    default void theTurnBeginsAfterTheTenantThatHadTheLast() {
        Stream.of("a", "b", "c").forEach(tenant -> {
            stored(tenant, tenant + 1, 1);
            stored(tenant, tenant + 2, 2);
        });
        List<RunRecord> first = looked(Scope.ALL, Turns.FIRST, 2);
        assertEquals(List.of("a1", "b1"), namesOf(first));

        Turns second = Turns.FIRST.after(first, 2, 2);
        assertEquals(List.of("c1", "a2"), namesOf(looked(Scope.ALL, second, 2)));
        assertEquals(List.of("b1", "c1", "a2", "b2"), namesOf(looked(Scope.ALL, Turns.FIRST.after(first, 1, 2), 4)));
    }

    @Test
    default void whatALookLeavesIsReadByTheNextAndThenTheFirstAgain() {
        IntStream.range(0, 5).forEach(i -> stored("local", "r" + i, i));

        Turns turns = Turns.FIRST;
        for (List<String> expected :
                List.of(List.of("r0", "r1"), List.of("r2", "r3"), List.of("r4"), List.of("r0", "r1"))) {
            List<RunRecord> found = looked(Scope.ALL, turns, 2);
            assertEquals(expected, namesOf(found));
            turns = turns.after(found, found.size(), 2);
        }
    }

    @Test
    default void aTenantThatHasBeenReadToItsEndIsReadFromItsBeginningWhileOthersHaveMore() {
        stored("a", "a1", 1);
        IntStream.range(0, 4).forEach(i -> stored("b", "b" + i, i));

        List<RunRecord> first = looked(Scope.ALL, Turns.FIRST, 2);
        assertEquals(List.of("a1", "b0"), namesOf(first));
        assertEquals(List.of("a1", "b1"), namesOf(looked(Scope.ALL, Turns.FIRST.after(first, 2, 2), 2)));
    }

    @Test
    default void aLookIsFilledByTheTenantsThatHaveMore() {
        Stream.of("a", "b", "c").forEach(tenant -> stored(tenant, tenant + 1, 1));
        IntStream.range(0, 50).forEach(i -> stored("d", "d" + i, i));

        assertEquals(20, looked(Scope.ALL, Turns.FIRST, 20).size());
    }

    @Test
    default void aProcessIsGivenTheRunsThatItOwnsOfAllTenants() {
        Stream.of("a", "b").forEach(tenant -> {
            for (String owner : List.of("process-1", "other")) {
                String run = tenant + " of " + owner;
                store().forTenant(tenant)
                        .append(start(recorded(run, 1, owner), facts(1)).status(RunStatus.SUSPENDED));
                store().forTenant(tenant)
                        .deliver(new Delivery(id(run), "cancel", Delivery.Kind.CANCEL, Json.of("x"), START));
            }
        });

        assertEquals(List.of("a of process-1", "b of process-1"), namesOf(looked(Scope.OWN, Turns.FIRST, 100)));
        assertEquals(List.of(), looked(Scope.NONE, Turns.FIRST, 100));
        assertEquals(
                List.of("a", "b", "a", "b"),
                looked(Scope.ALL, Turns.FIRST, 100).stream()
                        .map(RunRecord::tenantId)
                        .toList());
    }

    private List<RunRecord> looked(Scope scope, Turns turns, int limit) {
        return store().due(new DueRuns.Query("process-1", scope, START, turns, limit))
                .toWake();
    }

    private void stored(String tenant, String run, long second) {
        store().forTenant(tenant)
                .append(start(recorded(run, second, ""), facts(1)).status(RunStatus.PENDING));
    }

    private static RunRecord recorded(String run, long second, String owner) {
        return RunRecord.builder(id(run), "boss", owner, START.plusSeconds(second))
                .build();
    }

    private static List<String> namesOf(List<RunRecord> runs) {
        return runs.stream().map(run -> run.runId().value()).toList();
    }
}
