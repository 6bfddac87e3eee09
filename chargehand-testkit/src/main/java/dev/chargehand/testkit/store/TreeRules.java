package dev.chargehand.testkit.store;

import static dev.chargehand.error.StoreException.Kind.FENCED;
import static dev.chargehand.error.StoreException.Kind.NOT_FOUND;
import static dev.chargehand.testkit.store.Samples.ANN;
import static dev.chargehand.testkit.store.Samples.BOB;
import static dev.chargehand.testkit.store.Samples.START;
import static dev.chargehand.testkit.store.Samples.assertRefused;
import static dev.chargehand.testkit.store.Samples.child;
import static dev.chargehand.testkit.store.Samples.fact;
import static dev.chargehand.testkit.store.Samples.facts;
import static dev.chargehand.testkit.store.Samples.id;
import static dev.chargehand.testkit.store.Samples.more;
import static dev.chargehand.testkit.store.Samples.root;
import static dev.chargehand.testkit.store.Samples.say;
import static dev.chargehand.testkit.store.Samples.start;
import static dev.chargehand.testkit.store.Samples.texts;
import static dev.chargehand.testkit.store.Samples.toThread;
import static dev.chargehand.testkit.store.Samples.with;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.approval.WaitKind;
import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.Append;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.Delivery.Delivered;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.RunSummary;
import dev.chargehand.store.TreeFact;
import dev.chargehand.store.WaitingCall;
import dev.chargehand.testkit.store.Samples.HasStore;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** How the facts of a tree of runs are ordered, stored together and fenced, and what is derived from them. */
interface TreeRules extends HasStore {

    @Test
    default void theFactsOfATreeHaveTheOrderInWhichTheyWereStored() {
        assertEquals(1, store().append(start("r", fact("r0"))).treePosition());
        assertEquals(
                3,
                store().append(start(child("c", "r"), fact("c0"), fact("c1"))).treePosition());
        store().append(start("other", fact("elsewhere")));
        assertEquals(4, store().append(more("r", 1, 1, fact("r1"))).treePosition());
        assertEquals(5, store().append(nested("c", 2, fact("c2"))).treePosition());

        assertEquals(List.of("1 r 0 r0", "2 c 0 c0", "3 c 1 c1", "4 r 1 r1", "5 c 2 c2"), tree(0, 100));
        assertEquals(List.of("4 r 1 r1", "5 c 2 c2"), tree(3, 100));
        assertEquals(List.of("3 c 1 c1", "4 r 1 r1"), tree(2, 2));
        assertEquals(List.of(), tree(5, 100));
        assertEquals(List.of(), tree(Long.MAX_VALUE, 100));
        assertEquals(List.of(), store().readTree(id("missing"), 0, 100));
    }

    @Test
    default void appendsToSeveralRunsAreStoredInTheOrderOfTheList() {
        store().append(start("r", fact("r0")));
        store().append(start(child("c", "r"), fact("c0")));

        List<Append> together = List.of(
                nested("c", 1, fact("c1"), fact("c2")),
                start(child("d", "r"), fact("d0")),
                more("r", 1, 1, fact("r1")));
        assertEquals(6, store().append(together).treePosition());

        assertEquals(List.of("3 c 1 c1", "4 c 2 c2", "5 d 0 d0", "6 r 1 r1"), tree(2, 100));
        assertEquals(List.of("\"c0\"", "\"c1\"", "\"c2\""), texts(store(), "c"));
    }

    @Test
    default void nothingOfSeveralAppendsIsStoredIfOneIsRejected() {
        say(store(), "before", toThread("bobs", BOB, "m1"));
        store().append(start("r", fact("r0")));
        store().append(start(child("c", "r"), fact("c0")));

        Append behind = more("r", 1, 0, fact("behind"));
        assertRefused(FENCED, () -> store().append(List.of(nested("c", 1, fact("x")), behind)));
        Append foreign = with(more("r", 1, 1, fact("foreign")), toThread("bobs", ANN, "m2"));
        assertThrows(ThreadOwnershipException.class, () -> store().append(List.of(nested("c", 1, fact("x")), foreign)));
        Append missing = nested("nowhere", 1, fact("x"));
        assertRefused(NOT_FOUND, () -> store().append(List.of(more("r", 1, 1, fact("x")), missing)));

        assertEquals(List.of("1 r 0 r0", "2 c 0 c0"), tree(0, 100));
        assertEquals(3, store().append(more("r", 1, 1, fact("r1"))).treePosition());
    }

