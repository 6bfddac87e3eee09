package dev.chargehand.testkit.store;

import static dev.chargehand.error.StoreException.Kind.FENCED;
import static dev.chargehand.error.StoreException.Kind.NOT_FOUND;
import static dev.chargehand.testkit.store.Samples.ANN;
import static dev.chargehand.testkit.store.Samples.BOB;
import static dev.chargehand.testkit.store.Samples.START;
import static dev.chargehand.testkit.store.Samples.assertRefused;
import static dev.chargehand.testkit.store.Samples.child;
import static dev.chargehand.testkit.store.Samples.facts;
import static dev.chargehand.testkit.store.Samples.id;
import static dev.chargehand.testkit.store.Samples.messageIds;
import static dev.chargehand.testkit.store.Samples.more;
import static dev.chargehand.testkit.store.Samples.root;
import static dev.chargehand.testkit.store.Samples.say;
import static dev.chargehand.testkit.store.Samples.start;
import static dev.chargehand.testkit.store.Samples.texts;
import static dev.chargehand.testkit.store.Samples.toThread;
import static dev.chargehand.testkit.store.Samples.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.approval.WaitKind;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.IdempotencyKeyException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.Append.IdempotencyKey;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.Delivery.Delivered;
import dev.chargehand.store.DueRuns;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.RunSummary;
import dev.chargehand.store.Store;
import dev.chargehand.store.WaitingCall;
import dev.chargehand.testkit.store.Samples.HasStore;
import dev.chargehand.thread.ThreadChange;
import dev.chargehand.thread.ThreadRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What belongs to another tenant is missing. */
interface TenantRules extends HasStore {

    private Store acme() {
        return store().forTenant("acme");
    }

    @Test
    default void aStoreIsThatOfTheTenantLocal() {
        store().append(start("r", facts(1)));
        store().forTenant("local").append(more("r", 1, 1, facts(1)));

        assertEquals(2, store().read(id("r"), 0).size());
        assertEquals("local", store().find(id("r")).orElseThrow().tenantId());
        assertEquals(Optional.empty(), acme().find(id("r")));
        assertEquals(store().find(id("r")), acme().forTenant("local").find(id("r")));
    }

    @Test
    default void theIdOfATenantHas1To128Characters() {
        for (String valid : List.of("x", "ä".repeat(128), "a b/c:'\"%")) {
            Store tenant = store().forTenant(valid);
            tenant.append(start(valid, facts(1)));
            assertEquals(valid, tenant.find(id(valid)).orElseThrow().tenantId());
        }
        for (String invalid : List.of("", "x".repeat(129))) {
            assertThrows(ConfigurationException.class, () -> store().forTenant(invalid));
        }
    }

    @Test
    default void aRunBelongsToTheTenantOfItsStoreWhateverItsRecordSays() {
        acme().append(start(
                RunRecord.builder(id("r"), "boss", "process-1", START)
                        .tenantId("local")
                        .build(),
                facts(1)));

        assertEquals("acme", acme().find(id("r")).orElseThrow().tenantId());
        assertEquals(Optional.empty(), store().find(id("r")));
    }

    @Test
    default void theIdsOfRunsAreUniqueInTheWholeStore() {
        store().append(start("r", facts(1)));

        assertRefused(FENCED, () -> acme().append(start("r", facts(2))));
        assertEquals(List.of(), acme().read(id("r"), 0));
        assertEquals(1, store().read(id("r"), 0).size());
    }

    @Test
    default void theRunOfAnotherTenantIsReadLikeAMissingOne() {
        aTree();

        assertEquals(Optional.empty(), acme().find(id("r")));
        assertEquals(List.of(), acme().read(id("r"), 0));
        assertEquals(List.of(), acme().readTree(id("r"), 0, 100));
        assertEquals(List.of(), acme().undrained(id("r")));
        assertEquals(List.of(), acme().waiting(id("r")));
        assertEquals(3, store().readTree(id("r"), 0, 100).size());
        assertEquals(1, store().undrained(id("r")).size());
        assertEquals(1, store().waiting(id("r")).size());
    }

