package dev.chargehand.testkit.store;

import static dev.chargehand.error.StoreException.Kind.FENCED;
import static dev.chargehand.testkit.store.Samples.START;
import static dev.chargehand.testkit.store.Samples.assertRefused;
import static dev.chargehand.testkit.store.Samples.child;
import static dev.chargehand.testkit.store.Samples.facts;
import static dev.chargehand.testkit.store.Samples.id;
import static dev.chargehand.testkit.store.Samples.more;
import static dev.chargehand.testkit.store.Samples.start;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.approval.WaitKind;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.Delivery.Delivered;
import dev.chargehand.store.Delivery.Kind;
import dev.chargehand.store.DueRuns;
import dev.chargehand.store.DueRuns.Scope;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.WaitingCall;
import dev.chargehand.testkit.store.Samples.HasStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a process has to do for runs: what has expired, what it has not read, which runs it resumes; and that it notices. */
interface DueRules extends HasStore {

    String MINE = "process-1";
    Instant EXPIRY = START.plus(Duration.ofHours(1));

    @Test
    default void aCallWhoseTimeIsOverIsFoundUntilItIsAnswered() {
        store().append(start("r", facts(1)));
        store().append(start(child("c", "r"), facts(1)).waits(List.of(waiting("c", "late", EXPIRY.plusSeconds(1)))));
        store().append(more("r", 1, 1, facts(1)).waits(List.of(waiting("r", "call", EXPIRY))));

        assertEquals(List.of(), expired(due(Scope.OWN, EXPIRY.minusMillis(1))));
        assertEquals(List.of(), expired(due(Scope.NONE, EXPIRY)));
        assertEquals(List.of(), expired(due("other", Scope.OWN, EXPIRY)));
        List<WaitingCall> both = List.of(waiting("r", "call", EXPIRY), waiting("c", "late", EXPIRY.plusSeconds(1)));
        assertEquals(both.subList(0, 1), expired(due(Scope.OWN, EXPIRY)));
        assertEquals(both, expired(due("other", Scope.ALL, EXPIRY.plusSeconds(1))));

        store().deliver(new Delivery(id("r"), "call.1", Kind.EXPIRY, Json.of("over"), EXPIRY));
        assertEquals(both.subList(1, 2), expired(due(Scope.OWN, EXPIRY.plusSeconds(1))));
    }

    @Test
    default void ofAnAnswerAndTheExpiryOneIsStored() throws InterruptedException {
        for (int round = 1; round <= 10; round++) {
            String run = "r" + round;
            store().append(start(run, facts(1)).waits(List.of(waiting(run, "call", EXPIRY))));
            Queue<Delivered> delivered = new ConcurrentLinkedQueue<>();
            CountDownLatch go = new CountDownLatch(1);
            List<Thread> threads = Stream.of(Kind.APPROVAL, Kind.EXPIRY)
                    .map(kind -> new Delivery(id(run), "call.1", kind, Json.of(kind.name()), EXPIRY))
                    .map(delivery -> Thread.ofPlatform().start(() -> {
                        await(go);
                        delivered.add(store().deliver(delivery));
                    }))
                    .toList();
            go.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            List<Delivery> stored = store().undrained(id(run));
            assertEquals(1, stored.size());
            assertEquals(
                    List.of(
                            new Delivered.Accepted(),
                            new Delivered.Duplicate(stored.getFirst().digest())),
                    delivered.stream()
                            .sorted(Comparator.comparing(each -> !(each instanceof Delivered.Accepted)))
                            .toList());
        }
    }

