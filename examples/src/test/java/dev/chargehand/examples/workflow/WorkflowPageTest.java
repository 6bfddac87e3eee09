package dev.chargehand.examples.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.WorkflowEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonType;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Branch;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Outcome;
import dev.chargehand.workflow.Outputs;
import dev.chargehand.workflow.Repeat;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.StepOutcome;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The samples of docs/workflows.md, and what the page says of failures and limits. */
class WorkflowPageTest {

    @TempDir
    private Path folder;

    record Order(String item, int count) {}

    record Draft(String text, int round) {}

    record Progress(int written, Map<String, Integer> lengths) {}

    private final List<String> sent = new ArrayList<>();

    private static <I, O> WorkflowResult<O> run(Workflow<I, O> workflow, I input) {
        try (AgentRuntime runtime = AgentRuntime.builder().build()) {
            return runtime.run(workflow, input, o -> {});
        }
    }

    @Test
    void theFirstProgram() {
        Step<Order, Integer> price =
                Step.of("price", Order.class, Integer.class, (order, context) -> 250 * order.count());
        Step<Integer, String> pay = Step.of("pay", Integer.class, String.class, (cents, context) -> "Paid " + cents);
        Workflow<Order, String> ordering =
                Workflow.from("ordering", Order.class).then(price).then(pay).build(String.class);
        try (AgentRuntime runtime = AgentRuntime.builder().workflows(ordering).build()) {
            WorkflowResult<String> result = runtime.run(ordering, new Order("cup", 2), o -> {});
            System.out.println(result.output()); // Paid 500
        }
        WorkflowResult<String> result = run(ordering, new Order("cup", 2));
        assertThat(result.output()).isEqualTo("Paid 500");
        assertThat(result.steps()).extracting(StepOutcome::path).containsExactly("price", "pay");
    }

    @Test
    void everyCaseThatIsTrueRunsWithBranchAll() {
        Step<Order, String> tellSales = Step.of("tell-sales", Order.class, String.class, (order, context) -> "told");
        Step<Order, String> pack = Step.of("pack", Order.class, String.class, (order, context) -> "packed");
        Workflow<Order, String> workflow = Workflow.from("cases", Order.class)
                .branchAll(
                        Branch.when("many", (order, context) -> order.count() > 10, tellSales),
                        Branch.when("some", (order, context) -> order.count() > 0, pack))
                .map("summary", String.class, (out, context) -> out.find(tellSales)
                        .orElse("not told"))
                .build(String.class);
        assertThat(run(workflow, new Order("cup", 2)).output()).isEqualTo("not told");
        assertThat(run(workflow, new Order("cup", 20)).output()).isEqualTo("told");
    }

    @Test
    void aLoopRunsItsStepAtLeastOnce() {
        Step<Draft, Draft> write = Step.of(
                "write",
                Draft.class,
                Draft.class,
                (draft, context) -> new Draft(draft.text() + "!", context.iteration()));
        Workflow<Draft, Draft> workflow = Workflow.from("writing", Draft.class)
                .doWhile(write, (draft, context) -> draft.text().length() < 5, Repeat.atMost(20))
                .build(Draft.class);
        assertThat(run(workflow, new Draft("abc", 0)).output()).isEqualTo(new Draft("abc!!", 2));
        assertThat(run(workflow, new Draft("abcdefgh", 0)).output().round()).isEqualTo(1);
    }

    @Test
    void itemsThatFailAreValuesIfTheyAreCollected() {
        Step<String, String> mail = Step.of("mail", String.class, String.class, (customer, context) -> {
            if (customer.isEmpty()) {
                throw new IllegalArgumentException("no address");
            }
            sent.add(customer);
            return customer;
        });
        Workflow<List<String>, Integer> collecting = Workflow.from("mailing", new JsonType<List<String>>() {})
                .foreach(
                        "mails",
                        (customers, context) -> customers,
                        mail,
                        Each.concurrency(8).collect())
                .map("count", Integer.class, (mails, context) -> (int) mails.stream()
                        .filter(each -> each instanceof Outcome.Success)
                        .count())
                .build(Integer.class);
        assertThat(run(collecting, List.of("ann", "", "cid")).output()).isEqualTo(2);

        sent.clear();
        Workflow<List<String>, List<String>> failing = Workflow.from("mailing", new JsonType<List<String>>() {})
                .foreach((customers, context) -> customers, mail)
                .build(new JsonType<List<String>>() {});
        assertThatThrownBy(() -> run(failing, List.of("ann", "", "cid")))
                .isInstanceOfSatisfying(RunFailedException.class, e -> {
                    assertThat(e.code()).isEqualTo("step-failed");
                    assertThat(e).hasMessageContaining("mail[1]");
                    assertThat(e.result().workflowSteps()).hasSize(3);
                });
        assertThat(sent).containsExactly("ann"); // the next item does not start
    }

    @Test
    void theStateIsSharedByMergePatches() {
        Step<String, String> left = Step.of("left", String.class, String.class, (text, context) -> {
            context.updateState(Map.of("lengths", Map.of("left", text.length())));
            return text;
        });
        Step<String, String> right = Step.of("right", String.class, String.class, (text, context) -> {
            context.updateState(Map.of("lengths", Map.of("right", text.length() * 2)));
            return text;
        });
        Step<Outputs, Integer> sum = Step.of("sum", Outputs.class, Integer.class, (out, context) -> {
            Progress progress = context.state(Progress.class);
            context.updateState(Map.of("written", progress.written() + 1));
            return progress.lengths().values().stream().mapToInt(i -> i).sum();
        });
        Workflow<String, Integer> workflow = Workflow.from("lengths", String.class)
                .state(Progress.class, new Progress(0, Map.of()))
                .parallel(left, right)
                .then(sum)
                .build(Integer.class);
        WorkflowResult<Integer> result = run(workflow, "abc");
        assertThat(result.output()).isEqualTo(9);
        assertThat(result.state().as(Progress.class)).isEqualTo(new Progress(1, Map.of("left", 3, "right", 6)));
    }