    @Test
    default void theRunOfAnotherTenantIsNotWrittenTo() {
        aTree();
        RunRecord before = store().find(id("r")).orElseThrow();
        long seen = before.length();

        assertRefused(NOT_FOUND, () -> acme().append(more("r", 1, seen, facts(1))));
        assertRefused(NOT_FOUND, () -> acme().append(more("c", 1, 1, facts(1)).rootRunId(id("r"))));
        assertRefused(NOT_FOUND, () -> acme().append(start(child("new", "r"), facts(1))));
        assertRefused(NOT_FOUND, () -> acme().claim(id("r"), 1, seen, "thief"));
        assertRefused(NOT_FOUND, () -> acme().claimToWake(id("r"), 1, seen, "thief", START));
        assertRefused(NOT_FOUND, () -> acme().release(id("r"), 1));
        assertEquals(new Delivered.NotWaiting(), acme().deliver(message("r")));
        assertEquals(new Delivered.NotWaiting(), acme().deliver(answer()));
        assertFalse(acme().index(Append.to(id("r"), 1, seen, List.of(), RunStatus.RUNNING, START)
                .summary(RunSummary.of("agent", "stolen"))));

        assertEquals(Optional.of(before), store().find(id("r")));
        assertEquals(3, store().readTree(id("r"), 0, 100).size());
        assertEquals(1, store().undrained(id("r")).size());
        assertEquals(new Delivered.Accepted(), store().deliver(answer()));
    }

    @Test
    default void aTreeOfATenantTakesNoRunOfAnother() {
        aTree();
        acme().append(start("own", facts(1)));

        assertRefused(NOT_FOUND, () -> acme().append(more("c", 1, 1, facts(1)).rootRunId(id("own"))));
        assertFalse(acme().index(Append.to(id("c"), 1, 1, List.of(), RunStatus.RUNNING, START)
                .rootRunId(id("own"))
                .summary(RunSummary.of("agent", "stolen"))));

        assertEquals(1, store().find(id("c")).orElseThrow().length());
        assertEquals(1, acme().readTree(id("own"), 0, 9).size());
    }

    @Test
    default void aRunOfADeadOwnerIsDueOnce() {
        for (String tenant : List.of("acme", "local", "zoo")) {
            store().forTenant(tenant).append(start("run of " + tenant, facts(1)));
        }

        assertEquals(List.of("run of acme", "run of local", "run of zoo"), due());
    }

    /** A root run with a nested one, a delivery that has not been read and a call that waits. */
    private void aTree() {
        store().append(start("r", facts(1)));
        store().append(start(child("c", "r"), facts(1)));
        store().append(more("r", 1, 1, facts(1)).waits(List.of(waiting())));
        store().deliver(message("r"));
    }

    private static WaitingCall waiting() {
        return waiting("r", START);
    }

    private static WaitingCall waiting(String run, Instant expiresAt) {
        return new WaitingCall(
                id(run), "call", new WaitingCall.Waiting(WaitKind.APPROVAL, 1, START, expiresAt), "tool", null, null);
    }

    private static Delivery message(String run) {
        return new Delivery(id(run), "m", Delivery.Kind.MESSAGE, Json.of("Hello"), START);
    }

    private static Delivery answer() {
        return new Delivery(id("r"), "call.1", Delivery.Kind.APPROVAL, Json.of("yes"), START);
    }

    @Test
    default void aListHasTheRunsOfOneTenantAndThatForTheOperatorAll() {
        List<RunFilter> filters = List.of(
                RunFilter.ALL,
                RunFilter.ROOTS,
                RunFilter.ALL.statuses(RunStatus.RUNNING, RunStatus.PENDING),
                RunFilter.ALL.thread("t"),
                RunFilter.ALL.resource("ann"),
                RunFilter.ALL.agent("boss"),
                RunFilter.ALL.outdated(true),
                RunFilter.ALL.startedFrom(START),
                RunFilter.ALL.expiringBefore(START.plusSeconds(9)));
        for (String tenant : List.of("acme", "local", "zoo")) {
            RunRecord run = RunRecord.builder(id("run of " + tenant), "boss", "process-1", START)
                    .threadId("t")
                    .resourceId("ann")
                    .build();
            store().forTenant(tenant).append(start(run, facts(1)).expiresAt(START));
        }

        for (RunFilter filter : filters) {
            assertEquals(List.of("run of acme"), runs(acme().list(filter)), filter.toString());
            assertEquals(
                    List.of("run of zoo", "run of local", "run of acme"),
                    runs(acme().listOfAllTenants(filter)),
                    filter.toString());
            RunFilter next = filter.before(id("run of zoo")).limit(1);
            assertEquals(List.of("run of local"), runs(store().listOfAllTenants(next)), filter.toString());
        }
        assertEquals(List.of(), acme().list(RunFilter.ALL.tree(id("run of local"))));
        assertRefused(NOT_FOUND, () -> acme().list(RunFilter.ALL.before(id("run of local"))));
        assertRefused(NOT_FOUND, () -> acme().listOfAllTenants(RunFilter.ALL.before(id("missing"))));
    }

