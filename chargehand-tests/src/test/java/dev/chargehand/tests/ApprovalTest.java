package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.RunResult;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Calls that wait for a human: answered once, in time, and for what was shown. */
class ApprovalTest extends ApprovalFixture {

    @Test
    void anApprovedCallIsExecutedAndTheRunGoesOn() {
        Script script = Scripts.on("lead", Turn.calls("deleteRecord", Map.of("id", "r1")), Turn.says("Deleted"));
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
            assertThat(approval.requester()).contains("u1");
            assertThat(approval.path()).hasToString("lead");
            assertThat(PendingApproval.fromJson(approval.toJson())).isEqualTo(approval);
            assertThat(test.runtime().handle(waiting.runId()).pendingApprovals())
                    .containsExactly(approval);

            RunResult done = test.runtime().approve(approval, ANN).result();

            assertThat(done.runId()).isEqualTo(waiting.runId());
            assertThat(done.text()).isEqualTo("Deleted");
            assertThat(done.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(done.pendingApprovals()).isEmpty();
            assertThat(deleted).containsExactly("r1");
            assertThat(test.runtime().handle(waiting.runId()).pendingApprovals())
                    .isEmpty();
        }
    }

    @Test
    void anAnswerIsTakenOnce() {
        try (TestRuntime test = runtime(deletesOnce(), lead(delete()))) {
            PendingApproval approval = pending(test);
            test.runtime().approve(approval, ANN).result();

            refused(
                    ApprovalException.Kind.ALREADY_DECIDED,
                    () -> test.runtime().approve(approval, ANN).result());
            refused(
                    ApprovalException.Kind.ALREADY_DECIDED,
                    () -> test.runtime().decline(approval, ANN, "late").result());
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
            test.runtime().approve(approval, ANN).result();

            refused(
                    ApprovalException.Kind.ALREADY_DECIDED,
                    () -> test.runtime().approve(approval, ANN).result());
        }
    }

    @Test
    void anAnswerIsForTheCallThatWasShown() {
        try (TestRuntime test = runtime(deletesOnce(), lead(delete()))) {
            PendingApproval approval = pending(test);
            Json other = Json.of(Map.of("id", "r2"));

            refused(ApprovalException.Kind.ARGUMENTS_CHANGED, () -> test.runtime()
                    .approve(changed(approval, json -> json.put("arguments", other)), ANN)
                    .result());
            refused(ApprovalException.Kind.ARGUMENTS_CHANGED, () -> test.runtime()
                    .approve(changed(approval, json -> json.put("digest", "0".repeat(64))), ANN)
                    .result());
            refused(ApprovalException.Kind.ARGUMENTS_CHANGED, () -> test.runtime()
                    .approve(changed(approval, json -> json.put("toolName", "read")), ANN)
                    .result());
            refused(ApprovalException.Kind.UNKNOWN, () -> test.runtime()
                    .approve(changed(approval, json -> json.put("callId", "call_x")), ANN)
                    .result());
            refused(ApprovalException.Kind.UNKNOWN, () -> test.runtime()
                    .approve(changed(approval, json -> json.put("rootRunId", "run_x")), ANN)
                    .result());
            refused(ApprovalException.Kind.UNKNOWN, () -> test.runtime()
                    .approve(changed(approval, json -> json.put("waitNumber", 2)), ANN)
                    .result());
            refused(
                    ApprovalException.Kind.INVALID_ANSWER,
                    () -> test.runtime().giveData(approval, "data").result());
            assertThat(deleted).isEmpty();

            test.runtime().approve(approval, ANN).result();
            assertThat(deleted).containsExactly("r1");
        }
    }

    /** Let the lead delete a record, and say what it was answered. */
    private static Script callsAndReports() {
        return Scripts.on(
                "lead",
                Turn.calls("deleteRecord", Map.of("id", "r1")),
                Turn.answers(request -> Steps.said(Wire.line(request.messages().getLast()))));
    }

    @Test
    void anApprovalThatComesTooLateCountsAsDeclined() {
        try (TestRuntime test = TestRuntime.builder(callsAndReports())
                .manualClock()
                .agents(lead(delete()))
                .build()) {
            RunResult waiting = test.agent("lead").generate("Go", o -> o.approvalExpiry(Duration.ofHours(1)));
            PendingApproval approval = waiting.pendingApprovals().getFirst();
            assertThat(Duration.between(approval.askedAt(), approval.expiresAt()))
                    .isEqualTo(Duration.ofHours(1));
            test.clock().advance(Duration.ofMinutes(59));
            assertThat(test.runtime().recover().runIds()).isEmpty();
            assertThat(test.runtime().resume(waiting.runId(), o -> {}).result().status())
                    .isEqualTo(RunStatus.SUSPENDED);

            test.clock().advance(Duration.ofMinutes(2));
            refused(
                    ApprovalException.Kind.EXPIRED,
                    () -> test.runtime().approve(approval, ANN).result());
            List<RunResult> recovered = test.runtime().recover().await();

            assertThat(recovered).hasSize(1);
            assertThat(recovered.getFirst().text()).contains("was not approved", "No answer arrived in time.");
            assertThat(deleted).isEmpty();
        }
    }

