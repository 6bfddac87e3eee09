package dev.chargehand.examples.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunHandle;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowResult;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The samples of docs/workflows.md about questions and forks. */
class WaitingPageTest {

    record Quote(int cents) {}

    record Payment(String by, int cents) {}

    record Question(String text) {}

    record Decision(String by) {}

    @Test
    void aStepAsksAndIsAnsweredByItsPath() {
        Step<Quote, Payment> approval = Step.of("approval", Quote.class, Payment.class, (quote, context) -> {
                    Optional<Decision> decision = context.resumeData(Decision.class);
                    return decision.isEmpty()
                            ? context.suspend(new Question("Pay " + quote.cents() + "?"))
                            : new Payment(decision.get().by(), quote.cents());
                })
                .suspends(Question.class, Decision.class);
        Workflow<Quote, Payment> ordering =
                Workflow.from("ordering", Quote.class).then(approval).build(Payment.class);
        try (AgentRuntime runtime = AgentRuntime.builder().anyoneMayApprove().build()) {
            WorkflowResult<Payment> waiting = runtime.run(ordering, new Quote(200), o -> {});
            PendingApproval question = waiting.pending().getFirst(); // its payload is the question
            assertThat(waiting.status()).isEqualTo(RunStatus.SUSPENDED);
            assertThat(question.payload()).contains(Json.of(new Question("Pay 200?")));
            RunHandle run = runtime.giveData(waiting.runId(), "approval", new Decision("ann"));
            assertThat(run.result().object(Payment.class)).isEqualTo(new Payment("ann", 200));
        }
    }

    @Test
    void aFailedRunIsForkedBeforeTheStepThatFailed() {
        Step<Quote, Integer> price = Step.of("price", Quote.class, Integer.class, (quote, context) -> quote.cents());
        Workflow<Quote, String> ordering = Workflow.from("ordering", Quote.class)
                .then(price)
                .then(Step.of("pay", Integer.class, String.class, (cents, context) -> {
                    throw new IllegalStateException("The bank is closed.");
                }))
                .build(String.class);
        Workflow<Quote, String> corrected = Workflow.from("ordering", Quote.class)
                .version("2")
                .then(price)
                .then(Step.of("pay", Integer.class, String.class, (cents, context) -> "Paid " + cents))
                .build(String.class);
        try (AgentRuntime runtime =
                AgentRuntime.builder().store(InMemoryStore.keepingEndedRuns()).build()) {
            RunId failed = catchThrowableOfType(
                            RunFailedException.class, () -> runtime.run(ordering, new Quote(200), o -> {}))
                    .result()
                    .runId();
            RunHandle fork = runtime.fork(
                    failed, f -> f.before("pay").workflow(corrected).output("price", 300));
            assertThat(fork.result().text()).isEqualTo("Paid 300");
        }
    }

    @Test
    void aRunStartsInTheMiddle() {
        Workflow<Quote, String> ordering = Workflow.from("ordering", Quote.class)
                .then(Step.of("pay", Quote.class, String.class, (quote, context) -> "Paid " + quote.cents()))
                .then(Step.of("ship", String.class, String.class, (paid, context) -> "Sent: " + paid))
                .build(String.class);
        Quote order = new Quote(500);
        try (AgentRuntime runtime = AgentRuntime.builder().build()) {
            WorkflowResult<String> shipped =
                    runtime.run(ordering, order, o -> o.from("ship", Map.of("pay", "Paid 500")));
            assertThat(shipped.output()).isEqualTo("Sent: Paid 500");
        }
    }
}