    private static List<String> runs(List<RunRecord> runs) {
        return runs.stream().map(run -> run.runId().value()).toList();
    }

    @Test
    default void twoTenantsHaveThreadsOfOneId() {
        say(store(), "r1", toThread("t", ANN, "mine"));
        say(acme(), "r2", toThread("t", BOB, "theirs"));

        assertEquals(List.of("mine"), messageIds(store(), "t", ANN));
        assertEquals(List.of("theirs"), messageIds(acme(), "t", BOB));
        assertEquals(ANN, store().findThread("t").orElseThrow().owner());
        assertEquals(BOB, acme().findThread("t").orElseThrow().owner());
        assertThrows(ThreadOwnershipException.class, () -> messageIds(acme(), "t", ANN));
        assertTrue(store().deleteThread("t", ANN));
        assertEquals(List.of("theirs"), messageIds(acme(), "t", BOB));
    }

    @Test
    default void idsThatAreTheSameTextTogetherAreOfDifferentThreads() {
        store().forTenant("a").append(with(start("r1", facts(1)), toThread("b:c", ANN, "first")));
        store().forTenant("ab").append(with(start("r2", facts(1)), toThread(":c", ANN, "second")));
        store().forTenant("a:").append(with(start("r3", facts(1)), toThread("bc", ANN, "third")));

        assertEquals(List.of("first"), messageIds(store().forTenant("a"), "b:c", ANN));
        assertEquals(List.of("second"), messageIds(store().forTenant("ab"), ":c", ANN));
        assertEquals(List.of("third"), messageIds(store().forTenant("a:"), "bc", ANN));
    }

    @Test
    default void theThreadOfAnotherTenantIsMissing() {
        say(store(), "r", toThread("t", ANN, "m"));
        ThreadRecord before = store().findThread("t").orElseThrow();

        assertEquals(Optional.empty(), acme().findThread("t"));
        assertEquals(List.of(), acme().readThread("t", ANN, Long.MAX_VALUE, 9));
        assertEquals(List.of(), acme().readThread("t", BOB, Long.MAX_VALUE, 9));
        assertEquals(List.of(), acme().readThreadFrom("t", ANN, 0, 9));
        assertEquals(List.of(), acme().listThreads("ann", 0, 9));
        assertRefused(NOT_FOUND, () -> acme().changeThread("t", ANN, new ThreadChange().title("x"), START));
        ThreadRecord copy = ThreadRecord.builder("copy", ANN, START).build();
        assertRefused(NOT_FOUND, () -> acme().copyThread("t", Long.MAX_VALUE, copy));
        assertFalse(acme().deleteThread("t", ANN));

        assertEquals(Optional.of(before), store().findThread("t"));
        assertEquals(List.of("m"), messageIds(store(), "t", ANN));
        assertEquals(List.of(before), store().listThreads("ann", 0, 9));
        assertTrue(acme().createThread(ThreadRecord.builder("t", BOB, START).build()));
    }

    @Test
    default void runsOfTwoTenantsHaveTheThreadsOfOneIdAtOnce() {
        store().heartbeat("process-1", Duration.ofHours(1));
        store().append(taking("r1"));
        acme().append(taking("r2"));
        assertThrows(ThreadBusyException.class, () -> acme().append(taking("r3")));
        store().append(pending("waits", "t"));
        store().append(pending("next", "u"));
        acme().append(taking("r4", "u"));

        assertEquals(List.of("next"), due());
        assertThrows(ThreadBusyException.class, () -> store().claim(id("waits"), 1, 1, "process-1"));
        store().claim(id("next"), 1, 1, "process-1");
        acme().append(pending("first", "v"));
        store().append(pending("second", "v"));

        assertEquals(List.of("first", "second"), due());
        store().claim(id("second"), 1, 1, "process-1");
    }

