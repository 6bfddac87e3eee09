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
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunWatch;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Repeat;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.StepHandler;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Steps that ask for data before they go on. */
class WorkflowQuestionTest {

    record Question(String what) {}

    record Answer(int amount) {}

    private static final Approver ANN = Approver.of("ann");

    @TempDir
    private Path folder;

    private final InMemoryStore store = InMemoryStore.keepingEndedRuns();
    private final ManualClock clock = new ManualClock();
    private final AgentRuntime runtime = runtime();
    private final ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();

    /** Asks what it got, and says the answer. */
    private final Step<String, String> ask = asking("ask");

    private AgentRuntime runtime(Workflow<?, ?>... workflows) {
        return AgentRuntime.builder()
                .store(store)
                .timeSource(clock)
                .workflows(workflows)
                .approverCheck((approval, approver) -> true)
                .build();
    }

    @AfterEach
    void close() {
        runtime.close();
    }

    private Step<String, String> asking(String id) {
        return step(id, (in, context) -> {
                    done.add(id + " " + in);
                    return context.resumeData(Answer.class)
                            .map(answer -> in + " " + answer.amount() + " for "
                                    + context.suspendPayload(Question.class)
                                            .orElseThrow()
                                            .what())
                            .orElseGet(() -> context.suspend(new Question(in + "?")));
                })
                .suspends(Question.class, Answer.class);
    }

    private static Step<String, String> step(String id, StepHandler<String, String> handler) {
        return Step.of(id, String.class, String.class, handler);
    }

    private static <O> Workflow<String, String> only(Step<String, O> step) {
        return Workflow.from("flow", String.class)
                .then(step)
                .map("text", String.class, (value, context) -> String.valueOf(value))
                .build(String.class);
    }

    @Test
    void aStepAsksAndContinuesWithTheAnswer() {
        WorkflowResult<String> waiting = runtime.run(only(ask), "tea", o -> {});
        assertThat(waiting.status()).isEqualTo(RunStatus.SUSPENDED);
        PendingApproval request = waiting.pending().getFirst();
        assertThat(request.kind()).isEqualTo(PendingApproval.Kind.DATA);
        assertThat(request.stepPath()).contains("ask");
        assertThat(request.payload()).contains(Json.of(new Question("tea?")));
        assertThat(PendingApproval.fromJson(request.toJson())).isEqualTo(request);
        assertThatThrownBy(() -> runtime.giveData(request, Map.of("amount", "much")))
                .isInstanceOf(ApprovalException.class)
                .hasMessageContaining("asks for other data");

        RunResult result =
                runtime.giveData(waiting.runId(), "ask", new Answer(3)).result();

        assertThat(result.text()).isEqualTo("tea 3 for tea?");
        assertThat(done).containsExactly("ask tea", "ask tea");
        assertThat(types(waiting.runId()))
                .containsSubsequence(
                        "workflow-step-start",
                        "workflow-step-suspended",
                        "run-suspend",
                        "run-resume",
                        "workflow-step-resumed",
                        "workflow-step-result",
                        "run-finish");
    }

    @Test
    void theHandleOfAnAnswerHasTheResultAlsoAfterLaterQuestionsOfItsStep() {
        Step<String, String> thrice = step("ask", (in, context) -> {
                    int asked = context.suspendPayload(Question.class)
                            .map(question -> Integer.parseInt(question.what()))
                            .orElse(0);
                    return asked == 3 ? in : context.suspend(new Question(String.valueOf(asked + 1)));
                })
                .suspends(Question.class, Answer.class);
        WorkflowResult<String> waiting = runtime.run(only(thrice), "tea", o -> {});
        RunHandle first = runtime.giveData(waiting.pending().getFirst(), new Answer(1));
        PendingApproval second =
                runtime.handle(waiting.runId()).result().pendingApprovals().getFirst();
        assertThat(second.waitNumber()).isEqualTo(2);
        PendingApproval third = runtime.giveData(second, new Answer(2))
                .result()
                .pendingApprovals()
                .getFirst();
        assertThat(first.result().pendingApprovals()).containsExactly(third);
        assertThat(runtime.giveData(third, new Answer(3)).result().text()).isEqualTo("tea");
        assertThat(first.result().text()).isEqualTo("tea");
    }

