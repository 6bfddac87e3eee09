package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.TenantRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.spi.Lease;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.Script;
import dev.chargehand.tool.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A runtime whose lease gives each run a name of its own wakes the runs that it has executed, and no others. */
@Timeout(120)
class LeasedWakeupsTest {

    record None() {}

    private final ManualClock clock = new ManualClock();

    @TempDir
    Path folder;

    /** Gives each attempt at a run another name, as an engine does that assigns them. */
    private record Attempts(String worker, AtomicInteger attempt) implements Lease {

        @Override
        public String owner(RunId run) {
            return worker + ":" + run + ":" + attempt.incrementAndGet();
        }

        @Override
        public boolean mayTake(RunRecord run) {
            return false;
        }
    }

    @Test
    void aRunIsWokenByTheRuntimeThatExecutedItLast() {
        try (AgentRuntime mine = runtime("mine");
                AgentRuntime other = runtime("other")) {
            for (TenantRuntime tenant : new TenantRuntime[] {mine, mine.forTenant("acme")}) {
                RunResult waiting = tenant.agent("lead").generate("Go");
                RunResult foreign =
                        other.forTenant(tenant.tenantId()).agent("lead").generate("Go");

                cancelStored(waiting, tenant.tenantId());
                awaitStatus(waiting, tenant.tenantId(), RunStatus.ABORTED);

                assertThat(store(foreign, tenant.tenantId()).owner()).startsWith("other:");
                cancelStored(foreign, tenant.tenantId());
                awaitStatus(foreign, tenant.tenantId(), RunStatus.ABORTED);
                assertThat(store(foreign, tenant.tenantId()).owner()).startsWith("other:");
                assertThat(store(waiting, tenant.tenantId()).owner()).startsWith("mine:");
            }
        }
    }

    @Test
    void aCallWhoseTimeIsOverIsDeclinedHoweverManyOfOthersAreBeforeIt() {
        RunResult left;
        try (AgentRuntime gone = runtime("gone")) {
            left = gone.agent("lead").generate("Go");
            for (int more = 0; more < 100; more++) { // as many as one look reads
                assertThat(gone.agent("lead").generate("Go").status()).isEqualTo(RunStatus.SUSPENDED);
            }
        }
        try (AgentRuntime mine = runtime("mine")) {
            RunResult waiting = mine.agent("lead").generate("Go");
            clock.advance(Duration.ofHours(25));

            awaitStatus(waiting, Store.LOCAL, RunStatus.COMPLETED);
            RunResult next = mine.agent("lead").generate("Go");
            clock.advance(Duration.ofHours(25));
            awaitStatus(next, Store.LOCAL, RunStatus.COMPLETED);

            assertThat(store(left, Store.LOCAL).status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(mine.store().undrained(left.runId()))
                    .extracting(Delivery::kind)
                    .containsExactly(Delivery.Kind.EXPIRY);
        }
    }

    private RunRecord store(RunResult run, String tenant) {
        try (Store store = JdbcStore.sqlite(folder.resolve("store.db"))) {
            return store.forTenant(tenant).find(run.runId()).orElseThrow();
        }
    }

    /** Another process stores something for a run, and does not resume it. */
    private void cancelStored(RunResult run, String tenant) {
        PendingApproval waiting = run.pendingApprovals().getFirst();
        try (Store store = JdbcStore.sqlite(folder.resolve("store.db"))) {
            store.forTenant(tenant)
                    .deliver(new Delivery(
                            waiting.runId(),
                            "cancel",
                            Delivery.Kind.CANCEL,
                            Json.parse("{\"by\":\"test\"}"),
                            Instant.EPOCH));
        }
    }

    private void awaitStatus(RunResult run, String tenant, RunStatus status) {
        try (Store store = JdbcStore.sqlite(folder.resolve("store.db"))) {
            Waiting.until(
                    "run " + run.runId() + " is " + status,
                    () -> store.forTenant(tenant)
                                    .find(run.runId())
                                    .orElseThrow()
                                    .status()
                            == status);
        }
    }

    private AgentRuntime runtime(String worker) {
        Script script = Scripts.on(
                "lead",
                Turn.answers(request ->
                                request.messages().getLast().toolResults().isEmpty()
                                        ? Steps.calling("delete", "{}")
                                        : Steps.said("Done"))
                        .forever());
        Tool delete = Tool.builder("delete", "Deletes.")
                .input(None.class)
                .requiresApproval()
                .handler((in, context) -> "deleted")
                .build();
        return AgentRuntime.builder()
                .store(JdbcStore.sqlite(folder.resolve("store.db")))
                .providers()
                .timeSource(clock)
                .lease(new Attempts(worker, new AtomicInteger()))
                .wakeups(Wakeups.own())
                .anyoneMayApprove()
                .agents(Agent.builder("lead")
                        .instructions("Go.")
                        .model(script.modelFor("lead"))
                        .tools(delete)
                        .build())
                .build();
    }
}
