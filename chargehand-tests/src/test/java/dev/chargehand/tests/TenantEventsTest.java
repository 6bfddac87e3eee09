package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.TenantRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunListener;
import dev.chargehand.event.RunWatch;
import dev.chargehand.hook.IterationDecision;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunInfo;
import dev.chargehand.testkit.Script;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What users see of a run names its tenant. */
@Timeout(120)
class TenantEventsTest {

    private static final String ODD = "acme \"&\n; DROP TABLE runs; --" + "x".repeat(100 - 28);

    private final Queue<RunEvent> heard = new ConcurrentLinkedQueue<>();

    @TempDir
    Path folder;

    @Test
    void everyEventOfARunNamesItsTenant() {
        try (AgentRuntime runtime = runtime()) {
            TenantRuntime acme = runtime.forTenant(ODD);
            List<RunEvent> streamed = new ArrayList<>();
            RunResult run;
            try (RunStream stream = acme.agent("lead").stream(Errands.DELEGATE)) {
                stream.forEach(streamed::add);
                run = stream.result();
            }
            Waiting.until("the listener has heard the end", () -> heard.size() == streamed.size());

            assertNamed(ODD, streamed);
            assertNamed(ODD, List.copyOf(heard));
            assertNamed(ODD, acme.history(run.runId()));
            try (RunWatch watch = acme.watch(run.runId(), null)) {
                List<RunEvent> watched = new ArrayList<>();
                watch.forEach(watched::add);
                assertNamed(ODD, watched);
                assertThat(acme.watch(run.runId(), watch.cursor().orElseThrow())
                                .iterator()
                                .next()
                                .tenantId())
                        .isEqualTo(ODD);
            }
            assertThat(streamed.getFirst()
                            .toJson()
                            .at("/tenantId")
                            .orElseThrow()
                            .string())
                    .contains(ODD);
        }
    }

    @Test
    void eventsOfLocalAreTheSameAsWithoutTenants() {
        try (AgentRuntime runtime = runtime()) {
            RunResult run = runtime.agent("lead").generate(Errands.DELEGATE);

            List<RunEvent> history = runtime.history(run.runId());
            assertNamed("local", history);
            assertThat(history)
                    .noneMatch(event -> event.toJson().at("/tenantId").isPresent());
        }
    }

    @Test
    void hooksOfAllRunsOfATreeLearnTheTenant() {
        Queue<RunInfo> seen = new ConcurrentLinkedQueue<>();
        try (AgentRuntime runtime = runtime()) {
            RunResult run = runtime.forTenant("acme").agent("lead").generate(Errands.DELEGATE, o -> o.beforeToolCall(
                            call -> {
                                seen.add(call.run());
                                return ToolCallDecision.allow();
                            })
                    .onIterationComplete(iteration -> {
                        seen.add(iteration.run());
                        return IterationDecision.proceed();
                    }));

            assertThat(run.text()).isNotEmpty();
            assertThat(seen).isNotEmpty().extracting(RunInfo::tenantId).containsOnly("acme");
        }
    }

    @Test
    void toolsAndStepsLearnTheTenant() {
        List<String> seen = new ArrayList<>();
        Tool tool = Steps.tool("look", (in, context) -> {
            seen.add("tool " + context.tenantId());
            return "looked";
        });
        Workflow<Json, Json> workflow = Workflow.from("looking", Json.class)
                .then(Step.of("step", Json.class, Json.class, (in, context) -> {
                    seen.add("step " + context.tenantId());
                    return in;
                }))
                .then(Step.tool(tool))
                .build(Json.class);
        Script script = Scripts.on("solo").calls("look", "{}").then().says("Done");
        Agent solo =
                Agent.builder("solo").model(script.modelFor("solo")).tools(tool).build();
        try (AgentRuntime runtime =
                AgentRuntime.builder().agents(solo).workflows(workflow).build()) {
            TenantRuntime acme = runtime.forTenant("acme");
            acme.agent("solo").generate("Look");
            acme.run(workflow, Json.parse("{}"), o -> {});
        }
        assertThat(seen).containsExactly("tool acme", "step acme", "tool acme");
    }

    @Test
    void anApproverOfAnotherTenantMayNotAnswer() {
        try (AgentRuntime runtime = runtime()) {
            TenantRuntime acme = runtime.forTenant("acme");
            PendingApproval waiting = waiting(acme);

            assertThatThrownBy(() -> acme.approve(waiting, Approver.of("eve", "other")))
                    .isInstanceOfSatisfying(ApprovalException.class, e -> {
                        assertThat(e.code()).isEqualTo("approval-not-allowed");
                        assertThat(e).hasMessageContaining("another tenant");
                    });
            assertThat(acme.approve(waiting, Approver.of("ann", "acme"))
                            .result()
                            .text())
                    .isEqualTo("Done: delete");
            assertThat(acme.approve(waiting(acme), Approver.of("ann")).result().text())
                    .isEqualTo("Done: delete");
            PendingApproval local = waiting(runtime);
            assertThat(runtime.approve(local, Approver.of("ann", "any"))
                            .result()
                            .text())
                    .isEqualTo("Done: delete");
            assertNamed(
                    "acme",
                    heard.stream()
                            .filter(event -> event.runId().equals(waiting.runId()))
                            .toList());
        }
    }

    private static PendingApproval waiting(TenantRuntime runtime) {
        return runtime.agent("lead").generate(Errands.DELETE).pendingApprovals().getFirst();
    }

    private static void assertNamed(String tenant, List<RunEvent> events) {
        assertThat(events).isNotEmpty().extracting(RunEvent::tenantId).containsOnly(tenant);
    }

    private AgentRuntime runtime() {
        RunListener listener = heard::add;
        return AgentRuntime.builder()
                .store(JdbcStore.sqlite(folder.resolve("store.db")))
                .providers()
                .wakeups(Wakeups.off())
                .anyoneMayApprove()
                .addListener(listener)
                .agents(new Errands().lead())
                .build();
    }
}
