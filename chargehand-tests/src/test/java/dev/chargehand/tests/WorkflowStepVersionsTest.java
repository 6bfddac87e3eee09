package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import dev.chargehand.version.Versions;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The versions that a call of a workflow selects hold for the agents of its steps, at every level. */
class WorkflowStepVersionsTest extends VersionFixture {

    private final Agent writer1 = worker("writer", "1");
    private final Agent writer2 = worker("writer", "2");
    private final Agent deleter1 = deleter("deleter", "1");
    private final Agent deleter2 = deleter("deleter", "2");

    private static Step<String, String> step(Agent agent) {
        return agent.asStep(agent.id(), String.class, (in, context) -> in);
    }

    private final Workflow<String, String> inner =
            Workflow.from("inner", String.class).then(step(writer1)).build(String.class);

    private final Workflow<String, String> outer =
            Workflow.from("outer", String.class).then(inner).build(String.class);

    private String output(Workflow<String, String> workflow, Consumer<RunOptions.Builder> options) {
        try (AgentRuntime runtime =
                building(writer1, writer2).workflows(workflow).build()) {
            return runtime.run(workflow, "Go", options).output();
        }
    }

    @Test
    void theVersionOfAStepsAgentIsSelectedByTheCall() {
        assertThat(output(inner, o -> {})).isEqualTo("writer 1");
        assertThat(output(inner, o -> o.version("writer", id("2")))).isEqualTo("writer 2");
        assertThat(output(inner, o -> o.defaultVersion(id("2")))).isEqualTo("writer 2");
        assertThat(output(inner, o -> o.requestContext(context(Versions.NONE.agent("writer", id("2"))))))
                .isEqualTo("writer 2");
    }

    @Test
    void theSelectionHoldsInNestedWorkflows() {
        assertThat(output(outer, o -> o.version("writer", id("2")))).isEqualTo("writer 2");
        assertThat(output(outer, o -> o.defaultVersion(id("2")))).isEqualTo("writer 2");
    }

    @Test
    void theSelectionHoldsBelowAgentsOfSteps() {
        Agent boss = supervisor("boss", "", writer1);
        Workflow<String, String> workflow =
                Workflow.from("outer", String.class).then(step(boss)).build(String.class);
        assertThat(output(workflow, o -> o.version("writer", id("2")))).isEqualTo("boss  [writer 2]");
    }

    @Test
    void anUnknownVersionFailsTheStepAndAnUnknownAgentTheCall() {
        assertThatExceptionOfType(RunFailedException.class)
                .isThrownBy(() -> output(outer, o -> o.version("writer", id("3"))))
                .satisfies(e -> assertThat(e.getMessage()).contains("version-unknown"));
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> output(outer, o -> o.version("nobody", id("3"))))
                .withMessageContaining("nobody");
    }

    @Test
    void aRunContinuesInItsVersionInAnotherProcess() {
        Workflow<String, String> deleting = Workflow.from("deleting", String.class)
                .then(step(deleter1))
                .then(step(writer1))
                .build(String.class);
        RunId run;
        try (AgentRuntime runtime = building(deleter1, deleter2, writer1, writer2)
                .workflows(deleting)
                .build()) {
            run = runtime.start(deleting, "Go", o -> o.defaultVersion(id("2")))
                    .result()
                    .runId();
        }
        try (AgentRuntime other = building(deleter1, deleter2, writer1, writer2)
                .workflows(deleting)
                .build()) {
            RunResult result = other.approve(
                            other.handle(run).pendingApprovals().getFirst(), ANN)
                    .result();
            assertThat(result.object(String.class)).isEqualTo("writer 2");
            assertThat(other.history(run))
                    .filteredOn(RunEvent.RunStart.class::isInstance)
                    .extracting(event -> ((RunEvent.RunStart) event).version())
                    .contains("2", "2");
        }
    }
}