    /** The run has continued because of the expiry, and ended, before the answer comes. */
    @Test
    void anApprovalAfterTheRunHasContinuedIsTooLateToo() {
        try (TestRuntime test = TestRuntime.builder(callsAndReports())
                .store(InMemoryStore.keepingEndedRuns())
                .manualClock()
                .agents(lead(delete()))
                .build()) {
            PendingApproval approval = pending(test);
            test.clock().advance(Duration.between(approval.askedAt(), approval.expiresAt()));
            assertThat(test.runtime().recover().await()).hasSize(1);

            assertThatThrownBy(() -> test.runtime().decline(approval, ANN, "no"))
                    .isInstanceOfSatisfying(ApprovalException.class, late -> assertThat(late.kind())
                            .isEqualTo(ApprovalException.Kind.EXPIRED))
                    .hasMessageContaining("waited for an answer until " + approval.expiresAt());
        }
    }

    @Test
    void anApprovalIsTooLateFromTheMomentOfItsExpiryAlsoForRecovery() {
        try (TestRuntime test = TestRuntime.builder(callsAndReports())
                .manualClock()
                .agents(lead(delete()))
                .build()) {
            PendingApproval approval = pending(test);
            test.clock().advance(Duration.between(approval.askedAt(), approval.expiresAt()));
            refused(
                    ApprovalException.Kind.EXPIRED,
                    () -> test.runtime().approve(approval, ANN).result());

            assertThat(test.runtime().recover().await()).singleElement().satisfies(result -> assertThat(result.text())
                    .contains("was not approved", "No answer arrived in time."));
            assertThat(deleted).isEmpty();
        }
    }

    @Test
    void anExpiryThatIsTooFarAwayStartsNothing() {
        try (TestRuntime test =
                TestRuntime.builder(deletesOnce()).agents(lead(delete())).build()) {
            Steps.assertMisconfigured(
                    () -> test.agent("lead").generate("Go", o -> o.approvalExpiry(ChronoUnit.FOREVER.getDuration())),
                    "'approvalExpiry' must be above zero and at most 36500 days");
            assertThat(test.store().list(RunFilter.ALL)).isEmpty();
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
            RunResult done = test.runtime().approve(approval, ANN).result();

            assertThat(done.status()).isEqualTo(RunStatus.COMPLETED);
            RunEvent.RunFinish finish = (RunEvent.RunFinish) test.events().getLast();
            assertThat(finish.duration()).isZero();
        }
    }

    @Test
    void whatNeedsNoApprovalDoesNotWaitForWhatDoes() {
        Script script = Scripts.on(
                "lead",
                Turn.calls("deleteRecord", Map.of("id", "r1"))
                        .and(Turn.calls("ok", Map.of()))
                        .and(Turn.calls("deleteRecord", Map.of("id", "r2"))),
                Turn.answers(request -> Steps.said(Wire.line(request.messages().getLast()))));
        try (TestRuntime test = runtime(script, lead(delete(), Crew.OK))) {
            RunResult waiting = test.agent("lead").generate("Go");
            assertThat(names(test.events())).contains("tool-result");
            assertThat(waiting.pendingApprovals())
                    .extracting(approval -> approval.arguments().text())
                    .containsExactly("{\"id\":\"r1\"}", "{\"id\":\"r2\"}");

            RunResult still = test.runtime()
                    .approve(waiting.pendingApprovals().getLast(), ANN)
                    .result();
            assertThat(deleted).containsExactly("r2");
            assertThat(still.status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(still.pendingApprovals())
                    .containsExactly(waiting.pendingApprovals().getFirst());

            RunResult done = test.runtime()
                    .decline(still.pendingApprovals().getFirst(), ANN, "not r1")
                    .result();
            assertThat(done.text()).containsSubsequence("not r1", "fine", "r2");
            assertThat(deleted).containsExactly("r2");
        }
    }

    @Test
    void aSuspendedRunSurvivesARestartAndIsRefusedWithoutItsHooks() {
        Store store = InMemoryStore.keepingEndedRuns();
        PendingApproval approval;
        try (TestRuntime test = Crew.playing(store, deletesOnce(), lead(delete()))) {
            approval = test.agent("lead")
                    .generate("Go", o -> o.maxSteps(7).stopWhen(step -> false).onStepFinish(step -> {}))
                    .pendingApprovals()
                    .getFirst();
        }
        try (TestRuntime test = Crew.playing(store, Scripts.on("lead").says("Deleted"), lead(delete()))) {
            assertThatThrownBy(() -> test.runtime().approve(approval, ANN).result())
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("stopWhen")
                    .hasMessageNotContaining("onStepFinish");
            assertThat(deleted).isEmpty();
            List<Integer> most = new ArrayList<>();
            RunResult done = test.runtime()
                    .answer(
                            approval,
                            ApprovalAnswer.approve(ANN),
                            o -> o.stopWhen(step -> Steps.noted(most, step.maxSteps(), false)))
                    .result();
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
            test.runtime().approve(approval, ANN).result();
            assertThat(steps).hasValue(2);
        }
    }

    @Test
    void anAgentThatWasOnlyBoundIsKeptForItsWaitingRun() {
        try (TestRuntime test = TestRuntime.with(deletesOnce())) {
            PendingApproval approval =
                    test.bind(lead(delete())).generate("Go").pendingApprovals().getFirst();
            assertThat(test.runtime().approve(approval, ANN).result().text()).isEqualTo("Deleted");
            assertThat(deleted).containsExactly("r1");
        }
    }

    private static PendingApproval changed(PendingApproval approval, Consumer<Map<String, Object>> change) {
        Map<String, Object> fields = new LinkedHashMap<>(approval.toJson().fields());
        change.accept(fields);
        return PendingApproval.fromJson(Json.of(fields));
    }
}
