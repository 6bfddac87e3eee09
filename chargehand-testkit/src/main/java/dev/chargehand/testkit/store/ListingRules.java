package dev.chargehand.testkit.store;

import static dev.chargehand.error.StoreException.Kind.NOT_FOUND;
import static dev.chargehand.testkit.store.Samples.START;
import static dev.chargehand.testkit.store.Samples.assertRefused;
import static dev.chargehand.testkit.store.Samples.child;
import static dev.chargehand.testkit.store.Samples.facts;
import static dev.chargehand.testkit.store.Samples.id;
import static dev.chargehand.testkit.store.Samples.more;
import static dev.chargehand.testkit.store.Samples.root;
import static dev.chargehand.testkit.store.Samples.start;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Append;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.testkit.store.Samples.HasStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which runs a filter finds, in which order, and page by page. */
interface ListingRules extends HasStore {

    /** Every run. */
    RunFilter ALL = RunFilter.ALL.limit(1000);

    @Test
    default void theNewestRunComesFirst() {
        store().append(start(root("middle", START.plusMillis(1)), facts(1)));
        store().append(start(root("oldest", START), facts(1)));
        store().append(start(root("newest", START.plusMillis(2)), facts(1)));

        assertEquals(List.of("newest", "middle", "oldest"), list(RunFilter.ROOTS));
    }

    @Test
    default void runsOfOneMomentComeInTheOrderOfTheirIds() {
        for (String run : List.of("b", "d", "a", "c")) {
            store().append(start(run, facts(1)));
        }

        assertEquals(List.of("d", "c", "b", "a"), list(RunFilter.ROOTS));
    }

    @Test
    default void aFilterFindsRunsByStatus() {
        for (RunStatus status : RunStatus.values()) {
            store().append(withStatus(root("run-" + status), status));
        }

        assertEquals(RunStatus.values().length, list(ALL).size());
        assertEquals(List.of("run-FAILED"), list(ALL.statuses(RunStatus.FAILED)));
        assertEquals(
                List.of("run-SUSPENDED", "run-RUNNING"), list(ALL.statuses(RunStatus.RUNNING, RunStatus.SUSPENDED)));
        assertEquals(
                RunStatus.values().length,
                list(ALL.statuses(RunStatus.values())).size());
    }

    @Test
    default void aFilterFindsRootRunsOrATree() {
        store().append(start("r", facts(1)));
        store().append(start("s", facts(1)));
        store().append(start(child("r-child", "r"), facts(1)));
        store().append(start(child("s-child", "s"), facts(1)));

        assertEquals(List.of("s", "r"), list(RunFilter.ROOTS));
        assertEquals(List.of("r-child", "r"), list(RunFilter.ROOTS.tree(id("r"))));
        assertEquals(List.of("s-child", "s", "r-child", "r"), list(ALL));
        assertEquals(List.of(), list(ALL.tree(id("r-child"))));
    }

    @Test
    default void aFilterFindsRunsByThreadAndResource() {
        store().append(start(speaking("a", "t1", "ann"), facts(1)));
        store().append(start(speaking("b", "t2", "ann"), facts(1)));
        store().append(start(speaking("c", "t1", "bob"), facts(1)));
        store().append(start(speaking("d", null, null), facts(1)));

        assertEquals(List.of("c", "a"), list(ALL.thread("t1")));
        assertEquals(List.of("b", "a"), list(ALL.resource("ann")));
        assertEquals(List.of("a"), list(ALL.resource("ann").thread("t1")));
        assertEquals(List.of(), list(ALL.resource("nobody")));
    }

    @Test
    default void aFilterFindsRunsByAgentAndStart() {
        store().append(start(root("a", START), facts(1)));
        store().append(start(root("b", START.plusMillis(1)), facts(1)));
        store().append(start(root("c", START.plusMillis(2)), facts(1)));
        store().append(start(child("d", "a"), facts(1)));

        assertEquals(List.of("d"), list(ALL.agent("writer")));
        assertEquals(List.of("c", "b", "a"), list(ALL.agent("boss")));
        assertEquals(List.of(), list(ALL.agent("bos")));
        assertEquals(List.of("c", "b"), list(RunFilter.ROOTS.startedFrom(START.plusMillis(1))));
        assertEquals(List.of("a"), list(RunFilter.ROOTS.startedBefore(START.plusMillis(1))));
        RunFilter both = ALL.agent("boss").startedFrom(START.plusMillis(1)).startedBefore(START.plusMillis(2));
        assertEquals(List.of("b"), list(both));
        assertEquals(
                List.of("b"),
                list(ALL.agent("boss").startedFrom(START.plusMillis(1)).before(id("c"))));
        assertEquals(
                List.of("b"),
                list(both.startedFrom(Instant.MIN)
                        .startedBefore(Instant.MAX)
                        .before(id("c"))
                        .limit(1)));
    }

    @Test
    default void aFilterFindsRunsWhoseAnswerExpiresBeforeAMoment() {
        store().append(start("never", facts(1)));
        store().append(waiting(root("early"), START.plusSeconds(1)));
        store().append(waiting(root("late"), START.plusSeconds(2)));
        store().append(waiting(child("nested", "late"), START.plusSeconds(1)));

        assertEquals(List.of(), list(ALL.expiringBefore(START)));
        assertEquals(List.of(), list(ALL.expiringBefore(START.plusSeconds(1))));
        assertEquals(List.of("nested", "early"), list(ALL.expiringBefore(START.plusMillis(1001))));
        assertEquals(List.of("early"), list(RunFilter.ROOTS.expiringBefore(START.plusSeconds(2))));
        assertEquals(List.of("late", "early"), list(RunFilter.ROOTS.expiringBefore(START.plusMillis(2001))));
        assertEquals(List.of("nested", "late", "early"), list(ALL.expiringBefore(Instant.MAX)));
        assertEquals(List.of(), list(ALL.expiringBefore(Instant.MIN)));
    }

