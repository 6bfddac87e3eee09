package dev.chargehand.testkit;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.tool.Tool;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a failed assertion says of a run. */
class RunResultAssertTest {

    record Row(String id) {}

    private static RunResult delegated() {
        Agent worker = Agent.builder("worker")
                .description("Works.")
                .model("openai/gpt-5-mini")
                .tools(Tool.of("delete", "Deletes a row.", Row.class, (row, context) -> "Deleted " + row.id()))
                .build();
        Agent boss =
                Agent.builder("boss").model("openai/gpt-5-mini").agents(worker).build();
        try (TestRuntime test = TestRuntime.with(ScriptedModel.script()
                .on("boss")
                .delegates("worker", "Clean up")
                .then()
                .says("Done")
                .on("worker")
                .calls("delete", Map.of("id", "7"))
                .then()
                .says("Clean"))) {
            return test.bind(boss).generate("Go");
        }
    }

    @Test
    void theCallsOfASubAgentAreShownBelowItsDelegation() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(delegated()).calledTool("delete"))
                .withMessage("Expected agent <boss> itself to call <delete>, but its calls were "
                        + "[agent-worker{\"prompt\":\"Clean up\"} -> \"Clean\" with the calls"
                        + " [delete{\"id\":\"7\"} -> \"Deleted 7\"]]");
    }

    @Test
    void aCallThatWasNotExpectedIsShown() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(delegated()).didNotCallTool("agent-worker"))
                .withMessageStartingWith(
                        "Expected agent <boss> itself not to call <agent-worker>, but its calls were [");
    }
}
