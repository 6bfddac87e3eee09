package dev.chargehand.examples.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowResult;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The samples of docs/workflows.md about questions. */
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
}
