package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.TenantRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.spi.AccessCheck;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.store.WaitingCall.WaitingFilter;
import dev.chargehand.store.WaitingCall.WaitingFilter.Position;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.FaultyStore.Operation;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The calls of all runs that wait, listed from their rows: they are those that reading the runs one by one gives. */
@Timeout(120)
class ListedApprovalsTest {

    private static final Approver BOB = Approver.of("bob");

    private final Script script = ScriptedModel.script();
    private final List<AccessCheck.Access> seen = new ArrayList<>();
    private String denied = "nothing";
    private int threads;

    @TempDir
    Path folder;

    private Store store(boolean inMemory) {
        return inMemory ? InMemoryStore.keepingEndedRuns() : JdbcStore.sqlite(folder.resolve("store.db"));
    }

    /** Every run of the boss waits for a mail of its own and for two payments of its clerk. */
    private AgentRuntime runtime(Store store) {
        Agent clerk = Agent.builder("clerk")
                .description("Pays.")
                .model(script.modelFor("clerk"))
                .tools(tool("pay"))
                .build();
        Agent boss = Agent.builder("boss")
                .model(script.modelFor("boss"))
                .tools(tool("mail"))
                .agents(clerk)
                .build();
        return AgentRuntime.builder()
                .store(store)
                .agents(boss)
                .wakeups(Wakeups.off())
                .anyoneMayApprove()
                .build();
    }

    private static Tool tool(String name) {
        return Tool.builder(name, "Does it.")
                .input(Crew.ANYTHING)
                .requiresApproval()
                .handler((in, context) -> "done")
                .build();
    }

    private void start(TenantRuntime runtime, String resource) {
        script.on("boss").calls("agent-clerk", Map.of("prompt", "Pay.")).and().calls("mail", Map.of("to", resource));
        script.on("clerk").calls("pay", Map.of("amount", 1)).and().calls("pay", Map.of("amount", 2));
        var waits =
                runtime.agent("boss").generate("Go", o -> o.resource(resource).thread("t" + ++threads));
        assertThat(waits.pendingApprovals()).hasSize(3);
    }

    private static List<PendingApproval> runByRun(TenantRuntime runtime) {
        return runtime
                .runs(RunFilter.ROOTS
                        .statuses(RunStatus.SUSPENDED, RunStatus.RUNNING)
                        .limit(1000))
                .stream()
                .flatMap(run -> runtime.handle(run.runId()).pendingApprovals().stream())
                .sorted(Comparator.comparing(call -> new Position(call.askedAt(), call.runId(), call.callId())))
                .toList();
    }

    private static List<PendingApproval> pages(TenantRuntime runtime, WaitingFilter filter, int limit) {
        List<PendingApproval> all = new ArrayList<>();
        WaitingFilter next = filter.limit(limit);
        for (var page = runtime.pendingApprovals(next); !page.isEmpty(); page = runtime.pendingApprovals(next)) {
            assertThat(page).hasSizeLessThanOrEqualTo(limit);
            all.addAll(page);
            next = next.after(page.getLast());
        }
        return all;
    }

