package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.fixture.PostgresServer;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolContext;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tools as steps of workflows. */
class WorkflowToolStepTest {

    record Payment(String to, int cents) {}

    record Receipt(String text) {}

    record Question(String what) {}

    record Answer(String name) {}

    @TempDir
    private Path folder;

    private static final Approver ANN = Approver.of("ann");

    private final InMemoryStore store = InMemoryStore.keepingEndedRuns();
    private final AgentRuntime runtime = runtime();
    private final ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();

    private AgentRuntime runtime(Workflow<?, ?>... workflows) {
        return AgentRuntime.builder()
                .store(store)
                .workflows(workflows)
                .anyoneMayApprove()
                .build();
    }

    @AfterEach
    void close() {
        runtime.close();
    }

    private Receipt paid(Payment payment, ToolContext context) {
        done.add(payment.to() + " " + context.step() + " " + context.idempotencyKey());
        return new Receipt("Paid " + payment.cents() + " to " + payment.to());
    }

    private Tool.Builder<Payment> pay() {
        return Tool.builder("pay", "Pays somebody.")
                .input(Payment.class)
                .output(Receipt.class)
                .handler(this::paid);
    }

    private static Workflow<Payment, Receipt> paying(Tool tool) {
        return Workflow.from("paying", Payment.class)
                .then(Step.tool(tool, Payment.class, Receipt.class))
                .build(Receipt.class);
    }

    private static List<String> events(AgentRuntime runtime, RunId run) {
        return runtime.history(run).stream().map(RunEvent::type).toList();
    }

    @Test
    void aToolIsAStepWithItsNameAndItsTypes() {
        Tool counted = Tool.builder("pay", "Pays.")
                .input(Payment.class)
                .handler((payment, context) -> {
                    context.emit("paying", payment.cents());
                    return List.of(payment.cents(), context.threadId().isPresent());
                })
                .build();
        Workflow<Payment, Json> workflow = Workflow.from("paying", Payment.class)
                .map("input", Json.class, (payment, context) -> Json.of(payment))
                .then(Step.tool(counted))
                .build(Json.class);

        WorkflowResult<Json> untyped = runtime.run(workflow, new Payment("bob", 3), o -> {});
        WorkflowResult<Receipt> typed = runtime.run(paying(pay().build()), new Payment("bob", 3), o -> {});

        assertThat(untyped.output()).isEqualTo(Json.of(List.of(3, false)));
        assertThat(typed.output()).isEqualTo(new Receipt("Paid 3 to bob"));
        assertThat(typed.steps()).singleElement().satisfies(step -> assertThat(step.path())
                .isEqualTo("pay"));
        assertThat(done).singleElement().asString().startsWith("bob 1 ");
    }

    @Test
    void argumentsAndResultsAreCheckedByTheSchemasOfTheTool() {
        Tool strict = Tool.builder("pay", "Pays.")
                .input(JsonSchema.of(Json.parse(
                        "{\"type\":\"object\",\"properties\":{\"cents\":{\"type\":\"integer\",\"maximum\":5}}}")))
                .output(Receipt.class)
                .handler((json, context) -> {
                    done.add("called");
                    return Map.of("text", 7);
                })
                .build();
        assertThatThrownBy(() -> runtime.run(paying(strict), new Payment("bob", 6), o -> {}))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("The input of step 'pay' breaks its schema");
        assertThat(done).isEmpty();
        assertThatThrownBy(() -> runtime.run(paying(strict), new Payment("bob", 5), o -> {}))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("The output of step 'pay' breaks its schema");
        assertThat(done).containsExactly("called");
    }

    @Test
    void typesThatCannotFitAreRejected() {
        assertThatThrownBy(() -> Step.tool(pay().build(), Receipt.class, Receipt.class))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("Step 'pay': the type of its input cannot be the arguments of the tool, because it lacks"
                        + " cents, to (it has text). Change the type, or use Step.tool(tool) with maps around it.");
        assertThatThrownBy(() -> Step.tool(pay().build(), Payment.class, Integer.class))
                .hasMessageContaining("the result of the tool cannot be the output, because it is of type object");
        assertThatThrownBy(() -> Step.tool(pay().build()).suspends(Question.class, Answer.class))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("suspends is for functions");
        assertThatThrownBy(() -> Step.tool(null))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("A step: its tool must not be null.");
    }

