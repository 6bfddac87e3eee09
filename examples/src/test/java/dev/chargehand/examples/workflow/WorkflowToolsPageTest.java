package dev.chargehand.examples.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.completion.Scored;
import dev.chargehand.completion.Scorers;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Backoff;
import dev.chargehand.workflow.Branch;
import dev.chargehand.workflow.Entry.Failure;
import dev.chargehand.workflow.Outputs;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowContext;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The samples of docs/workflows.md with tools and scorers as steps, and of what a failure means. */
class WorkflowToolsPageTest {

    record Payment(String to, int cents) {}

    record Receipt(String text) {}

    @Test
    void toolsAreSteps() {
        Tool payments = Tool.of(
                "pay", "Pays somebody.", Payment.class, (payment, context) -> new Receipt("Paid " + payment.cents()));
        Step<Payment, Receipt> pay = Step.tool(payments, Payment.class, Receipt.class)
                .retries(2, Backoff.exponential(Duration.ofMillis(10)));
        Workflow<Payment, Receipt> paying =
                Workflow.from("paying", Payment.class).then(pay).build(Receipt.class);
        try (AgentRuntime runtime = AgentRuntime.builder().workflows(paying).build()) {
            assertThat(runtime.run(paying, new Payment("ann", 500), o -> {}).output())
                    .isEqualTo(new Receipt("Paid 500"));
        }
    }

    @Test
    void scorersAreSteps() {
        Step<String, String> write =
                Step.of("write", String.class, String.class, (topic, context) -> topic + ", please");
        Step<Scored, String> send = Step.of("send", Scored.class, String.class, (score, context) -> "sent");
        Step<Scored, String> reject = Step.of("reject", Scored.class, String.class, (score, context) -> score.reason());
        Workflow<String, String> answering = Workflow.from("answering", String.class)
                .then(write)
                .then(Step.scorer("polite", Scorers.contains("please")))
                .branch(Branch.when("good", (Scored score, WorkflowContext context) -> score.passed(), send)
                        .otherwise(reject))
                .build(String.class);
        try (AgentRuntime runtime = AgentRuntime.builder().workflows(answering).build()) {
            assertThat(runtime.run(answering, "Tea", o -> {}).output()).isEqualTo("sent");
        }
    }

    @Test
    void siblingsAreCancelled() {
        Step<String, String> reserve = Step.of("reserve", String.class, String.class, (item, context) -> "reserved");
        Step<String, Integer> price = Step.of("price", String.class, Integer.class, (item, context) -> 250);
        Workflow<String, Outputs> ordering = Workflow.from("ordering", String.class)
                .parallel(reserve, price)
                .onFailure(Failure.CANCEL_SIBLINGS)
                .build(Outputs.class);
        try (AgentRuntime runtime = AgentRuntime.builder().workflows(ordering).build()) {
            assertThat(runtime.run(ordering, "cup", o -> {}).output().get(price))
                    .isEqualTo(250);
        }
    }
}