    @Test
    default void aFilterFindsRunsThatHaveNotEndedBelowOneThatHas() {
        store().append(withStatus(root("ended"), RunStatus.ABORTED));
        store().append(start("alive", facts(1)));
        store().append(withStatus(child("ended-waits", "ended"), RunStatus.SUSPENDED));
        store().append(withStatus(child("ended-works", "ended"), RunStatus.RUNNING));
        store().append(withStatus(child("ended-too", "ended"), RunStatus.COMPLETED));
        store().append(withStatus(child("alive-waits", "alive"), RunStatus.SUSPENDED));
        store().append(waiting(child("ended-expires", "ended"), START.plusSeconds(1)));

        assertEquals(List.of("ended-works", "ended-waits", "ended-expires"), list(ALL.leftBelow(true)));
        assertEquals(List.of("ended-works"), list(ALL.leftBelow(true).statuses(RunStatus.RUNNING)));
        assertEquals(List.of("ended-expires"), list(ALL.leftBelow(true).expiringBefore(Instant.MAX)));
        assertEquals(List.of(), list(RunFilter.ROOTS.leftBelow(true)));
    }

    @Test
    default void aRunThatWaitsNoLongerIsNotFoundByItsExpiry() {
        store().append(waiting(root("r"), START.plusSeconds(1)));

        store().append(more("r", 1, 1, facts(1)));

        assertEquals(List.of(), list(ALL.expiringBefore(Instant.MAX)));
    }

    @Test
    default void expiringRunsAreReadByPagesToo() {
        for (int i = 0; i < 20; i++) {
            String run = "run-%02d".formatted(i);
            store().append(i % 4 == 0 ? start(run, facts(1)) : waiting(root(run), START.plusSeconds(100 - i)));
        }
        RunFilter expiring = RunFilter.ROOTS
                .statuses(RunStatus.SUSPENDED)
                .expiringBefore(START.plusSeconds(95))
                .limit(4);

        List<String> first = list(expiring);
        assertEquals(List.of("run-19", "run-18", "run-17", "run-15"), first);
        assertEquals(List.of("run-14", "run-13", "run-11", "run-10"), list(expiring.before(id(first.getLast()))));
        assertEquals(List.of("run-07", "run-06"), list(expiring.before(id("run-09"))));
    }

    @Test
    default void allPartsOfAFilterHaveToMatch() {
        store().append(withStatus(speaking("a", "t", "ann"), RunStatus.COMPLETED));
        store().append(withStatus(speaking("b", "t", "ann"), RunStatus.RUNNING));
        store().append(withStatus(speaking("c", "t", "bob"), RunStatus.COMPLETED));
        store().append(withStatus(child("d", "a"), RunStatus.COMPLETED));

        assertEquals(
                List.of("a"),
                list(RunFilter.ROOTS.statuses(RunStatus.COMPLETED).thread("t").resource("ann")));
        assertEquals(List.of("d"), list(ALL.tree(id("a")).resource("ann").thread("thread-of-d")));
    }

    @Test
    default void pagesHaveNeitherGapsNorDoubles() {
        IntStream.range(0, 25)
                .forEach(i -> store().append(start(root("run-%02d".formatted(i), START.plusMillis(i / 4)), facts(1))));

        List<String> whole = list(ALL);
        assertEquals(25, whole.size());
        for (int size : List.of(1, 4, 7, 25)) {
            assertEquals(whole, pages(size));
        }
    }

    @Test
    default void aRunThatStartsMeanwhileDoesNotShiftThePages() {
        IntStream.range(0, 4).forEach(i -> store().append(start("run-" + i, facts(1))));
        List<String> first = list(ALL.limit(2));
        store().append(start(root("new", START.plusSeconds(1)), facts(1)));

        assertEquals(List.of("run-3", "run-2"), first);
        assertEquals(List.of("run-1", "run-0"), list(ALL.limit(2).before(id(first.getLast()))));
    }

    @Test
    default void aPageMayBeginAfterARunThatTheFilterLeavesOut() {
        IntStream.range(0, 4).forEach(i -> store().append(
                        withStatus(root("run-" + i), i == 2 ? RunStatus.FAILED : RunStatus.RUNNING)));

        assertEquals(
                List.of("run-1", "run-0"), list(ALL.statuses(RunStatus.RUNNING).before(id("run-2"))));
    }

    @Test
    default void aPageAfterARunThatIsNotThereIsRefused() {
        assertRefused(NOT_FOUND, () -> store().list(ALL.before(id("nobody"))));
    }

    private List<String> pages(int size) {
        List<String> all = new ArrayList<>();
        List<String> page = list(ALL.limit(size));
        while (!page.isEmpty()) {
            all.addAll(page);
            page = list(ALL.limit(size).before(id(page.getLast())));
        }
        return all;
    }

    private List<String> list(RunFilter filter) {
        return store().list(filter).stream().map(run -> run.runId().value()).toList();
    }

    private static Append withStatus(RunRecord run, RunStatus status) {
        return Append.start(run, List.of(facts(1))).status(status);
    }

    private static Append waiting(RunRecord run, Instant expiresAt) {
        return withStatus(run, RunStatus.SUSPENDED).expiresAt(expiresAt);
    }

    private static RunRecord speaking(String run, @Nullable String thread, @Nullable String resource) {
        return RunRecord.builder(id(run), "boss", "process-1", START)
                .threadId(thread)
                .resourceId(resource)
                .build();
    }
}