    @Test
    void aToolThatRequiresApprovalWaitsForItAndStartsThen() {
        Tool tool = pay().requiresApproval(payment -> payment.cents() > 100).build();
        assertThat(runtime.run(paying(tool), new Payment("bob", 100), o -> {}).output())
                .isEqualTo(new Receipt("Paid 100 to bob"));

        WorkflowResult<Receipt> waiting = runtime.run(paying(tool), new Payment("eve", 101), o -> {});

        PendingApproval request = waiting.pending().getFirst();
        assertThat(done).singleElement().asString().startsWith("bob");
        assertThat(request.kind()).isEqualTo(PendingApproval.Kind.APPROVAL);
        assertThat(request.toolName()).isEqualTo("pay");
        assertThat(request.stepPath()).contains("pay");
        assertThat(request.arguments()).isEqualTo(Json.of(new Payment("eve", 101)));
        assertThat(runtime.approve(request, ANN).result().object(Receipt.class))
                .isEqualTo(new Receipt("Paid 101 to eve"));
        assertThat(events(runtime, waiting.runId()))
                .containsSubsequence(
                        "workflow-step-suspended",
                        "run-suspend",
                        "run-resume",
                        "workflow-step-resumed",
                        "workflow-step-start",
                        "workflow-step-result",
                        "run-finish");
    }

    @ParameterizedTest
    @EnumSource(WorkflowRunTest.Kind.class)
    void anotherProcessExecutesWhatWasApproved(WorkflowRunTest.Kind kind) throws Exception {
        Workflow<Payment, Receipt> workflow = paying(pay().requiresApproval().build());
        Store stored = store(kind);
        try (AgentRuntime first = AgentRuntime.builder().store(stored).build();
                AgentRuntime second = AgentRuntime.builder()
                        .store(stored)
                        .workflows(workflow)
                        .anyoneMayApprove()
                        .build()) {
            PendingApproval request = first.run(workflow, new Payment("bob", 1), o -> {})
                    .pending()
                    .getFirst();
            assertThat(second.approve(request, ANN).result().text()).contains("Paid 1 to bob");
        }
        assertThat(done).hasSize(1);
    }

    private Store store(WorkflowRunTest.Kind kind) throws Exception {
        return switch (kind) {
            case MEMORY -> InMemoryStore.keepingEndedRuns();
            case SQLITE -> JdbcStore.sqlite(folder.resolve("runs.db"));
            case POSTGRES -> JdbcStore.postgres(PostgresServer.newStore(), PostgresServer.USER, "");
        };
    }

    @Test
    void aToolThatIsNotApprovedIsNotExecutedAndItsStepFails() {
        Tool tool = pay().requiresApproval().build();
        WorkflowResult<Receipt> waiting = runtime.run(paying(tool), new Payment("bob", 1), o -> {});
        RunHandle run = runtime.decline(waiting.pending().getFirst(), ANN, "too much");
        assertThatThrownBy(run::result)
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining(
                        "Step 'pay' failed: Step 'pay' was not executed: it was not approved. Reason: too much");

        Workflow<Payment, Receipt> recovering = Workflow.from("paying", Payment.class)
                .then(Step.tool(tool, Payment.class, Receipt.class)
                        .fallback((payment, error, context) -> new Receipt(error)))
                .build(Receipt.class);
        WorkflowResult<Receipt> again = runtime.run(recovering, new Payment("bob", 1), o -> {});
        assertThat(runtime.decline(again.pending().getFirst(), ANN, "too much")
                        .result()
                        .text())
                .contains("it was not approved. Reason: too much");
        assertThat(done).isEmpty();
    }

    @Test
    void approvalIsAskedOnceForAllAttempts() {
        ConcurrentLinkedQueue<Integer> asked = new ConcurrentLinkedQueue<>();
        Tool tool = Tool.builder("pay", "Pays.")
                .input(Payment.class)
                .output(Receipt.class)
                .requiresApproval(payment -> asked.add(payment.cents()))
                .handler((payment, context) -> {
                    done.add(context.idempotencyKey());
                    if (done.size() < 3) {
                        throw new IllegalStateException("busy");
                    }
                    return new Receipt("Paid");
                })
                .build();
        Workflow<Payment, Receipt> workflow = Workflow.from("paying", Payment.class)
                .then(Step.tool(tool, Payment.class, Receipt.class).retries(2, Backoff.fixed(Duration.ofMillis(1))))
                .build(Receipt.class);
        WorkflowResult<Receipt> waiting = runtime.run(workflow, new Payment("bob", 1), o -> {});
        assertThat(runtime.approve(waiting.pending().getFirst(), ANN).result().text())
                .contains("Paid");
        assertThat(asked).hasSize(1);
        assertThat(done).hasSize(3);
        assertThat(done.stream().distinct()).hasSize(1);
    }

