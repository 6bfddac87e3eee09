package dev.chargehand.jdbc;

import static dev.chargehand.jdbc.Runs.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.approval.WaitKind;
import dev.chargehand.jdbc.internal.sql.Dialect;
import dev.chargehand.jdbc.internal.sql.WaitingTable;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Append;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.WaitingCall;
import dev.chargehand.store.WaitingCall.WaitingFilter;
import dev.chargehand.store.WaitingCall.WaitingFilter.Listed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** However many calls wait, a page of them is one statement that reads an index, and has what a store in memory lists. */
@Timeout(120)
class WaitingListTest {

    private static final List<WaitingFilter> FILTERS = List.of(
            WaitingFilter.ALL.resource("ann").tool("mail"),
            WaitingFilter.ALL.resource("ann"),
            WaitingFilter.ALL.agent("writer"),
            WaitingFilter.ALL);

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource
    void pagesAreThoseOfAStoreInMemoryWhileCallsAreAnswered(Dialect dialect) {
        try (TestDatabase database = new TestDatabase(dialect, folder);
                JdbcStore store = database.open();
                InMemoryStore memory = InMemoryStore.create()) {
            Random random = new Random(24);
            for (int i = 0; i < 60; i++) {
                String tenant = i % 5 == 0 ? "b" : "a";
                for (Append append : tree(i, random)) {
                    store.forTenant(tenant).append(append);
                    memory.forTenant(tenant).append(append);
                }
            }
            for (String tenant : List.of("a", "b")) {
                for (WaitingFilter filter : FILTERS) {
                    compare(store.forTenant(tenant), memory.forTenant(tenant), filter, random);
                }
            }
        }
    }

    /** Read page by page, and answer a call of each page, in both. */
    private static void compare(Store store, Store memory, WaitingFilter filter, Random random) {
        WaitingFilter next = filter.limit(3 + random.nextInt(7));
        List<Listed> page = store.waiting(next);
        assertThat(page).as(filter.toString()).isNotEmpty();
        while (!page.isEmpty()) {
            assertThat(page).isEqualTo(memory.waiting(next));
            WaitingCall call = page.get(random.nextInt(page.size())).call();
            Delivery answer = new Delivery(
                    call.runId(), Delivery.idOf(call.callId(), 1), Delivery.Kind.APPROVAL, Json.of("yes"), START);
            assertThat(store.deliver(answer)).isEqualTo(memory.deliver(answer));
            next = next.after(page.getLast().position());
            page = store.waiting(next);
        }
        assertThat(memory.waiting(next)).isEmpty();
    }

    /** A run with a nested one, and calls of both, of which many wait since the same moment. */
    private static List<Append> tree(int i, Random random) {
        RunId top = new RunId("r" + i);
        RunId below = new RunId("n" + i);
        RunRecord root = RunRecord.builder(top, "boss", "me", START)
                .threadId("t" + i)
                .resourceId(i % 3 == 0 ? null : i % 2 == 0 ? "ann" : "bob")
                .build();
        RunRecord nested = RunRecord.builder(below, "writer", "me", START)
                .rootRunId(top)
                .parentRunId(top)
                .parentCallId("call 0")
                .path("boss/writer")
                .build();
        return List.of(
                Append.start(root, List.of(FactEntry.of("started", 1, "{}"))).waits(calls(top, random)),
                Append.start(nested, List.of(FactEntry.of("started", 1, "{}"))).waits(calls(below, random)));
    }

    private static List<WaitingCall> calls(RunId run, Random random) {
        List<WaitingCall> calls = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            calls.add(new WaitingCall(
                    run,
                    "call " + i,
                    new WaitingCall.Waiting(
                            List.of(WaitKind.values()).get(random.nextInt(4)),
                            1,
                            START.plusSeconds(random.nextInt(20)),
                            START.plusSeconds(9)),
                    random.nextBoolean() ? "mail" : "pay",
                    null,
                    Json.of("call " + i + " of " + run)));
        }
        return calls;
    }

    @ParameterizedTest
    @EnumSource
    void aPageIsOneStatementThatReadsAnIndex(Dialect dialect) {
        try (TestDatabase database = new TestDatabase(dialect, folder);
                JdbcStore store = database.open()) {
            database.execute("""
                    INSERT INTO runs (run_id, root_run_id, tenant_id, resource_id, agent_id, path, status, owner, epoch, length, started_at,
                        updated_at)
                    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
                    SELECT 'r' || i, 'r' || i, 't' || (i % 2), 'u' || (i % 40), 'boss', 'boss',
                        CASE i % 2 WHEN 0 THEN 'SUSPENDED' ELSE 'COMPLETED' END, 'me', 1, 1, 1, 1 FROM n""");
            database.execute("""
                    INSERT INTO waiting (run, tenant_id, resource_id, call_id, wait, kind, tool, expires_at, since)
                    SELECT id, tenant_id, resource_id, 'call', 1, 'APPROVAL', 'tool', 1, id FROM runs WHERE status = 'SUSPENDED'""");
            database.execute("ANALYZE");
            WaitingFilter after = WaitingFilter.ALL.after(
                    new WaitingFilter.Position(START.minusMillis(START.toEpochMilli()), new RunId("r"), "call"));

            assertThat(plan(store, dialect, after))
                    .contains(
                            dialect == Dialect.SQLITE
                                    ? "INDEX waiting_longest (tenant_id=? AND since>?)"
                                    : "using waiting_longest on waiting")
                    .doesNotContain("SCAN w\n", "SCAN r\n", "Seq Scan");
            assertThat(plan(store, dialect, after.resource("u2").agent("boss").tool("tool")))
                    .contains(
                            dialect == Dialect.SQLITE
                                    ? "INDEX waiting_longest_of_resources (tenant_id=? AND resource_id=? AND since>?)"
                                    : "using waiting_longest_of_resources on waiting")
                    .doesNotContain("SCAN w\n", "SCAN r\n", "Seq Scan");
        }
    }

    private static String plan(JdbcStore store, Dialect dialect, WaitingFilter filter) {
        return store.write(session -> {
            List<String> statements = new ArrayList<>();
            session.watch(statements::add);
            assertThat(new WaitingTable(dialect, "t0").list(session, filter.limit(50)))
                    .hasSize(50);
            assertThat(statements).hasSize(1);
            return QueryPlans.of(dialect, session, () -> new WaitingTable(dialect, "t0").list(session, filter));
        });
    }
}