    @Test
    default void theEpochOfTheRootRunFencesItsNestedRuns() {
        store().append(start("r", facts(1)));
        store().append(start(child("c", "r"), facts(1)));
        store().claim(id("r"), 1, 1, "process-2");

        assertRefused(FENCED, () -> store().append(nested("c", 1, fact("late"))));
        assertRefused(FENCED, () -> store().append(start(child("d", "r"), fact("late"))));
        assertEquals(Optional.empty(), store().find(id("d")));

        Append mine = Append.to(
                        id("c"),
                        2,
                        1,
                        List.of(fact("mine")),
                        store().find(id("c")).orElseThrow().status(),
                        Samples.START)
                .rootRunId(id("r"));
        assertEquals(3, store().append(mine).treePosition());
        assertEquals(2, texts(store(), "c").size());
    }

    @Test
    default void aNestedRunNeedsItsRootRun() {
        assertRefused(NOT_FOUND, () -> store().append(start(child("c", "r"), fact("x"))));
        assertEquals(Optional.empty(), store().find(id("c")));
    }

    @Test
    default void theOrderOfATreeHasNoGapsWhileItsRunsAreWrittenAtOnce() throws InterruptedException {
        store().append(start("r", facts(1)));
        List<String> runs = List.of("a", "b", "c", "d");
        runs.forEach(run -> store().append(start(child(run, "r"), facts(1))));
        CountDownLatch ready = new CountDownLatch(runs.size());
        List<Thread> writers = new ArrayList<>();
        for (String run : runs) {
            writers.add(Thread.ofVirtual().start(() -> {
                ready.countDown();
                for (int i = 1; i <= 20; i++) {
                    store().append(nested(run, i, fact(run + i)));
                }
            }));
        }
        ready.await();
        for (Thread writer : writers) {
            writer.join();
        }

        List<TreeFact> all = store().readTree(id("r"), 0, 1000);
        assertEquals(
                LongStream.rangeClosed(1, 85).boxed().toList(),
                all.stream().map(TreeFact::position).toList());
        for (String run : runs) {
            List<Long> indexes = all.stream()
                    .filter(fact -> fact.runId().value().equals(run))
                    .map(TreeFact::index)
                    .toList();
            assertEquals(LongStream.rangeClosed(0, 20).boxed().toList(), indexes);
        }
    }

    private static Append nested(String run, long expectedLength, FactEntry... facts) {
        return more(run, 1, expectedLength, facts).rootRunId(id("r"));
    }

    private List<String> tree(long after, int limit) {
        return store().readTree(id("r"), after, limit).stream()
                .map(fact -> fact.position() + " " + fact.runId() + " " + fact.index() + " "
                        + fact.entry().text().replace("\"", ""))
                .toList();
    }

    /** Every run that an earlier version has stored and that has not ended. */
    RunFilter OUTDATED = RunFilter.ALL.outdated(true);

    /** A summary of which every value is unlike its default. */
    RunSummary WHOLE = RunSummary.of("network", "Why does\u0000 a boat \uD83D\uDE80 float?")
            .step(7)
            .version("2026\u0000-11")
            .usage(new Usage(Long.MAX_VALUE, 2, 3, 4), new BigDecimal("0.000123450"))
            .stop(Json.of(Map.of("code", "bailed", "agentId", "a\u0000b")));

    @Test
    default void aSummaryIsKeptWithAllItsParts() {
        store().append(start("r", facts(1)).summary(WHOLE));
        store().append(start(child("c", "r"), facts(1)).summary(RunSummary.of("agent", "")));

        assertEquals(
                Optional.of(root("r").advanced(RunStatus.RUNNING, 1, START).summarized(WHOLE)), store().find(id("r")));
        assertEquals(Optional.of(RunSummary.of("agent", "")), summary("c"));
        assertEquals(
                List.of(Optional.of(WHOLE), Optional.of(RunSummary.of("agent", ""))),
                store().list(RunFilter.ALL).stream().map(RunRecord::summary).toList());
        assertEquals(
                Optional.of(WHOLE), store().claim(id("r"), 1, 1, "process-2").summary());
    }

    @Test
    default void anAppendChangesTheSummary() {
        RunSummary first = RunSummary.of("agent", "Hello");
        RunSummary later = first.step(2).usage(Usage.of(10, 20), new BigDecimal("1.5"));
        RunSummary ended = later.stop(Json.of(Map.of("code", "finished")));
        store().append(start("r", facts(1)).summary(first));
        store().append(start(child("c", "r"), facts(1)).summary(first));

        store().append(more("r", 1, 1, facts(1)).summary(later));
        assertEquals(Optional.of(later), summary("r"));
        assertEquals(Optional.of(first), summary("c"));

        store().append(List.of(
                Append.to(id("c"), 1, 1, List.of(facts(1)), RunStatus.COMPLETED, START)
                        .rootRunId(id("r"))
                        .summary(ended),
                more("r", 1, 2, facts(1))));
        assertEquals(Optional.of(ended), summary("c"));
        assertEquals(Optional.of("finished"), summary("c").flatMap(RunSummary::stopCode));
        assertEquals(Optional.of(later), summary("r"), "an append without a summary leaves it as it is");
    }

