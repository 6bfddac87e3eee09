package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.delegation.BailStrategy;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.IdSource;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolCallDecision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls that wait for a human: at any depth, several at once, answered once, in time and by whom it is allowed. */
class ApprovalTest {

    private static final Approver ANN = Approver.of("ann");

    record Delete(String id) {}

    private final Queue<String> deleted = new ConcurrentLinkedQueue<>();

    private Tool delete() {
        return deleting().requiresApproval().build();
    }

    private Tool.Builder<Delete> deleting() {
        return Tool.builder("deleteRecord", "Deletes a record.")
                .input(Delete.class)
                .handler((in, context) -> {
                    deleted.add(in.id());
                    return Map.of("deleted", in.id());
                });
    }

    @Test
    void anApprovedCallIsExecutedAndTheRunGoesOn() {
        Script script = ScriptedModel.script()
                .on("lead")
                .calls("deleteRecord", Map.of("id", "r1"))
                .then()
                .says("Deleted");
        try (TestRuntime test = runtime(script, lead(delete()))) {
            RunResult waiting = test.agent("lead")
                    .generate("Do the task", o -> o.resource("u1").thread("t1"));

            assertThat(waiting.status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(waiting.stopReason()).isEqualTo(new StopReason.Suspended());
            assertThat(waiting.text()).isEmpty();
            assertThat(deleted).isEmpty();
            PendingApproval approval = waiting.pendingApprovals().getFirst();
            assertThat(approval.toolName()).isEqualTo("deleteRecord");
            assertThat(approval.arguments()).isEqualTo(Json.of(Map.of("id", "r1")));
            assertThat(approval.requester()).isEqualTo("u1");
            assertThat(approval.path()).hasToString("lead");
            assertThat(PendingApproval.fromJson(approval.toJson())).isEqualTo(approval);
            assertThat(test.runtime().pendingApprovals(waiting.runId())).containsExactly(approval);

            RunResult done = test.runtime().approve(approval, ANN);

            assertThat(done.runId()).isEqualTo(waiting.runId());
            assertThat(done.text()).isEqualTo("Deleted");
            assertThat(done.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(done.pendingApprovals()).isEmpty();
            assertThat(deleted).containsExactly("r1");
            assertThat(test.runtime().pendingApprovals(waiting.runId())).isEmpty();
        }
    }

    @Test
    void theModelSeesWhyACallWasDeclined() {
        Script script = ScriptedModel.script()
                .on("lead")
                .calls("deleteRecord", Map.of("id", "r1"))
                .then()
                .answers(request -> Steps.said(Wire.line(request.messages().getLast())));
        try (TestRuntime test = runtime(script, lead(delete()))) {
            PendingApproval approval = pending(test);
            RunResult done = test.runtime().decline(approval, ANN, "no way");

            assertThat(done.text()).contains("was not approved", "no way").doesNotContain("ann");
            assertThat(deleted).isEmpty();
            assertThat(names(test.events()))
                    .containsSubsequence(
                            "tool-call-approval", "run-suspend", "run-resume", "tool-output-denied", "tool-error");
        }
    }

    @Test
    void anAnswerIsTakenOnce() {
        try (TestRuntime test = runtime(deletesOnce(), lead(delete()))) {
            PendingApproval approval = pending(test);
            test.runtime().approve(approval, ANN);

            refused(ApprovalException.Kind.ALREADY_DECIDED, () -> test.runtime().approve(approval, ANN));
            refused(ApprovalException.Kind.ALREADY_DECIDED, () -> test.runtime().decline(approval, ANN, "late"));
            assertThat(deleted).containsExactly("r1");
        }
    }

    @Test
    void anAnswerIsTakenOnceThoughTheStoreForgetsWhatHasEnded() {
        try (TestRuntime test = TestRuntime.builder(deletesOnce())
                .store(InMemoryStore.create())
                .agents(lead(delete()))
                .build()) {
            PendingApproval approval = pending(test);
            test.runtime().approve(approval, ANN);

            refused(ApprovalException.Kind.ALREADY_DECIDED, () -> test.runtime().approve(approval, ANN));
        }
    }

    @Test
    void whatARunThatWaitsHasSpentCountsForTheBudgetOfItsTree() {
        Script script = ScriptedModel.script()
                .on("supervisor")
                .delegates("researcher", "Delete r1")
                .and()
                .delegates("writer", "Delete r2")
                .on("researcher")
                .calls("deleteRecord", Map.of("id", "r1"))
                .then()
                .says("Deleted r1")
                .on("writer")
                .calls("deleteRecord", Map.of("id", "r2"));
        try (TestRuntime test = runtime(script, both(delete()))) {
            RunResult waiting = test.agent("supervisor").generate("Go", o -> o.budget(b -> b.calls(3)));
            RunResult still = test.runtime().approve(waiting.pendingApprovals().getFirst(), ANN);

            // supervisor, researcher and writer have spent it: nothing is left for the researcher's answer
            assertThat(deleted).containsExactly("r1");
            assertThat(script.requestsOf("researcher")).hasSize(1);
            assertThat(still.pendingApprovals()).hasSize(1);
        }
    }

    @Test
    void anAnswerIsForTheCallThatWasShown() {
        try (TestRuntime test = runtime(deletesOnce(), lead(delete()))) {
            PendingApproval approval = pending(test);
            Json other = Json.of(Map.of("id", "r2"));

            refused(ApprovalException.Kind.ARGUMENTS_CHANGED, () -> test.runtime()
                    .approve(changed(approval, json -> json.put("arguments", other)), ANN));
            refused(ApprovalException.Kind.ARGUMENTS_CHANGED, () -> test.runtime()
                    .approve(changed(approval, json -> json.put("digest", "0".repeat(64))), ANN));
            refused(ApprovalException.Kind.ARGUMENTS_CHANGED, () -> test.runtime()
                    .approve(changed(approval, json -> json.put("toolName", "read")), ANN));
            refused(ApprovalException.Kind.UNKNOWN, () -> test.runtime()
                    .approve(changed(approval, json -> json.put("callId", "call_x")), ANN));
            refused(ApprovalException.Kind.UNKNOWN, () -> test.runtime()
                    .approve(changed(approval, json -> json.put("rootRunId", "run_x")), ANN));
            refused(ApprovalException.Kind.UNKNOWN, () -> test.runtime()
                    .approve(changed(approval, json -> json.put("round", 2)), ANN));
            refused(ApprovalException.Kind.INVALID_ANSWER, () -> test.runtime().resume(approval, "data"));
            assertThat(deleted).isEmpty();

            test.runtime().approve(approval, ANN);
            assertThat(deleted).containsExactly("r1");
        }
    }

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
                    .approve(approval, Approver.of("ann", "acme")));
            refused(ApprovalException.Kind.NOT_ALLOWED, () -> test.runtime()
                    .approve(approval, Approver.of("eve", "other")));
            refused(ApprovalException.Kind.NOT_ALLOWED, () -> test.runtime()
                    .approve(approval, Approver.of("bob", "acme")));
            assertThat(deleted).isEmpty();

            test.runtime().approve(approval, Approver.of("eve", "acme"));
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
            test.runtime().approve(approval, Approver.of("ann", "acme"));

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
    void anApprovalThatComesTooLateCountsAsDeclined() {
        Script script = ScriptedModel.script()
                .on("lead")
                .calls("deleteRecord", Map.of("id", "r1"))
                .then()
                .answers(request -> Steps.said(Wire.line(request.messages().getLast())));
        try (TestRuntime test =
                TestRuntime.builder(script).manualClock().agents(lead(delete())).build()) {
            RunResult waiting = test.agent("lead").generate("Go", o -> o.approvalExpiry(Duration.ofHours(1)));
            PendingApproval approval = waiting.pendingApprovals().getFirst();
            assertThat(Duration.between(approval.askedAt(), approval.expiresAt()))
                    .isEqualTo(Duration.ofHours(1));
            test.clock().advance(Duration.ofMinutes(59));
            assertThat(test.runtime().recover().runIds()).isEmpty();
            assertThat(test.runtime().resume(waiting.runId()).status()).isEqualTo(RunStatus.SUSPENDED);

            test.clock().advance(Duration.ofMinutes(2));
            refused(ApprovalException.Kind.EXPIRED, () -> test.runtime().approve(approval, ANN));
            List<RunResult> recovered = test.runtime().recover().await();

            assertThat(recovered).hasSize(1);
            assertThat(recovered.getFirst().text()).contains("was not approved", "Nobody answered in time.");
            assertThat(deleted).isEmpty();
        }
    }

    @Test
    void suspendedTimeIsFree() {
        try (TestRuntime test = TestRuntime.builder(deletesOnce())
                .manualClock()
                .agents(lead(delete()))
                .build()) {
            PendingApproval approval = pending(test);
            test.clock().advance(Duration.ofHours(23));
            RunResult done = test.runtime().approve(approval, ANN);

            assertThat(done.status()).isEqualTo(RunStatus.COMPLETED);
            RunEvent.RunFinish finish = (RunEvent.RunFinish) test.events().getLast();
            assertThat(finish.duration()).isZero();
        }
    }

    @Test
    void whatNeedsNoApprovalDoesNotWaitForWhatDoes() {
        Script script = ScriptedModel.script()
                .on("lead")
                .calls("deleteRecord", Map.of("id", "r1"))
                .and()
                .calls("ok", Map.of())
                .and()
                .calls("deleteRecord", Map.of("id", "r2"))
                .then()
                .answers(request -> Steps.said(Wire.line(request.messages().getLast())));
        try (TestRuntime test = runtime(script, lead(delete(), Crew.OK))) {
            RunResult waiting = test.agent("lead").generate("Go");
            assertThat(names(test.events())).contains("tool-result");
            assertThat(waiting.pendingApprovals())
                    .extracting(approval -> approval.arguments().text())
                    .containsExactly("{\"id\":\"r1\"}", "{\"id\":\"r2\"}");

            RunResult still = test.runtime().approve(waiting.pendingApprovals().getLast(), ANN);
            assertThat(deleted).containsExactly("r2");
            assertThat(still.status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(still.pendingApprovals())
                    .containsExactly(waiting.pendingApprovals().getFirst());

            RunResult done = test.runtime().decline(still.pendingApprovals().getFirst(), ANN, "not r1");
            assertThat(done.text()).containsSubsequence("not r1", "fine", "r2");
            assertThat(deleted).containsExactly("r2");
        }
    }

    @Test
    void anApprovalInsideASubAgentReachesTheNestedRun() {
        Script script = ScriptedModel.script()
                .on("supervisor")
                .delegates("researcher", "Delete r1")
                .then()
                .says("All done")
                .on("researcher")
                .calls("deleteRecord", Map.of("id", "r1"))
                .then()
                .says("Deleted r1");
        try (TestRuntime test = runtime(script, Crew.supervisorOf(Crew.member("researcher", delete())))) {
            RunResult waiting = test.agent("supervisor")
                    .generate("Do the task", o -> o.thread("t1").resource("u1"));
            PendingApproval approval = waiting.pendingApprovals().getFirst();
            assertThat(approval.path()).hasToString("supervisor/researcher");
            assertThat(approval.rootRunId()).isEqualTo(waiting.runId());
            assertThat(approval.requester()).isEqualTo("u1");

            RunResult done = test.runtime().approve(approval, ANN);

            assertThat(done.text()).isEqualTo("All done");
            assertThat(done.toolResults().getFirst().output()).contains(Json.of("Deleted r1"));
            assertThat(deleted).containsExactly("r1");
            assertThat(done.usageByAgent()).containsKeys("supervisor", "researcher");
            assertThat(test.store().list(RunFilter.ROOTS.tree(done.runId())))
                    .extracting(RunRecord::status)
                    .containsOnly(RunStatus.COMPLETED);
        }
    }

    @Test
    void twoSubAgentsWaitAndAreAnsweredInAnyOrder() {
        Script script = ScriptedModel.script()
                .on("supervisor")
                .delegates("researcher", "Delete r1")
                .and()
                .delegates("writer", "Delete r2")
                .then()
                .says("All done")
                .on("researcher")
                .calls("deleteRecord", Map.of("id", "r1"))
                .then()
                .says("Deleted r1")
                .on("writer")
                .calls("deleteRecord", Map.of("id", "r2"))
                .then()
                .says("Deleted r2");
        try (TestRuntime test = runtime(script, both(delete()))) {
            RunResult waiting = test.agent("supervisor").generate("Do the task");
            assertThat(waiting.pendingApprovals())
                    .extracting(approval -> approval.path().toString())
                    .containsExactly("supervisor/researcher", "supervisor/writer");

            RunResult still = test.runtime().approve(waiting.pendingApprovals().getLast(), ANN);
            assertThat(deleted).containsExactly("r2");
            assertThat(still.pendingApprovals())
                    .containsExactly(waiting.pendingApprovals().getFirst());

            RunResult done = test.runtime().approve(still.pendingApprovals().getFirst(), ANN);
            assertThat(done.text()).isEqualTo("All done");
            assertThat(deleted).containsExactly("r2", "r1");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aBailWinsOverWhatWaits(boolean cancelSiblings) {
        Script script = ScriptedModel.script()
                .on("supervisor")
                .delegates("researcher", "Delete r1")
                .and()
                .calls("deleteRecord", Map.of("id", "r3"))
                .and()
                .delegates("writer", "Write")
                .on("researcher")
                .calls("deleteRecord", Map.of("id", "r1"))
                .on("writer")
                .says("The answer");
        Agent supervisor = Crew.supervisorOf(Crew.member("researcher", delete()), delete());
        try (TestRuntime test = runtime(script, supervisor)) {
            RunResult done = test.agent("supervisor").generate("Go", o -> o.cancelSiblings(cancelSiblings)
                    .bailStrategy(BailStrategy.LAST)
                    .onDelegationComplete(d -> d.key().equals("writer") ? d.bail() : d.accept()));

            assertThat(done.stopReason()).isInstanceOf(StopReason.Bailed.class);
            assertThat(done.text()).isEqualTo("The answer");
            assertThat(deleted).isEmpty();
            assertThat(test.store().list(RunFilter.ROOTS.tree(done.runId())))
                    .extracting(RunRecord::status)
                    .allMatch(RunStatus::isEnded);
            test.events().stream()
                    .filter(RunEvent.ToolCallApproval.class::isInstance)
                    .map(event -> ((RunEvent.ToolCallApproval) event).approval())
                    .forEach(approval -> refused(ApprovalException.Kind.ALREADY_DECIDED, () -> test.runtime()
                            .approve(approval, ANN)));
            assertThat(deleted).isEmpty();
        }
    }

    @Test
    void aRunMayRequireApprovalOfAllItsToolsNestedOnesIncluded() {
        Script script = ScriptedModel.script()
                .on("supervisor")
                .delegates("researcher", "Go")
                .then()
                .says("All done")
                .on("researcher")
                .calls("ok", Map.of())
                .then()
                .says("Done");
        try (TestRuntime test = runtime(script, Crew.supervisorOf(Crew.member("researcher", Crew.OK)))) {
            RunResult waiting = test.agent("supervisor").generate("Go", o -> o.requireToolApproval());
            assertThat(waiting.pendingApprovals())
                    .extracting(PendingApproval::toolName)
                    .containsExactly("ok");

            assertThat(test.runtime()
                            .approve(waiting.pendingApprovals().getFirst(), ANN)
                            .text())
                    .isEqualTo("All done");
        }
    }

    @Test
    void aRunsPolicyHoldsForNestedRunsAndOneThatThrowsMeansApproval() {
        Script script = ScriptedModel.script()
                .on("supervisor")
                .delegates("researcher", "Go")
                .then()
                .says("All done")
                .on("researcher")
                .calls("ok", Map.of())
                .and()
                .calls("look", Map.of("q", "x"))
                .then()
                .says("Done");
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
        Script script = ScriptedModel.script()
                .on("lead")
                .calls("deleteRecord", Map.of("id", "draft"))
                .and()
                .calls("deleteRecord", Map.of("id", "final"))
                .and()
                .calls("deleteRecord", Map.of("id", "odd"));
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
        Script script = ScriptedModel.script()
                .on("lead")
                .calls("deleteRecord", Map.of("id", "r1"))
                .then()
                .says("Refused");
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
            test.runtime().approve(waiting.pendingApprovals().getFirst(), ANN);
            assertThat(asked).hasValue(1);
        }
    }

    @Test
    void aSuspendedRunSurvivesARestartAndIsRefusedWithoutItsHooks() {
        Store store = InMemoryStore.keepingEndedRuns();
        PendingApproval approval;
        try (TestRuntime test = TestRuntime.builder(deletesOnce())
                .store(store)
                .ids(IdSource.secure())
                .agents(lead(delete()))
                .build()) {
            approval = test.agent("lead")
                    .generate("Go", o -> o.maxSteps(7).stopWhen(step -> false).onStepFinish(step -> {}))
                    .pendingApprovals()
                    .getFirst();
        }
        try (TestRuntime test = TestRuntime.builder(
                        ScriptedModel.script().on("lead").says("Deleted"))
                .store(store)
                .ids(IdSource.secure())
                .agents(lead(delete()))
                .build()) {
            assertThatThrownBy(() -> test.runtime().approve(approval, ANN))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("stopWhen")
                    .hasMessageNotContaining("onStepFinish");
            assertThat(deleted).isEmpty();
            List<Integer> most = new ArrayList<>();
            RunResult done = test.runtime()
                    .approve(
                            approval,
                            ANN,
                            o -> o.stopWhen(step -> {
                                most.add(step.maxSteps());
                                return false;
                            }));
            assertThat(done.text()).isEqualTo("Deleted");
            assertThat(most).isNotEmpty().containsOnly(7);
            assertThat(deleted).containsExactly("r1");
        }
    }

    @Test
    void hooksOfARunThatWaitsInThisRuntimeAreBoundAgain() {
        AtomicInteger steps = new AtomicInteger();
        try (TestRuntime test = runtime(deletesOnce(), lead(delete()))) {
            PendingApproval approval = test.agent("lead")
                    .generate("Go", o -> o.onStepFinish(step -> steps.incrementAndGet())
                            .stopWhen(step -> false))
                    .pendingApprovals()
                    .getFirst();
            test.runtime().approve(approval, ANN);
            assertThat(steps).hasValue(2);
        }
    }

    @Test
    void anAgentThatWasOnlyBoundIsKeptForItsWaitingRun() {
        try (TestRuntime test = TestRuntime.with(deletesOnce())) {
            PendingApproval approval =
                    test.bind(lead(delete())).generate("Go").pendingApprovals().getFirst();
            assertThat(test.runtime().approve(approval, ANN).text()).isEqualTo("Deleted");
            assertThat(deleted).containsExactly("r1");
        }
    }

    @Test
    void aWaitingRunCanBeCancelledWithAllBelowIt() {
        Script script = ScriptedModel.script()
                .on("supervisor")
                .delegates("researcher", "Delete r1")
                .on("researcher")
                .calls("deleteRecord", Map.of("id", "r1"));
        try (TestRuntime test = runtime(script, Crew.supervisorOf(Crew.member("researcher", delete())))) {
            RunResult waiting =
                    test.agent("supervisor").generate("Go", o -> o.thread("t").resource("u"));
            PendingApproval approval = waiting.pendingApprovals().getFirst();

            assertThat(test.runtime().cancel(waiting.runId())).isTrue();

            assertThat(test.store().list(RunFilter.ROOTS.tree(waiting.runId())))
                    .extracting(RunRecord::status)
                    .containsOnly(RunStatus.ABORTED);
            assertThat(test.runtime().resume(waiting.runId()).stopReason())
                    .isEqualTo(new StopReason.Cancelled("caller"));
            refused(ApprovalException.Kind.ALREADY_DECIDED, () -> test.runtime().approve(approval, ANN));
            assertThat(deleted).isEmpty();
            assertThat(test.runtime().cancel(waiting.runId())).isFalse();
        }
    }

    @Test
    void theStreamOfAWaitingRunEndsAndThatOfItsAnswerGoesOn() {
        Script script = ScriptedModel.script()
                .on("supervisor")
                .delegates("researcher", "Delete r1")
                .then()
                .says("All done")
                .on("researcher")
                .calls("deleteRecord", Map.of("id", "r1"))
                .then()
                .says("Deleted r1");
        try (TestRuntime test = runtime(script, Crew.supervisorOf(Crew.member("researcher", delete())))) {
            List<RunEvent> first = new ArrayList<>();
            RunResult waiting;
            try (RunStream run = test.agent("supervisor").stream("Go")) {
                run.forEach(first::add);
                waiting = run.result();
            }
            assertThat(first.getLast())
                    .isInstanceOfSatisfying(RunEvent.RunSuspend.class, suspend -> assertThat(suspend.pending())
                            .isEqualTo(waiting.pendingApprovals()));
            assertThat(names(first))
                    .containsSubsequence("delegation-start", "tool-call-approval", "run-suspend", "run-suspend");

            List<RunEvent> second = new ArrayList<>();
            try (RunStream run = test.runtime()
                    .answerStream(waiting.pendingApprovals().getFirst(), ApprovalAnswer.approve(ANN), o -> {})) {
                run.forEach(second::add);
                assertThat(run.result().text()).isEqualTo("All done");
            }
            assertThat(names(second))
                    .containsSubsequence(
                            "run-resume",
                            "run-resume",
                            "tool-result",
                            "step-finish",
                            "run-finish",
                            "delegation-end",
                            "tool-result",
                            "step-finish",
                            "run-finish");
            assertThat(second.getLast()).isInstanceOf(RunEvent.RunFinish.class);
        }
    }

    @Test
    void aToolMayAskForData() {
        record Question(String what) {}
        record Reply(int amount) {}
        Tool pay = Tool.builder("pay", "Pays.")
                .input(Delete.class)
                .suspends(Question.class, Reply.class)
                .handler((in, context) -> {
                    if (context.resumeData().isEmpty()) {
                        return context.suspend(new Question("How much for " + in.id() + "?"));
                    }
                    int amount = context.resumeData(Reply.class).orElseThrow().amount();
                    deleted.add(context.idempotencyKey());
                    return Map.of("paid", amount);
                })
                .build();
        Script script = ScriptedModel.script()
                .on("lead")
                .calls("pay", Map.of("id", "r1"))
                .then()
                .answers(request -> Steps.said(Wire.line(request.messages().getLast())));
        try (TestRuntime test = runtime(script, lead(pay))) {
            PendingApproval question = pending(test);
            assertThat(question.kind()).isEqualTo(PendingApproval.Kind.DATA);
            assertThat(question.payload()).isEqualTo(Json.of(Map.of("what", "How much for r1?")));
            assertThat(question.dataSchema()).isNotNull();
            assertThat(names(test.events())).contains("tool-call-suspended");
            refused(ApprovalException.Kind.INVALID_ANSWER, () -> test.runtime().approve(question, ANN));
            refused(ApprovalException.Kind.INVALID_ANSWER, () -> test.runtime()
                    .resume(question, Map.of("amount", "much")));

            RunResult done = test.runtime().resume(question, new Reply(7));

            assertThat(done.text()).contains("\"paid\":7");
            assertThat(deleted).hasSize(1);
        }
    }

    @Test
    void aToolMayAskAgain() {
        Tool ask = Tool.builder("ask", "Asks twice.")
                .input(Crew.ANYTHING)
                .handler((in, context) -> {
                    String so = context.resumeData(String.class).orElse("");
                    return so.equals("second") ? "thanks" : context.suspend("after '" + so + "'");
                })
                .build();
        Script script =
                ScriptedModel.script().on("lead").calls("ask", Map.of()).then().says("Done");
        try (TestRuntime test = runtime(script, lead(ask))) {
            PendingApproval first = pending(test);
            PendingApproval second =
                    test.runtime().resume(first, "first").pendingApprovals().getFirst();
            assertThat(second.round()).isEqualTo(2);
            assertThat(second.payload()).isEqualTo(Json.of("after 'first'"));
            refused(ApprovalException.Kind.ALREADY_DECIDED, () -> test.runtime().resume(first, "second"));

            assertThat(test.runtime().resume(second, "second").text()).isEqualTo("Done");
        }
    }

    @Test
    void aToolThatNeedsApprovalMayAskForDataToo() {
        Tool tool = Tool.builder("ask", "Asks.")
                .input(Crew.ANYTHING)
                .requiresApproval()
                .handler((in, context) -> context.resumeData().isPresent() ? "thanks" : context.suspend("What?"))
                .build();
        Script script =
                ScriptedModel.script().on("lead").calls("ask", Map.of()).then().says("Done");
        try (TestRuntime test = runtime(script, lead(tool))) {
            PendingApproval approval = pending(test);
            PendingApproval question =
                    test.runtime().approve(approval, ANN).pendingApprovals().getFirst();
            assertThat(question.kind()).isEqualTo(PendingApproval.Kind.DATA);
            assertThat(test.runtime().resume(question, "x").text()).isEqualTo("Done");
        }
    }

    /** Starts the agent {@code lead} and returns what it waits for first. */
    private static PendingApproval pending(TestRuntime test) {
        return test.agent("lead").generate("Go").pendingApprovals().getFirst();
    }

    private static Script deletesOnce() {
        return ScriptedModel.script()
                .on("lead")
                .calls("deleteRecord", Map.of("id", "r1"))
                .then()
                .says("Deleted");
    }

    private static Agent both(Tool tool) {
        return Agent.builder("supervisor")
                .instructions("You supervise.")
                .model("none/none")
                .agents(Crew.member("researcher", tool), Crew.member("writer", tool))
                .build();
    }

    private static PendingApproval changed(PendingApproval approval, Consumer<Map<String, Object>> change) {
        Map<String, Object> fields = new LinkedHashMap<>(approval.toJson().fields());
        change.accept(fields);
        return PendingApproval.fromJson(Json.of(fields));
    }

    private static void refused(ApprovalException.Kind kind, Runnable answer) {
        assertThatThrownBy(answer::run).isInstanceOfSatisfying(ApprovalException.class, e -> assertThat(e.kind())
                .isEqualTo(kind));
    }

    private static List<String> names(List<RunEvent> events) {
        return events.stream().map(RunEvent::type).toList();
    }

    private TestRuntime runtime(Script script, Agent... agents) {
        return TestRuntime.builder(script)
                .store(InMemoryStore.keepingEndedRuns())
                .agents(agents)
                .build();
    }

    private static Agent lead(Tool... tools) {
        return Agent.builder("lead")
                .instructions("Lead.")
                .model("none/none")
                .tools(tools)
                .build();
    }
}
