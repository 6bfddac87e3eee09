package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Steps that may not be repeated and that were being executed when their process died. */
class WorkflowInterruptionTest {

    record Paid(int cents) {}

    private static final Approver ANN = Approver.of("ann");

    private final InMemoryStore store = InMemoryStore.keepingEndedRuns();
    private final ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch gone = new CountDownLatch(1);

    private final Step<String, Paid> pay = Step.of("pay", String.class, Paid.class, (in, context) -> {
        done.add(context.idempotencyKey());
        begun.countDown();
        gone.await();
        return new Paid(7);
    });

    private AgentRuntime runtime(Workflow<?, ?> workflow) {
        return AgentRuntime.builder()
                .store(store)
                .workflows(workflow)
                .anyoneMayApprove()
                .build();
    }

    private static Workflow<String, Paid> only(Step<String, Paid> step) {
        return Workflow.from("flow", String.class).then(step).build(Paid.class);
    }

    /** Returns a run whose process died while it paid. */
    private RunId interrupted(Workflow<String, Paid> workflow) throws Exception {
        try (AgentRuntime dying = AgentRuntime.builder()
                .store(Crashing.goneBefore(2, store))
                .workflows(workflow)
                .build()) {
            RunHandle run = dying.start(workflow, "x", options -> {});
            begun.await();
            gone.countDown();
            assertThatThrownBy(run::result).isInstanceOf(RunFailedException.class);
            return run.runId();
        }
    }

    private static PendingApproval request(AgentRuntime runtime, RunId run) {
        RunResult resumed = runtime.resume(run, options -> {}).result();
        assertThat(resumed.status()).isEqualTo(RunStatus.SUSPENDED);
        return resumed.pendingApprovals().getFirst();
    }

    @Test
    void itWaitsForAHumanWhoHasItExecutedAgain() throws Exception {
        Workflow<String, Paid> workflow = only(pay);
        RunId run = interrupted(workflow);
        try (AgentRuntime runtime = runtime(workflow)) {
            PendingApproval request = request(runtime, run);
            assertThat(request.kind()).isEqualTo(PendingApproval.Kind.INTERRUPTED);
            assertThat(request.stepPath()).contains("pay");
            assertThat(Duration.between(request.askedAt(), request.expiresAt())).isEqualTo(Duration.ofDays(7));
            assertThat(done).hasSize(1);
            assertThat(runtime.approve(request, ANN).result().object()).contains(Json.of(new Paid(7)));
            assertThat(done).hasSize(2);
            assertThat(done.stream().distinct()).hasSize(1);
        }
    }

    @Test
    void itWaitsForAHumanWhoKnowsItsOutput() throws Exception {
        Workflow<String, Paid> workflow = only(pay);
        RunId run = interrupted(workflow);
        try (AgentRuntime runtime = runtime(workflow)) {
            PendingApproval request = request(runtime, run);
            assertThatThrownBy(() -> runtime.giveData(request, "much"))
                    .isInstanceOf(ApprovalException.class)
                    .hasMessageContaining("asks for other data");
            RunResult result = runtime.giveData(request, new Paid(9)).result();
            assertThat(result.object()).contains(Json.of(new Paid(9)));
            assertThat(result.workflowSteps()).singleElement().satisfies(step -> assertThat(step.output())
                    .contains(Json.of(new Paid(9))));
            assertThat(done).hasSize(1);
        }
    }

    @Test
    void itHasFailedIfAHumanDeclinesIt() throws Exception {
        Workflow<String, Paid> workflow = only(pay);
        RunId run = interrupted(workflow);
        try (AgentRuntime runtime = runtime(workflow)) {
            PendingApproval request = request(runtime, run);
            assertThatThrownBy(
                            () -> runtime.decline(request, ANN, "I do not know").result())
                    .isInstanceOf(RunFailedException.class)
                    .hasMessageContaining("Step 'pay' was interrupted, its outcome is unknown, and it was not executed"
                            + " again. Reason: I do not know");
        }
        assertThat(done).hasSize(1);
    }

    @Test
    void aDeclinedOneGetsTheFallback() throws Exception {
        Workflow<String, Paid> workflow = only(pay.fallback((in, error, context) -> new Paid(0)));
        RunId run = interrupted(workflow);
        try (AgentRuntime runtime = runtime(workflow)) {
            PendingApproval request = request(runtime, run);
            assertThat(runtime.decline(request, ANN, "no").result().object()).contains(Json.of(new Paid(0)));
        }
        assertThat(done).hasSize(1);
    }

    @Test
    void itFailsTheRunIfItsStepSaysSo() throws Exception {
        Workflow<String, Paid> workflow = only(pay.failIfInterrupted());
        RunId run = interrupted(workflow);
        try (AgentRuntime runtime = runtime(workflow)) {
            RunFailedException e =
                    catchThrowableOfType(RunFailedException.class, () -> runtime.resume(run, options -> {})
                            .result());
            assertThat(e.code()).isEqualTo("outcome-unknown");
            assertThat(e.result().stopReason().explanation()).contains("its outcome is unknown");
        }
        assertThat(done).hasSize(1);
    }
}
