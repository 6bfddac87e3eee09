package dev.chargehand.examples.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.run.RunStatus;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.workflow.StepOutcome;
import dev.chargehand.workflow.WorkflowResult;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples of workflows, with scripted models. */
class WorkflowExamplesTest {

    @TempDir
    private Path folder;

    @Test
    void aLargeOrderWaitsForAHumanAndIsChargedInTheNextProcess() {
        AtomicInteger charged = new AtomicInteger();
        Path file = folder.resolve("orders.db");
        var workflow = ApprovedOrder.workflow((order, context) -> {
            if (charged.incrementAndGet() < 3) {
                throw new IllegalStateException("no answer");
            }
            return order;
        });
        WorkflowResult<ApprovedOrder.Receipt> waiting =
                ApprovedOrder.place(file, workflow, new ApprovedOrder.Order("Ann", 250_000));
        assertThat(waiting.status()).isEqualTo(RunStatus.SUSPENDED);
        assertThat(charged).hasValue(0);
        assertThat(ApprovedOrder.release(file, workflow, waiting.runId(), true))
                .isEqualTo(new ApprovedOrder.Receipt("Ann", 250_000, "bob"));
        assertThat(charged).hasValue(3);
    }

    @Test
    void anOrderThatIsNotReleasedIsNotCharged() {
        Path file = folder.resolve("orders.db");
        var workflow = ApprovedOrder.workflow((order, context) -> {
            throw new IllegalStateException("must not be called");
        });
        WorkflowResult<ApprovedOrder.Receipt> waiting =
                ApprovedOrder.place(file, workflow, new ApprovedOrder.Order("Ann", 250_000));
        assertThat(ApprovedOrder.release(file, workflow, waiting.runId(), false).cents())
                .isZero();
    }

    @Test
    void aSmallOrderIsChargedAtOnce() {
        WorkflowResult<ApprovedOrder.Receipt> result = ApprovedOrder.place(
                folder.resolve("orders.db"),
                ApprovedOrder.workflow((order, context) -> order),
                new ApprovedOrder.Order("Bob", 900));
        assertThat(result.output()).isEqualTo(new ApprovedOrder.Receipt("Bob", 900, "nobody"));
    }

    @Test
    void aDigestIsWrittenFromTheDocumentsThatCouldBeRead() {
        Script script = ScriptedModel.script()
                .on("reader")
                .says("no JSON")
                .whenAsked("broken")
                .forever()
                .then()
                .says("{\"sentence\":\"It is fine.\"}")
                .forever()
                .on("writer")
                .says("All is fine.");
        var workflow = DocumentDigest.workflow(
                ModelChoice.of(script.modelFor("reader")), ModelChoice.of(script.modelFor("writer")));
        WorkflowResult<String> result = DocumentDigest.digest(
                workflow,
                IntStream.range(0, 9)
                        .mapToObj(i -> new DocumentDigest.Document(i + ".md", i == 4 ? "broken" : "text"))
                        .toList());
        assertThat(result.output()).isEqualTo("All is fine.");
        assertThat(script.requestsOf("writer").getFirst().toString()).contains("8.md: It is fine.", "Not read: 4.md");
        assertThat(result.steps()).extracting(StepOutcome::path).contains("documents[8]", "write");
    }

    @Test
    void theSupervisorHasTheWorkflowDone() {
        Script script = ScriptedModel.script()
                .on("routing-agent")
                .calls("workflow-city-workflow", Map.of("city", "London"))
                .then()
                .says("London is old.")
                .on("research-agent")
                .says("- founded by the Romans")
                .on("writing-agent")
                .says("London was founded by the Romans.");
        try (AgentRuntime runtime = AgentRuntime.builder().build()) {
            RunResult result = runtime.bind(CityWorkflow.supervisor(id -> ModelChoice.of(script.modelFor(id))))
                    .generate("Collect some historical facts about London.");
            assertThat(result.text()).isEqualTo("London is old.");
            assertThat(result.usageByAgent()).containsKeys("research-agent", "writing-agent");
        }
        assertThat(script.requestsOf("writing-agent").getFirst().toString()).contains("founded by the Romans");
        script.assertExhausted();
    }
}
