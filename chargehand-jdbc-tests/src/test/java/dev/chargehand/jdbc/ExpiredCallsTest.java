package dev.chargehand.jdbc;

import static dev.chargehand.jdbc.Runs.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.approval.WaitKind;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.jdbc.internal.sql.due.DueTable;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Append;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.DueRuns;
import dev.chargehand.store.DueRuns.Expired;
import dev.chargehand.store.DueRuns.Scope;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.WaitingCall;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** However many calls have expired, a look reads pages of indexes, and it finds what a store in memory finds. */
@Timeout(120)
class ExpiredCallsTest {

    private static final Instant NOW = START.plus(Duration.ofDays(1));

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void aLookFindsWhatAStoreInMemoryFinds(Dialect dialect) {
        try (TestDatabase database = new TestDatabase(dialect, folder);
                JdbcStore store = database.open();
                InMemoryStore memory = InMemoryStore.create()) {
            List<Append> runs = runsWithCalls();
            for (int i = 0; i < runs.size(); i++) {
                String tenant = "tenant " + (i % 7 == 0 ? 'b' : i % 11 == 0 ? 'c' : 'a');
                store.forTenant(tenant).append(runs.get(i));
                memory.forTenant(tenant).append(runs.get(i));
            }
            for (int limit : List.of(1, 2, 7, 30, 10, 60)) {
                for (Scope scope : Scope.values()) {
                    List<Expired> found = expired(store, scope, limit);
                    assertThat(found).as(scope + " " + limit).isEqualTo(expired(memory, scope, limit));
                    found.subList(0, found.size() / 2).forEach(each -> {
                        assertThat(answer(store, each)).isEqualTo(answer(memory, each));
                    });
                }
            }
            assertThat(expired(store, Scope.ALL, 1_000))
                    .hasSizeBetween(10, 200)
                    .isEqualTo(expired(memory, Scope.ALL, 1_000));
        }
    }

    /** Runs of two owners, with calls of which a few are not late; some runs have two. */
    private static List<Append> runsWithCalls() {
        Random random = new Random(23);
        List<Append> runs = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            RunId run = new RunId("r" + i);
            List<WaitingCall> calls = new ArrayList<>();
            for (int call = 0; call <= i % 2; call++) {
                Instant expiry = START.plusMillis(
                        random.nextInt((int) Duration.ofHours(26).toMillis()));
                calls.add(new WaitingCall(
                        run,
                        "call " + call,
                        new WaitingCall.Waiting(WaitKind.APPROVAL, 1, START, expiry),
                        "tool",
                        null,
                        null));
            }
            RunRecord record = RunRecord.builder(run, "boss", i % 3 == 0 ? "other" : "me", START)
                    .build();
            runs.add(Append.start(record, List.of(FactEntry.of("started", 1, "{}")))
                    .waits(calls));
        }
        return runs;
    }

    private static List<Expired> expired(Store store, Scope scope, int limit) {
        return store.due(new DueRuns.Query("me", scope, NOW, DueRuns.Turns.FIRST, limit))
                .expired();
    }

    private static Delivery.Delivered answer(Store store, Expired each) {
        WaitingCall call = each.call();
        return store.forTenant(each.tenantId())
                .deliver(new Delivery(
                        call.runId(),
                        Delivery.idOf(call.callId(), call.waitNumber()),
                        Delivery.Kind.EXPIRY,
                        Json.of("over"),
                        NOW));
    }

    @ParameterizedTest
    @EnumSource
    void aLookReadsPagesOfIndexes(Dialect dialect) {
        try (TestDatabase database = new TestDatabase(dialect, folder);
                JdbcStore store = database.open()) {
            database.execute("""
                    INSERT INTO runs (run_id, root_run_id, tenant_id, agent_id, path, status, owner, epoch, length, started_at, updated_at)
                    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
                    SELECT 'r' || i, 'r' || i, 't' || (i % 20), 'boss', 'boss', 'SUSPENDED', 'me', 1, 1, 1, 1 FROM n""");
            database.execute("""
                    INSERT INTO waiting (run, tenant_id, call_id, wait, kind, tool, expires_at)
                    SELECT id, tenant_id, 'call', 1, 'APPROVAL', 'tool', id FROM runs""");
            database.execute("ANALYZE");

            for (Scope scope : List.of(Scope.OWN, Scope.ALL)) {
                DueRuns.Query query = new DueRuns.Query("me", scope, START, DueRuns.Turns.FIRST, 100);
                String plans = store.write(session ->
                        QueryPlans.of(dialect, session, () -> assertThat(new DueTable(dialect, Duration.ofMinutes(1))
                                        .due(session, query, START)
                                        .expired())
                                .hasSize(100)));
                assertThat(plans)
                        .contains(
                                dialect == Dialect.SQLITE
                                        ? new String[] {
                                            "INDEX waiting_to_expire (expires_at<?)",
                                            "INDEX waiting_of_tenants (tenant_id>?)",
                                            "INDEX waiting_of_tenants (tenant_id=? AND expires_at<?)"
                                        }
                                        : new String[] {
                                            "Index Scan using waiting_to_expire",
                                            "Index Only Scan using waiting_of_tenants",
                                            "Index Cond: ((tenant_id = $1) AND (expires_at <= $2))"
                                        })
                        .doesNotContain("SCAN waiting\n", "Seq Scan on waiting");
            }
        }
    }
}