    private List<String> due() {
        return runs(store().due(new DueRuns.Query("other", DueRuns.Scope.ALL, START, DueRuns.Turns.FIRST, 9))
                .toWake());
    }

    private static Append taking(String run) {
        return taking(run, "t");
    }

    private static Append taking(String run, String thread) {
        return start(onThread(run, thread), facts(1)).takesThread(true);
    }

    private static Append pending(String run, String thread) {
        return start(onThread(run, thread), facts(1)).status(RunStatus.PENDING);
    }

    private static RunRecord onThread(String run, String thread) {
        return RunRecord.builder(id(run), "boss", "process-1", START)
                .threadId(thread)
                .resourceId("ann")
                .build();
    }

    @Test
    default void aThreadIsDeletedAlthoughARunOfAnotherTenantUsesOneOfItsId() {
        say(acme(), "r1", toThread("t", ANN, "m"));
        acme().append(more("r1", 1, 0, facts(1)).status(RunStatus.COMPLETED));
        store().append(taking("r2"));

        assertTrue(acme().deleteThread("t", ANN));
    }

    @Test
    default void aKeyCountsForItsTenant() {
        store().append(start("r1", facts(1)).idempotencyKey(new IdempotencyKey("key", "digest")));
        acme().append(start("r2", facts(1)).idempotencyKey(new IdempotencyKey("key", "digest")));

        assertEquals(
                List.of("r1", "r2"),
                Stream.of(store(), acme())
                        .map(store -> assertThrows(
                                IdempotencyKeyException.class,
                                () -> store.append(
                                        start("r3", facts(1)).idempotencyKey(new IdempotencyKey("key", "x")))))
                        .map(IdempotencyKeyException::runId)
                        .toList());
    }

    @Test
    default void aKeyThatIsOldForItsTenantStaysThatOfAnother() {
        Instant later = START.plus(IdempotencyKey.VALIDITY).plusSeconds(60);
        acme().append(start("r1", facts(1)).idempotencyKey(new IdempotencyKey("key", "digest")));
        store().append(startAt("r2", later).idempotencyKey(new IdempotencyKey("other key", "digest")));
        store().append(startAt("r3", later).idempotencyKey(new IdempotencyKey("key", "digest")));

        IdempotencyKeyException used = assertThrows(IdempotencyKeyException.class, () -> acme().append(
                        start("r4", facts(1)).idempotencyKey(new IdempotencyKey("key", "digest"))));
        assertEquals("r1", used.runId());
    }

    private static Append startAt(String run, Instant at) {
        return start(RunRecord.builder(id(run), "boss", "process-1", at).build(), facts(1));
    }

    @Test
    default void aCallWhoseTimeIsOverIsReportedWithItsTenant() {
        acme().append(start("r", facts(1)).waits(List.of(waiting())));

        assertEquals(
                List.of(new DueRuns.Expired("acme", waiting())),
                store().due(new DueRuns.Query("process-1", DueRuns.Scope.OWN, START, DueRuns.Turns.FIRST, 9))
                        .expired());
        assertEquals(List.of(), store().waiting(id("r")));
        assertEquals(List.of(waiting()), acme().waiting(id("r")));
    }

    @Test
    default void callsOfTenantsExpireInTurn() {
        for (String run : List.of("a", "b", "c")) {
            acme().append(start(run, facts(1)).waits(List.of(waiting(run, START))));
        }
        Instant last = START.plusSeconds(9);
        store().append(start("r", facts(1)).waits(List.of(waiting("r", last))));

        assertEquals(
                List.of("acme", "local"),
                store()
                        .due(new DueRuns.Query("process-1", DueRuns.Scope.OWN, last, DueRuns.Turns.FIRST, 2))
                        .expired()
                        .stream()
                        .map(DueRuns.Expired::tenantId)
                        .toList());
    }

    @Test
    default void ownersAndChangesAreThoseOfTheWholeStore() {
        acme().heartbeat("process-1", Duration.ofHours(1));
        assertTrue(store().isAlive("process-1"));

        long seen = store().awaitChange(0, Duration.ZERO);
        acme().append(start(root("r"), facts(1)));
        acme().release(id("r"), 1);
        assertNotEquals(seen, store().awaitChange(seen, Duration.ofMinutes(1)));
        assertEquals(List.of("\"fact 0\""), texts(acme(), "r"));
    }
}