    private static List<PendingApproval> listed(TenantRuntime runtime) {
        List<PendingApproval> expected = runByRun(runtime);
        for (int limit : List.of(1, 2, 5, 100)) {
            assertThat(pages(runtime, WaitingFilter.ALL, limit)).isEqualTo(expected);
        }
        assertThat(pages(runtime, WaitingFilter.ALL.resource("ann"), 2))
                .isEqualTo(expected.stream()
                        .filter(call -> call.resourceId().filter("ann"::equals).isPresent())
                        .toList());
        assertThat(pages(runtime, WaitingFilter.ALL.agent("clerk"), 3))
                .isEqualTo(expected.stream()
                        .filter(call -> call.path().leaf().equals("clerk"))
                        .toList());
        assertThat(pages(runtime, WaitingFilter.ALL.tool("mail"), 1))
                .isEqualTo(expected.stream()
                        .filter(call -> call.toolName().equals("mail"))
                        .toList());
        return expected;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theListIsWhatReadingTheRunsOneByOneGives(boolean inMemory) {
        try (Store store = store(inMemory);
                AgentRuntime runtime = runtime(store)) {
            TenantRuntime acme = runtime.forTenant("acme");
            assertThat(listed(runtime)).isEmpty();
            for (String resource : List.of("ann", "cem", "ann", "dan")) {
                start(runtime, resource);
            }
            start(acme, "ann");
            List<PendingApproval> all = listed(runtime);
            assertThat(all).hasSize(12);
            assertThat(listed(acme)).hasSize(3);

            PendingApproval stored = of(all, "ann", "pay");
            runtime.storeAnswer(stored, ApprovalAnswer.approve(BOB));
            assertThat(listed(runtime))
                    .as("an answer that is not carried out")
                    .hasSize(11)
                    .doesNotContain(stored);

            var unused = runtime.approve(of(all, "cem", "mail"), BOB).result();
            assertThat(listed(runtime)).as("an answer that is carried out").hasSize(10);

            PendingApproval late = of(all, "dan", "pay");
            Delivery expiry = new Delivery(
                    late.runId(),
                    Delivery.idOf(late.callId(), late.waitNumber()),
                    Delivery.Kind.EXPIRY,
                    Json.of(Map.of()),
                    Instant.now());
            assertThat(store.deliver(expiry)).isEqualTo(new Delivery.Delivered.Accepted());
            assertThat(listed(runtime)).as("a call that expired").hasSize(9).doesNotContain(late);

            assertThat(runtime.cancel(of(all, "cem", "pay").rootRunId())).isTrue();
            assertThat(listed(runtime)).as("a run that is cancelled").hasSize(7);
            assertThat(listed(acme)).hasSize(3);
        }
    }

    private static PendingApproval of(List<PendingApproval> calls, String resource, String tool) {
        return calls.stream()
                .filter(call -> call.toolName().equals(tool))
                .filter(call -> calls.stream()
                        .anyMatch(other -> other.rootRunId().equals(call.rootRunId())
                                && other.resourceId().filter(resource::equals).isPresent()))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPageIsOneReadHoweverManyRunsWait(boolean inMemory) {
        FaultyStore store = FaultyStore.over(store(inMemory));
        try (store;
                AgentRuntime runtime = runtime(store)) {
            for (int i = 0; i < 20; i++) {
                start(runtime, "ann");
            }
            int pages = store.count(Operation.WAITING);
            int others = others(store);

            assertThat(runtime.pendingApprovals(WaitingFilter.ALL)).hasSize(60);
            assertThat(store.count(Operation.WAITING)).isEqualTo(pages + 1);

            assertThat(pages(runtime, WaitingFilter.ALL, 25)).hasSize(60);
            assertThat(store.count(Operation.WAITING)).isEqualTo(pages + 1 + 4);
            assertThat(others(store)).as("reads of runs").isEqualTo(others);
        }
    }

    private static int others(FaultyStore store) {
        return store.count(Operation.READ)
                + store.count(Operation.FIND)
                + store.count(Operation.LIST)
                + store.count(Operation.UNDRAINED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void callsOfRunsThatTheCallerMayNotReadAreLeftOutAndThePageIsFilled(boolean inMemory) {
        try (Store store = store(inMemory);
                AgentRuntime all = runtime(store);
                AgentRuntime checked = AgentRuntime.builder()
                        .store(store)
                        .wakeups(Wakeups.off())
                        .accessCheck(access -> {
                            seen.add(access);
                            return !access.resourceId().orElse("").equals(denied);
                        })
                        .build()) {
            for (String resource : List.of("ann", "cem", "cem", "ann", "cem")) {
                start(all, resource);
            }
            assertThat(checked.pendingApprovals(WaitingFilter.ALL)).hasSize(15);
            assertThat(seen).as("one question for each root run").hasSize(5);
            assertThat(seen).allMatch(access -> access.kind() == AccessCheck.Kind.RUN && !access.changes());

            denied = "ann";
            List<PendingApproval> expected = runByRun(checked);
            assertThat(expected).hasSize(9);
            for (int limit : List.of(1, 4, 9, 10)) {
                assertThat(checked.pendingApprovals(WaitingFilter.ALL.limit(limit)))
                        .isEqualTo(expected.subList(0, Math.min(limit, 9)));
                assertThat(pages(checked, WaitingFilter.ALL, limit)).isEqualTo(expected);
            }
            denied = "cem";
            assertThat(checked.pendingApprovals(WaitingFilter.ALL.limit(2))).hasSize(2);
            assertThat(checked.pendingApprovals(WaitingFilter.ALL.resource("cem")))
                    .isEmpty();
        }
    }
}
