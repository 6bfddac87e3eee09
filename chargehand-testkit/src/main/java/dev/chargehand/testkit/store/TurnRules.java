package dev.chargehand.testkit.store;

import static dev.chargehand.testkit.store.Samples.START;
import static dev.chargehand.testkit.store.Samples.facts;
import static dev.chargehand.testkit.store.Samples.id;
import static dev.chargehand.testkit.store.Samples.start;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.DueRuns;
import dev.chargehand.store.DueRuns.Scope;
import dev.chargehand.store.DueRuns.Turns;
import dev.chargehand.store.RunRecord;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tenants have their due runs looked at in turn, each the oldest first. */
interface TurnRules extends HasStore {

    @Test
    default void aTenantWithAThousandDueRunsKeepsNoOtherWaiting() {
        IntStream.range(0, 1_000).forEach(i -> pending("local", "big" + i, i));
        pending("small", "other", 1_000);

        for (Turns turns : List.of(Turns.FIRST, new Turns("big", Map.of()))) {
            List<RunRecord> first = due(Scope.ALL, turns, 100);
            assertEquals(100, first.size());
            assertEquals(
                    List.of("local", "small"),
                    first.stream().limit(2).map(RunRecord::tenantId).sorted().toList());
        }
    }

    @Test
    default void theOldestRunOfATenantIsTheFirst() {
        pending("local", "a", 3);
        pending("local", "b", 2);
        pending("local", "d", 1);
        pending("local", "c", 1);

        assertEquals(List.of("c", "d", "b", "a"), ids(due(Scope.ALL, Turns.FIRST, 100)));
    }

    @Test
    default void everyKindOfDueRunHasItsPlaceInTheOrder() {
        pending("local", "pending", 2);
        store().append(start(record("orphan", 1, "dead"), facts(1)));
        store().append(start(record("woken", 3, "dead"), facts(1)).status(RunStatus.SUSPENDED));
        store().deliver(new Delivery(id("woken"), "cancel", Delivery.Kind.CANCEL, Json.of("x"), START));

        assertEquals(List.of("orphan", "pending", "woken"), ids(due(Scope.ALL, Turns.FIRST, 100)));
        assertEquals(List.of("orphan", "pending"), ids(due(Scope.ALL, Turns.FIRST, 2)));
    }

    @Test
    default void theTurnBeginsAfterTheTenantThatHadTheLast() {
        Stream.of("a", "b", "c").forEach(tenant -> {
            pending(tenant, tenant + 1, 1);
            pending(tenant, tenant + 2, 2);
        });
        List<RunRecord> first = due(Scope.ALL, Turns.FIRST, 2);
        assertEquals(List.of("a1", "b1"), ids(first));

        Turns second = Turns.FIRST.after(first, 2, 2);
        assertEquals(List.of("c1", "a2"), ids(due(Scope.ALL, second, 2)));
        assertEquals(List.of("b1", "c1", "a2", "b2"), ids(due(Scope.ALL, Turns.FIRST.after(first, 1, 2), 4)));
    }

    @Test
    default void whatALookLeavesIsReadByTheNextAndThenTheFirstAgain() {
        IntStream.range(0, 5).forEach(i -> pending("local", "r" + i, i));

        Turns turns = Turns.FIRST;
        for (List<String> expected :
                List.of(List.of("r0", "r1"), List.of("r2", "r3"), List.of("r4"), List.of("r0", "r1"))) {
            List<RunRecord> found = due(Scope.ALL, turns, 2);
            assertEquals(expected, ids(found));
            turns = turns.after(found, found.size(), 2);
        }
    }

    @Test
    default void aTenantThatHasBeenReadToItsEndIsReadFromItsBeginningWhileOthersHaveMore() {
        pending("a", "a1", 1);
        IntStream.range(0, 4).forEach(i -> pending("b", "b" + i, i));

        List<RunRecord> first = due(Scope.ALL, Turns.FIRST, 2);
        assertEquals(List.of("a1", "b0"), ids(first));
        assertEquals(List.of("a1", "b1"), ids(due(Scope.ALL, Turns.FIRST.after(first, 2, 2), 2)));
    }

    @Test
    default void aLookIsFilledByTheTenantsThatHaveMore() {
        Stream.of("a", "b", "c").forEach(tenant -> pending(tenant, tenant + 1, 1));
        IntStream.range(0, 50).forEach(i -> pending("d", "d" + i, i));

        assertEquals(20, due(Scope.ALL, Turns.FIRST, 20).size());
    }

    @Test
    default void aProcessIsGivenTheRunsThatItOwnsOfAllTenants() {
        Stream.of("a", "b").forEach(tenant -> {
            for (String owner : List.of("process-1", "other")) {
                String run = tenant + " of " + owner;
                store().forTenant(tenant)
                        .append(start(record(run, 1, owner), facts(1)).status(RunStatus.SUSPENDED));
                store().forTenant(tenant)
                        .deliver(new Delivery(id(run), "cancel", Delivery.Kind.CANCEL, Json.of("x"), START));
            }
        });

        assertEquals(List.of("a of process-1", "b of process-1"), ids(due(Scope.OWN, Turns.FIRST, 100)));
        assertEquals(List.of(), due(Scope.NONE, Turns.FIRST, 100));
        assertEquals(
                List.of("a", "b", "a", "b"),
                due(Scope.ALL, Turns.FIRST, 100).stream()
                        .map(RunRecord::tenantId)
                        .toList());
    }

    private List<RunRecord> due(Scope scope, Turns turns, int limit) {
        return store().due(new DueRuns.Query("process-1", scope, START, turns, limit))
                .toWake();
    }

    private void pending(String tenant, String run, long second) {
        store().forTenant(tenant)
                .append(start(record(run, second, ""), facts(1)).status(RunStatus.PENDING));
    }

    private static RunRecord record(String run, long second, String owner) {
        return RunRecord.builder(id(run), "boss", owner, START.plusSeconds(second))
                .build();
    }

    private static List<String> ids(List<RunRecord> runs) {
        return runs.stream().map(run -> run.runId().value()).toList();
    }
}