    @Test
    default void runsWithoutDerivedValuesAreFoundUntilTheyAreStored() {
        store().append(start("whole", facts(1)).summary(WHOLE));
        store().append(start("r", facts(2)));
        store().append(start(child("c", "r"), facts(1)));
        store().append(start("ended", facts(1)).status(RunStatus.FAILED));
        assertEquals(List.of("r", "c"), outdated());
        assertEquals(Optional.empty(), summary("r"));

        assertFalse(store().index(derived("r", 1, 1)), "another length");
        assertFalse(store().index(derived("r", 2, 2)), "another epoch");
        assertFalse(store().index(derived("missing", 1, 0)));
        assertEquals(List.of("r", "c"), outdated());

        assertTrue(store().index(derived("r", 1, 2).expiresAt(START.plusSeconds(9))));
        assertTrue(store().index(derived("c", 1, 1).rootRunId(id("r"))));
        assertTrue(store().index(derived("ended", 1, 1)));
        assertEquals(List.of(), outdated());
        assertEquals(Optional.of(WHOLE), summary("r"));
        assertEquals(Optional.of(WHOLE), summary("c"));
        assertEquals(Optional.of(WHOLE), summary("ended"));
        assertEquals(
                Optional.of(START.plusSeconds(9)),
                store().find(id("r")).orElseThrow().expiresAt());
        assertEquals(RunStatus.FAILED, store().find(id("ended")).orElseThrow().status());
        assertEquals(2, store().find(id("r")).orElseThrow().length());
    }

    @Test
    default void theWaitingCallsOfARunThatWasStoredWithoutThemAreStoredOnce() {
        store().append(start("r", facts(2)));
        store().append(start("whole", facts(2)).summary(WHOLE));

        assertTrue(store().index(derived("r", 1, 2).waits(List.of(waiting("r", "call")))));
        assertTrue(store().index(derived("r", 1, 2).waits(List.of(waiting("r", "again")))));
        assertTrue(store().index(derived("whole", 1, 2).waits(List.of(waiting("whole", "call")))));

        assertEquals(List.of(waiting("r", "call")), store().waiting(id("r")));
        assertEquals(List.of(), store().waiting(id("whole")));
        assertEquals(new Delivered.Accepted(), store().deliver(answer("r")));
    }

    @Test
    default void aCallThatIsAnsweredIsNotAnsweredTwiceBecauseItsRunIsIndexed() {
        store().append(start("r", facts(1)).waits(List.of(waiting("r", "call"))));
        assertEquals(new Delivered.Accepted(), store().deliver(answer("r")));

        assertTrue(store().index(derived("r", 1, 1).waits(List.of(waiting("r", "call")))));

        assertEquals(List.of(), store().waiting(id("r")));
        assertEquals(1, store().undrained(id("r")).size());
    }

    @Test
    default void aRunThatIsWrittenMeanwhileIsIndexedAsItIs() {
        store().append(start("r", facts(1)));
        store().append(more("r", 1, 1, facts(1)).summary(RunSummary.of("agent", "Now")));

        assertFalse(store().index(derived("r", 1, 1)));
        assertEquals(Optional.of("Now"), summary("r").map(RunSummary::firstWords));
    }

    private Optional<RunSummary> summary(String run) {
        return store().find(id(run)).orElseThrow().summary();
    }

    private List<String> outdated() {
        return store().list(OUTDATED).stream().map(run -> run.runId().value()).toList();
    }

    private static Append derived(String run, long epoch, long length) {
        return Append.to(id(run), epoch, length, List.of(), RunStatus.RUNNING, START)
                .summary(WHOLE);
    }

    private static WaitingCall waiting(String run, String call) {
        return new WaitingCall(
                new RunId(run), call, new WaitingCall.Waiting(WaitKind.APPROVAL, 1, START, START), "tool", null, null);
    }

    private static Delivery answer(String run) {
        return new Delivery(
                id(run), Delivery.idOf("call", 1), Delivery.Kind.APPROVAL, Json.of("yes"), START.plusSeconds(1));
    }
}