    @Test
    void aFailureCanBeTriedAgainReplacedOrLeftOut() {
        Step<Order, Integer> look = Step.of("look", Order.class, Integer.class, (order, context) -> {
            if (context.attempt() < 3) {
                throw new IllegalStateException("busy");
            }
            return order.count();
        });
        Step<Order, Integer> patient = look.withId("patient")
                .retries(4, Backoff.exponential(Duration.ofMillis(1)))
                .timeout(Duration.ofSeconds(20));
        Step<Order, Integer> replaced = look.withId("replaced").fallback((order, error, context) -> -1);
        Step<Order, Optional<Integer>> leftOut = look.withId("left-out").optional();
        Workflow<Order, String> workflow = Workflow.from("looking", Order.class)
                .parallel(patient, replaced, leftOut)
                .map(
                        "all",
                        String.class,
                        (out, context) -> out.get(patient) + " " + out.get(replaced) + " " + out.get(leftOut))
                .build(String.class);
        WorkflowResult<String> result = run(workflow, new Order("cup", 7));
        assertThat(result.output()).isEqualTo("7 -1 Optional.empty");
        assertThat(result.steps()).extracting(StepOutcome::attempts).containsExactly(3, 1, 1);
    }

    @Test
    void aConditionThatThrowsFailsTheRun() {
        Step<Order, Order> same = Step.of("same", Order.class, Order.class, (order, context) -> order);
        Workflow<Order, Order> workflow = Workflow.from("failing", Order.class)
                .branch(Branch.when("odd", (order, context) -> 1 / order.count() > 0, same)
                        .otherwisePass())
                .build(Order.class);
        assertThatThrownBy(() -> run(workflow, new Order("cup", 0)))
                .isInstanceOfSatisfying(
                        RunFailedException.class, e -> assertThat(e.code()).isEqualTo("hook-failed"));
        assertThat(run(workflow, new Order("cup", 2)).output()).isEqualTo(new Order("cup", 2));
    }

    @Test
    void aLimitEndsTheRunAsIncomplete() {
        Step<Draft, Draft> same = Step.of("same", Draft.class, Draft.class, (draft, context) -> draft);
        Workflow<Draft, Draft> endless = Workflow.from("endless", Draft.class)
                .doUntil(same, (draft, context) -> false, Repeat.atMost(1_000_000))
                .build(Draft.class);
        Draft input = new Draft("", 0);
        try (AgentRuntime runtime = AgentRuntime.builder().build()) {
            WorkflowResult<Draft> result = runtime.run(endless, input, o -> o.limit(Limit.LOOP_ITERATIONS, 20));
            assertThat(result.status()).isEqualTo(RunStatus.INCOMPLETE);
            assertThat(result.stopReason()).isEqualTo(new StopReason.LimitReached("loopIterations"));
            assertThat(result.outputJson()).isEmpty();
            assertThat(result.steps()).hasSize(20);
            assertThatThrownBy(() -> runtime.run(endless, input, o -> o.maxSteps(3)))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("maxSteps");
        }
    }

    @Test
    void aRunIsStoredAndFollowed() {
        Step<Order, String> pay = Step.of("pay", Order.class, String.class, (order, context) -> {
            context.emit("paying", order.item());
            return "Paid " + order.count();
        });
        Workflow<Order, String> ordering =
                Workflow.from("ordering", Order.class).then(pay).build(String.class);
        Order order = new Order("cup", 2);
        Path file = folder.resolve("runs.db");
        RunId submitted;
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(JdbcStore.sqlite(file))
                .workflows(ordering)
                .build()) {
            RunHandle run = runtime.start(ordering, order, o -> o.idempotencyKey("order-17"));
            String paid = run.result().object(String.class);
            assertThat(paid).isEqualTo("Paid 2");
            List<String> lines = new ArrayList<>();
            try (RunStream events = runtime.stream(ordering, order, o -> {})) {
                for (RunEvent event : events) {
                    if (event instanceof WorkflowEvent.WorkflowStepResult step) {
                        lines.add(step.stepPath() + " " + step.output());
                    }
                }
            }
            assertThat(lines).containsExactly("pay \"Paid 2\"");
            submitted = runtime.submit(ordering, order, o -> {});
        }
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(JdbcStore.sqlite(file))
                .workflows(ordering)
                .build()) {
            RunResult result = runtime.resume(submitted, o -> {}).result();
            assertThat(result.object(String.class)).isEqualTo("Paid 2");
            assertThat(result.workflowState()).contains(Json.of(Map.of()));
        }
    }

    @Test
    void theExample() {
        try (AgentRuntime runtime = AgentRuntime.builder().build()) {
            Workflow<OrderWorkflow.Order, OrderWorkflow.Receipt> ordering =
                    OrderWorkflow.workflow(new OrderWorkflow.Shop());
            WorkflowResult<OrderWorkflow.Receipt> large =
                    runtime.run(ordering, new OrderWorkflow.Order("Bob", List.of("piano", "stool")), o -> {});
            assertThat(large.output())
                    .isEqualTo(new OrderWorkflow.Receipt("Paid by invoice.", 251_900, List.of("piano")));
            WorkflowResult<OrderWorkflow.Receipt> empty =
                    runtime.run(ordering, new OrderWorkflow.Order("Cid", List.of()), o -> {});
            assertThat(empty.stopReason()).isInstanceOf(StopReason.Bailed.class);
            assertThat(empty.status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(empty.output().message()).isEqualTo("Nothing was ordered.");
        }
    }
}
