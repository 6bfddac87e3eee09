package dev.chargehand.examples.workflow;

import dev.chargehand.AgentRuntime;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Branch;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.StepHandler;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** An order that a human must release if it is large, and whose payment is tried again: it waits and continues in any process. */
public final class ApprovedOrder {

    record Order(String customer, int cents) {}

    record Question(String text) {}

    record Release(boolean ok, String by) {}

    record Receipt(String customer, int cents, String releasedBy) {}

    private ApprovedOrder() {}

    /** Run it in two runtimes, as two processes would; it needs no model. */
    public static void main(String[] arguments) {
        StepHandler<Order, Order> charge = (order, context) -> {
            if (context.attempt() == 1) {
                throw new IllegalStateException("The bank does not answer.");
            }
            return order;
        };
        Path file = Path.of("orders.db");
        WorkflowResult<Receipt> waiting = place(file, workflow(charge), new Order("Ann", 250_000));
        System.out.println("It asks: " + waiting.pending().getFirst().payload().orElseThrow());
        System.out.println(release(file, workflow(charge), waiting.runId(), true));
    }

    static Workflow<Order, Receipt> workflow(StepHandler<Order, Order> charge) {
        Step<Order, Order> release = Step.of("release", Order.class, Order.class, (order, context) -> {
                    Optional<Release> answer = context.resumeData(Release.class);
                    if (answer.isEmpty()) {
                        return context.suspend(
                                new Question("Release " + order.cents() + " for " + order.customer() + "?"));
                    }
                    if (!answer.get().ok()) {
                        return context.bail(
                                new Receipt(order.customer(), 0, answer.get().by()));
                    }
                    context.updateState(Map.of("by", answer.get().by()));
                    return order;
                })
                .suspends(Question.class, Release.class);
        Step<Order, Order> pay = Step.of("charge", Order.class, Order.class, charge)
                .repeatable()
                .retries(3, Backoff.exponential(Duration.ofMillis(20)))
                .timeout(Duration.ofSeconds(20));
        return Workflow.from("approved-order", Order.class)
                .description("Charges an order; a large one must be released by a human.")
                .branch(Branch.<Order, Order>when("large", (order, context) -> order.cents() > 100_000, release)
                        .otherwisePass())
                .then(pay)
                .map(
                        "receipt",
                        Receipt.class,
                        (order, context) -> new Receipt(
                                order.customer(),
                                order.cents(),
                                context.state().at("/by").flatMap(Json::string).orElse("nobody")))
                .build(Receipt.class);
    }

    static WorkflowResult<Receipt> place(Path file, Workflow<Order, Receipt> workflow, Order order) {
        try (AgentRuntime runtime = runtime(file, workflow)) {
            return runtime.run(workflow, order, o -> {});
        }
    }

    static Receipt release(Path file, Workflow<Order, Receipt> workflow, RunId runId, boolean ok) {
        try (AgentRuntime runtime = runtime(file, workflow)) {
            return runtime.giveData(runId, "release", new Release(ok, "bob"))
                    .result()
                    .object(Receipt.class);
        }
    }

    private static AgentRuntime runtime(Path file, Workflow<Order, Receipt> workflow) {
        return AgentRuntime.builder()
                .store(JdbcStore.sqlite(file))
                .workflows(workflow)
                .anyoneMayApprove()
                .build();
    }
}
