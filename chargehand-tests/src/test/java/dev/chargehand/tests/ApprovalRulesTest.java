package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What makes a call wait for a human, and who may answer. */
class ApprovalRulesTest extends ApprovalFixture {

    @Test
    void whoMayNotAnswerIsRefused() {
        try (TestRuntime test = TestRuntime.builder(deletesOnce())
                .agents(lead(delete()))
                .approverCheck((approval, approver) -> {
                    if (approver.id().equals("bob")) {
                        throw new IllegalStateException("The directory is down.");
                    }
                    return "acme".equals(approver.tenant());
                })
                .build()) {
            PendingApproval approval = test.agent("lead")
                    .generate("Go", o -> o.requester("ann").selfApproval(false))
                    .pendingApprovals()
                    .getFirst();

            refused(ApprovalException.Kind.NOT_ALLOWED, () -> test.runtime()
                    .approve(approval, Approver.of("ann", "acme"))
                    .result());
            refused(ApprovalException.Kind.NOT_ALLOWED, () -> test.runtime()
                    .approve(approval, Approver.of("eve", "other"))
                    .result());
            refused(ApprovalException.Kind.NOT_ALLOWED, () -> test.runtime()
                    .approve(approval, Approver.of("bob", "acme"))
                    .result());
            assertThat(deleted).isEmpty();

            test.runtime().approve(approval, Approver.of("eve", "acme")).result();
            assertThat(deleted).containsExactly("r1");
        }
    }

    @Test
    void whoDecidedIsOnRecord() {
        try (TestRuntime test = runtime(deletesOnce(), lead(delete()))) {
            PendingApproval approval = test.agent("lead")
                    .generate("Go", o -> o.requester("rob"))
                    .pendingApprovals()
                    .getFirst();
            test.runtime().approve(approval, Approver.of("ann", "acme")).result();

            List<String> facts = test.store().read(approval.runId(), 0).stream()
                    .map(fact -> fact.type() + " " + fact.text())
                    .toList();
            assertThat(facts).anySatisfy(fact -> assertThat(fact)
                    .startsWith("call-parked")
                    .contains("\"requester\":\"rob\"", approval.digest()));
            assertThat(facts).anySatisfy(fact -> assertThat(fact)
                    .startsWith("call-decided")
                    .contains("\"answer\":\"APPROVED\"", "\"approver\":\"ann\"", "\"tenant\":\"acme\""));
        }
    }

    @Test
    void aRunMayRequireApprovalOfAllItsToolsNestedOnesIncluded() {
        Script script = Scripts.of(
                Turns.of("supervisor", Turn.delegates("researcher", "Go"), Turn.says("All done")),
                Turns.of("researcher", Turn.calls("ok", Map.of()), Turn.says("Done")));
        try (TestRuntime test = runtime(script, Crew.supervisorOf(Crew.member("researcher", Crew.OK)))) {
            RunResult waiting = test.agent("supervisor").generate("Go", o -> o.requireToolApproval(true));
            assertThat(waiting.pendingApprovals())
                    .extracting(PendingApproval::toolName)
                    .containsExactly("ok");

            assertThat(test.runtime()
                            .approve(waiting.pendingApprovals().getFirst(), ANN)
                            .result()
                            .text())
                    .isEqualTo("All done");
        }
    }

    @Test
    void aRunsPolicyHoldsForNestedRunsAndOneThatThrowsMeansApproval() {
        Script script = Scripts.of(
                Turns.of("supervisor", Turn.delegates("researcher", "Go"), Turn.says("All done")),
                Turns.of(
                        "researcher",
                        Turn.calls("ok", Map.of()).and(Turn.calls("look", Map.of("q", "x"))),
                        Turn.says("Done")));
        try (TestRuntime test = runtime(script, Crew.supervisorOf(Crew.member("researcher", Crew.OK, Crew.LOOK)))) {
            RunResult waiting = test.agent("supervisor")
                    .generate(
                            "Go",
                            o -> o.requireToolApproval(call -> {
                                if (call.toolName().equals("look")) {
                                    throw new IllegalStateException("policy broke");
                                }
                                return false;
                            }));
            assertThat(waiting.pendingApprovals())
                    .extracting(PendingApproval::toolName)
                    .containsExactly("look");
            assertThat(names(test.events())).contains("hook-error");
        }
    }

    @Test
    void aToolMayRequireApprovalForSomeArgumentsOnly() {
        Script script = Scripts.on(
                "lead",
                Turn.calls("deleteRecord", Map.of("id", "draft"))
                        .and(Turn.calls("deleteRecord", Map.of("id", "final")))
                        .and(Turn.calls("deleteRecord", Map.of("id", "odd"))));
        Tool tool = deleting()
                .requiresApproval(in -> {
                    if (in.id().equals("odd")) {
                        throw new IllegalStateException("cannot say");
                    }
                    return in.id().equals("final");
                })
                .build();
        try (TestRuntime test = runtime(script, lead(tool))) {
            RunResult waiting = test.agent("lead").generate("Go");
            assertThat(deleted).containsExactly("draft");
            assertThat(waiting.pendingApprovals())
                    .extracting(approval -> approval.arguments().text())
                    .containsExactly("{\"id\":\"final\"}", "{\"id\":\"odd\"}");
        }
    }

    @Test
    void aGuardThatRefusesAsksNoHuman() {
        Script script = Scripts.on("lead", Turn.calls("deleteRecord", Map.of("id", "r1")), Turn.says("Refused"));
        AtomicInteger asked = new AtomicInteger();
        try (TestRuntime test = runtime(script, lead(delete()))) {
            RunResult done = test.agent("lead")
                    .generate(
                            "Go",
                            o -> o.beforeToolCall(call -> {
                                asked.incrementAndGet();
                                return ToolCallDecision.deny("never");
                            }));
            assertThat(done.text()).isEqualTo("Refused");
            assertThat(asked).hasValue(1);
        }
    }

    @Test
    void aGuardIsAskedOnceThoughTheCallWaited() {
        AtomicInteger asked = new AtomicInteger();
        try (TestRuntime test = runtime(deletesOnce(), lead(delete()))) {
            RunResult waiting = test.agent("lead")
                    .generate(
                            "Go",
                            o -> o.beforeToolCall(call -> {
                                asked.incrementAndGet();
                                return ToolCallDecision.allow();
                            }));
            test.runtime().approve(waiting.pendingApprovals().getFirst(), ANN).result();
            assertThat(asked).hasValue(1);
        }
    }
}