    private List<String> types(RunId run) {
        return runtime.history(run).stream().map(RunEvent::type).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0,1,2", "0,2,1", "1,0,2", "1,2,0", "2,0,1", "2,1,0"})
    void itemsAreAnsweredInAnyOrder(String order) {
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .foreach("notify", (in, context) -> List.of("a", "b", "c"), ask, Each.concurrency(3))
                .map("text", String.class, (texts, context) -> String.join(", ", texts))
                .build(String.class);
        WorkflowResult<String> waiting = runtime.run(workflow, "x", o -> {});
        assertThat(waiting.pending().stream()
                        .map(PendingApproval::stepPath)
                        .flatMap(Optional::stream)
                        .toList())
                .containsExactly("notify[0]", "notify[1]", "notify[2]");
        assertThatThrownBy(() -> runtime.giveData(waiting.runId(), "notify", new Answer(1)))
                .isInstanceOfSatisfying(
                        ApprovalException.class, e -> assertThat(e.kind()).isEqualTo(ApprovalException.Kind.AMBIGUOUS));
        assertThatThrownBy(() -> runtime.giveData(waiting.runId(), "ask", new Answer(1)))
                .hasMessageContaining("notify[0], notify[1], notify[2]");

        RunResult result = null;
        for (String item : order.split(",", -1)) {
            result = runtime.giveData(waiting.runId(), "notify[" + item + "]", new Answer(Integer.parseInt(item)))
                    .result();
        }

        assertThat(result).isNotNull();
        assertThat(result.text()).isEqualTo("a 0 for a?, b 1 for b?, c 2 for c?");
        assertThat(done).hasSize(6);
    }

    @Test
    void anAnswerIsCarriedOutWhileASiblingIsExecuted() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .parallel(ask, step("slow", (in, context) -> {
                    answered.await();
                    return "slow";
                }))
                .map("text", String.class, (outputs, context) -> outputs.json().text())
                .build(String.class);
        RunHandle run = runtime.start(workflow, "tea", o -> {});
        try (RunWatch events = run.events()) {
            for (RunEvent event : events) {
                if (event instanceof WorkflowEvent.WorkflowStepSuspended suspended) {
                    RunHandle ignored = runtime.giveData(suspended.approval(), new Answer(2));
                }
                if (event instanceof WorkflowEvent.WorkflowStepResult result
                        && result.stepId().equals("ask")) {
                    answered.countDown();
                }
            }
        }
        assertThat(run.result().text()).isEqualTo("{\"ask\":\"tea 2 for tea?\",\"slow\":\"slow\"}");
        assertThat(types(run.runId())).doesNotContain("run-suspend", "run-resume");
    }

    @Test
    void aDeclinedRequestFailsItsStep() {
        WorkflowResult<String> waiting = runtime.run(only(ask), "tea", o -> {});
        RunFailedException failure = catchThrowableOfType(RunFailedException.class, () -> runtime.decline(
                        waiting.pending().getFirst(), ANN, "no money")
                .result());
        assertThat(failure.result().stopReason())
                .isEqualTo(new StopReason.Failed(
                        "step-failed",
                        "Step 'ask' failed: Step 'ask' did not get the data that it asked for. Reason: no money",
                        false));
        assertThat(done).hasSize(1);
    }

    @Test
    void aRequestThatIsNotAnsweredInTimeGetsTheFallback() {
        WorkflowResult<String> waiting =
                runtime.run(only(ask.fallback((in, error, context) -> in + ": " + error)), "tea", o -> {});
        RunHandle run = runtime.handle(waiting.runId());
        clock.advance(Duration.ofHours(25));
        awaitEnd(run);
        assertThat(run.result().text())
                .isEqualTo("tea: Step 'ask' did not get the data that it asked for. No answer arrived in time.");
        assertThat(done).hasSize(1);
    }

    private static void awaitEnd(RunHandle run) {
        try (RunWatch events = run.events()) {
            for (RunEvent event : events) {
                if (event instanceof RunEvent.RunFinish) {
                    return;
                }
            }
        }
    }

    @Test
    void whatAStepChangedBeforeItAskedIsKeptOnce() {
        Workflow<String, String> workflow = only(step("ask", (in, context) -> {
            int count = context.state()
                            .at("/count")
                            .map(json -> json.as(Integer.class))
                            .orElse(0)
                    + 1;
            context.updateState(Map.of("count", count));
            return context.resumeData().isPresent() ? "counted " + count : context.suspend("?");
        }));
        WorkflowResult<String> waiting = runtime.run(workflow, "x", o -> {});
        assertThat(waiting.state()).isEqualTo(Json.of(Map.of("count", 1)));
        RunResult result = runtime.giveData(waiting.runId(), "ask", "go").result();
        assertThat(result.text()).isEqualTo("counted 2");
        assertThat(result.workflowState()).contains(Json.of(Map.of("count", 2)));
    }