    @Test
    void theRunAndThoseAboveItMayRequireApproval() {
        Workflow<Payment, Receipt> workflow = paying(pay().build());
        Workflow<Payment, Receipt> outer =
                Workflow.from("outer", Payment.class).then(workflow).build(Receipt.class);
        assertThat(runtime.run(workflow, new Payment("bob", 1), o -> o.requireToolApproval(true))
                        .status())
                .isEqualTo(RunStatus.SUSPENDED);
        WorkflowResult<Receipt> nested = runtime.run(
                outer,
                new Payment("bob", 1),
                o -> o.requireToolApproval(call -> call.toolName().equals("pay")));
        assertThat(nested.pending()).singleElement().satisfies(request -> assertThat(request.toolName())
                .isEqualTo("pay"));
        assertThat(done).isEmpty();
        assertThat(runtime.approve(nested.pending().getFirst(), ANN).result().status())
                .isEqualTo(RunStatus.COMPLETED);
    }

    @Test
    void aToolThatAsksForDataSuspendsItsStep() {
        Tool tool = Tool.builder("greet", "Greets.")
                .input(Payment.class)
                .suspends(Question.class, Answer.class)
                .handler((payment, context) -> context.providedData(Answer.class)
                        .<Object>map(answer -> new Receipt("Hello " + answer.name()))
                        .orElseGet(() -> context.suspend(new Question("Who?"))))
                .build();
        Workflow<Payment, Receipt> workflow = Workflow.from("greeting", Payment.class)
                .then(Step.tool(tool, Payment.class, Receipt.class))
                .build(Receipt.class);
        WorkflowResult<Receipt> waiting = runtime.run(workflow, new Payment("bob", 1), o -> {});
        assertThat(waiting.pending().getFirst().payload()).contains(Json.of(new Question("Who?")));
        assertThat(runtime.giveData(waiting.runId(), "greet", new Answer("Bob"))
                        .result()
                        .object(Receipt.class))
                .isEqualTo(new Receipt("Hello Bob"));
    }

    @Test
    void eachItemOfAForeachIsApprovedByItself() {
        Workflow<Payment, Json> workflow = Workflow.from("all", Payment.class)
                .foreach(
                        "each",
                        (payment, context) -> List.of(payment, new Payment("eve", 2)),
                        Step.tool(pay().requiresApproval().build(), Payment.class, Receipt.class),
                        Each.concurrency(2))
                .map("json", Json.class, (receipts, context) -> Json.of(receipts))
                .build(Json.class);
        WorkflowResult<Json> waiting = runtime.run(workflow, new Payment("bob", 1), o -> {});
        assertThat(waiting.pending()).hasSize(2);
        assertThat(waiting.pending().get(1).stepPath()).contains("each[1]");
        runtime.approve(waiting.pending().get(1), ANN).result();
        RunResult result = runtime.approve(waiting.pending().get(0), ANN).result();
        assertThat(result.text()).isEqualTo("[{\"text\":\"Paid 1 to bob\"},{\"text\":\"Paid 2 to eve\"}]");
        assertThat(done).hasSize(2);
        assertThat(done.peek()).startsWith("eve");
    }

    @Test
    void aCallThatACrashInterruptedWaitsForAHumanUnlessTheToolIsRepeatable() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch gone = new CountDownLatch(1);
        for (boolean repeatable : List.of(false, true)) {
            done.clear();
            Tool.Builder<Payment> builder = pay().handler((payment, context) -> {
                begun.countDown();
                gone.await();
                return paid(payment, context);
            });
            Workflow<Payment, Receipt> workflow =
                    paying(repeatable ? builder.repeatable().build() : builder.build());
            RunId run;
            try (AgentRuntime dying = AgentRuntime.builder()
                    .store(Crashing.goneBefore(2, store))
                    .workflows(workflow)
                    .build()) {
                RunHandle handle = dying.start(workflow, new Payment("bob", 1), o -> {});
                begun.await();
                gone.countDown();
                assertThatThrownBy(handle::result).isInstanceOf(RunFailedException.class);
                run = handle.runId();
            }
            try (AgentRuntime next = runtime(workflow)) {
                RunResult result = next.resume(run, o -> {}).result();
                if (repeatable) {
                    assertThat(result.status()).isEqualTo(RunStatus.COMPLETED);
                    assertThat(done).hasSize(2);
                    assertThat(done.stream().distinct()).hasSize(1);
                } else {
                    assertThat(result.pendingApprovals().getFirst().kind()).isEqualTo(PendingApproval.Kind.INTERRUPTED);
                    assertThat(done).hasSize(1);
                    assertThat(next.giveData(result.pendingApprovals().getFirst(), new Receipt("Yes"))
                                    .result()
                                    .object(Receipt.class))
                            .isEqualTo(new Receipt("Yes"));
                    assertThat(done).hasSize(1);
                }
            }
        }
    }
}