    private static void await(CountDownLatch go) {
        try {
            go.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    default void theUnreadDeliveriesOfRunningTreesAreCountedForTheirOwner() {
        store().append(start("r", facts(1)));
        store().append(start(child("c", "r"), facts(1)));
        store().append(start("waits", facts(1)).status(RunStatus.SUSPENDED));
        Stream.of("r", "c", "waits").forEach(run -> store().deliver(message(run)));

        assertEquals(Map.of(id("r"), 2L), due(Scope.NONE, START).undrained());
        assertEquals(Map.of(), due("other", Scope.ALL, START).undrained());
    }

    @Test
    default void aSuspendedRunIsDueWhenSomethingThatWakesItIsDelivered() {
        store().append(start("r", facts(1)).waits(List.of(waiting("r", "call", EXPIRY))));
        store().append(more("r", 1, 1, facts(1)).status(RunStatus.SUSPENDED));
        store().deliver(message("r"));
        assertEquals(List.of(), wakes(due(Scope.OWN, START)));

        store().deliver(new Delivery(id("r"), "call.1", Kind.APPROVAL, Json.of("yes"), START));

        assertEquals(List.of("r"), wakes(due(Scope.OWN, START)));
        assertEquals(List.of("r"), wakes(due("other", Scope.ALL, START)));
        assertEquals(List.of(), wakes(due("other", Scope.OWN, START)));
        assertEquals(List.of(), wakes(due(Scope.NONE, START)));
    }

    @Test
    default void aRunningRunIsDueWhenItsOwnerIsDeadOrHasReleasedIt() {
        store().heartbeat(MINE, Duration.ofHours(1));
        store().append(start("a", facts(1)));
        store().append(start("b", facts(1)));
        assertEquals(List.of(), wakes(due("other", Scope.ALL, START)));
        assertEquals(List.of(MINE), due("other", Scope.ALL, START).owners());

        store().release(id("b"), 1);
        assertEquals(List.of("b"), wakes(due("other", Scope.ALL, START)));
        store().heartbeat(MINE, Duration.ZERO);
        assertEquals(List.of("a", "b"), wakes(due("other", Scope.ALL, START)));
        assertEquals(List.of(), wakes(due("other", Scope.OWN, START)));
        assertEquals(List.of(), due("other", Scope.ALL, START).owners());
    }

    @Test
    default void anAttemptIsCountedUntilTheRunMakesProgress() {
        store().append(start("r", facts(1)));
        store().append(start(child("c", "r"), facts(1)));
        Instant next = START.plusSeconds(1);

        RunRecord claimed = store().claimToWake(id("r"), 1, 1, "other", next);

        assertEquals(1, claimed.attempts());
        assertEquals("other", claimed.owner());
        assertEquals(Optional.of(claimed), store().find(id("r")));
        assertRefused(FENCED, () -> store().claimToWake(id("r"), 1, 1, MINE, next));
        assertEquals(List.of(), wakes(due(Scope.ALL, next.minusMillis(1))));
        assertEquals(List.of("r"), wakes(due(Scope.ALL, next)));

        store().append(more("r", 2, 1, facts(1)).takesThread(true));
        assertEquals(1, store().find(id("r")).orElseThrow().attempts());
        assertEquals(2, store().claimToWake(id("r"), 2, 2, MINE, next).attempts());
        store().append(more("c", 3, 1, facts(1)).rootRunId(id("r")));
        assertEquals(0, store().find(id("r")).orElseThrow().attempts());
        assertEquals(List.of("r"), wakes(due("other", Scope.ALL, START)));
    }

    private DueRuns due(Scope scope, Instant now) {
        return due(MINE, scope, now);
    }

    private DueRuns due(String owner, Scope scope, Instant now) {
        return store().due(new DueRuns.Query(owner, scope, now, DueRuns.Turns.FIRST, 100));
    }

    private static List<WaitingCall> expired(DueRuns due) {
        return due.expired().stream().map(DueRuns.Expired::call).toList();
    }

    private static List<String> wakes(DueRuns due) {
        return due.toWake().stream().map(run -> run.runId().value()).toList();
    }

    @Test
    default void attemptsHaveATimeOfTheirOwn() {
        store().append(start("r", facts(1)).waits(List.of(waiting("r", "call", EXPIRY))));
        store().append(more("r", 1, 1, facts(1)).status(RunStatus.SUSPENDED));
        store().deliver(new Delivery(id("r"), "call.1", Kind.APPROVAL, Json.of("yes"), START));
        RunRecord seen = store().find(id("r")).orElseThrow();
        store().claimToWake(id("r"), seen.epoch(), seen.length(), MINE, EXPIRY);

        assertEquals(List.of(), wakes(triedAt(EXPIRY.minusMillis(1), EXPIRY.plusSeconds(1))));
        assertEquals(List.of("r"), wakes(triedAt(EXPIRY, START)));
    }

    private DueRuns triedAt(Instant retries, Instant now) {
        return store().due(new DueRuns.Query("other", Scope.ALL, now, retries, DueRuns.Turns.FIRST, 100));
    }

    private static Delivery message(String run) {
        return new Delivery(id(run), "m", Kind.MESSAGE, Json.of("Hello"), START);
    }

    private static WaitingCall waiting(String run, String call, Instant expiry) {
        return new WaitingCall(
                id(run), call, new WaitingCall.Waiting(WaitKind.APPROVAL, 1, START, expiry), "tool", null, null);
    }

    Duration LONG = Duration.ofMinutes(1);

    @Test
    default void theFirstWaitEndsAtOnceAndOneWithoutAChangeEndsInTime() {
        long seen = quiet(store());

        assertNotEquals(0, seen);
        assertEquals(seen, store().awaitChange(seen, Duration.ofMillis(1)));
    }

    @Test
    default void aDeliveryAReleaseAndAnEndWakeEveryWaitingThread() {
        store().append(start("r", facts(1)));
        assertWakes(() -> store().deliver(new Delivery(id("r"), "m", Delivery.Kind.MESSAGE, Json.of("Hello"), START)));
        assertWakes(() -> store().release(id("r"), 1));
        assertWakes(() -> store().append(more("r", 2, 1, facts(1)).status(RunStatus.COMPLETED)));
    }

    @Test
    default void anAppendIsNoticedToo() {
        store().append(start("r", facts(1)));
        assertWakes(() -> store().append(more("r", 1, 1, facts(1))));
    }

    @Test
    default void aChangeBeforeTheWaitEndsItAtOnce() {
        long seen = quiet(store());
        store().append(start("r", facts(1)));

        assertNotEquals(seen, store().awaitChange(seen, LONG));
    }

    @Test
    default void anInterruptEndsTheWait() {
        long seen = quiet(store());
        CompletableFuture<Boolean> kept = new CompletableFuture<>();
        Thread waiting = Thread.ofPlatform().start(() -> {
            store().awaitChange(seen, LONG);
            kept.complete(Thread.currentThread().isInterrupted());
        });
        waiting.interrupt();
        assertTrue(kept.join(), "the interrupt is kept");
    }

    private void assertWakes(Runnable change) {
        long seen = quiet(store());
        List<CompletableFuture<Long>> waiting = List.of(waiting(seen), waiting(seen));
        change.run();
        waiting.forEach(each -> assertNotEquals(seen, each.join()));
    }

    private CompletableFuture<Long> waiting(long seen) {
        CompletableFuture<Long> ended = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> ended.complete(store().awaitChange(seen, LONG)));
        return ended;
    }

    /** Wait until nothing changes any more. */
    private static long quiet(Store store) {
        long seen = 0;
        for (long now = store.awaitChange(seen, Duration.ZERO);
                now != seen;
                now = store.awaitChange(seen, Duration.ofMillis(600))) {
            seen = now;
        }
        return seen;
    }
}