    @Test
    void theNextIterationOfALoopHasNoAnswerYet() {
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .doUntil(ask, (text, context) -> context.iteration() == 2, Repeat.atMost(3))
                .build(String.class);
        WorkflowResult<String> waiting = runtime.run(workflow, "tea", o -> {});
        RunResult again =
                runtime.giveData(waiting.runId(), "ask", new Answer(1)).result();
        assertThat(again.status()).isEqualTo(RunStatus.SUSPENDED);
        assertThat(again.pendingApprovals().getFirst().payload()).contains(Json.of(new Question("tea 1 for tea??")));
        assertThat(runtime.giveData(waiting.runId(), "ask", new Answer(2))
                        .result()
                        .text())
                .isEqualTo("tea 1 for tea? 2 for tea 1 for tea??");
    }

    @Test
    void aStepMayAskAgainAndTheLastAnswerCounts() {
        Workflow<String, String> workflow = only(step("ask", (in, context) -> {
            String so = context.resumeData(String.class).orElse("");
            return so.equals("second") ? "thanks" : context.suspend("after '" + so + "'");
        }));
        WorkflowResult<String> waiting = runtime.run(workflow, "x", o -> {});
        PendingApproval first = waiting.pending().getFirst();
        PendingApproval second =
                runtime.giveData(first, "first").result().pendingApprovals().getFirst();
        assertThat(second.waitNumber()).isEqualTo(2);
        assertThatThrownBy(() -> runtime.giveData(first, "second").result()).isInstanceOf(ApprovalException.class);
        assertThat(runtime.giveData(second, "second").result().text()).isEqualTo("thanks");
    }

    @Test
    void theAnswerIsStillThereForTheNextAttempt() {
        Workflow<String, String> workflow = only(step("ask", (in, context) -> {
                    if (context.resumeData().isEmpty()) {
                        return context.suspend("?");
                    }
                    if (context.attempt() == 1) {
                        throw new IllegalStateException("once");
                    }
                    return context.resumeData(String.class).orElseThrow();
                })
                .retries(1, Backoff.fixed(Duration.ofMinutes(4))));
        WorkflowResult<String> waiting = runtime.run(workflow, "x", o -> {});
        RunHandle run = runtime.giveData(waiting.runId(), "ask", "given");
        try (RunWatch events = run.events()) {
            for (RunEvent event : events) {
                if (event instanceof WorkflowEvent.WorkflowStepRetry) {
                    clock.advance(Duration.ofMinutes(5));
                }
                if (event instanceof RunEvent.RunFinish) {
                    break;
                }
            }
        }
        assertThat(runtime.handle(waiting.runId()).result().text()).isEqualTo("given");
    }

    @Test
    void aQuestionThatBreaksItsSchemaFailsTheStep() {
        Workflow<String, String> workflow = only(
                step("ask", (in, context) -> context.suspend("no question")).suspends(Question.class, Answer.class));
        assertThatThrownBy(() -> runtime.run(workflow, "x", o -> {}))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("The question of step 'ask' breaks its schema");
    }

    @Test
    void aFallbackMayNotAsk() {
        Workflow<String, String> workflow = only(step("gone", (in, context) -> {
                    throw new IllegalStateException("lost");
                })
                .fallback((in, error, context) -> context.suspend("What then?")));
        assertThatThrownBy(() -> runtime.run(workflow, "x", o -> {}))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("lost. Its fallback asked a question, which only the handler of a step may do; "
                        + "a fallback returns an output.");
    }

    @Test
    void onlyAStepMayAsk() {
        Workflow<String, String> workflow = Workflow.from("flow", String.class)
                .map("ask", String.class, (in, context) -> context.suspend("?"))
                .build(String.class);
        assertThatThrownBy(() -> runtime.run(workflow, "x", o -> {}))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("A question is for the handler of a step");
    }

    @Test
    void anotherProcessAnswers() {
        Path file = folder.resolve("runs.db");
        Workflow<String, String> workflow = only(ask);
        RunId run;
        try (AgentRuntime asks =
                AgentRuntime.builder().store(JdbcStore.sqlite(file)).build()) {
            run = asks.run(workflow, "tea", o -> {}).runId();
        }
        try (AgentRuntime answers = AgentRuntime.builder()
                .store(JdbcStore.sqlite(file))
                .workflows(workflow)
                .anyoneMayApprove()
                .build()) {
            assertThat(answers.handle(run).pendingApprovals())
                    .singleElement()
                    .satisfies(request -> assertThat(request.stepPath()).contains("ask"));
            assertThat(answers.giveData(run, "ask", new Answer(5)).result().text())
                    .isEqualTo("tea 5 for tea?");
            List<RunEvent> events = new ArrayList<>(answers.history(run));
            assertThat(events.getLast()).isInstanceOf(RunEvent.RunFinish.class);
        }
    }
}
