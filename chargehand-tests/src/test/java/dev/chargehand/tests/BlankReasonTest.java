package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.hook.DelegationDecision;
import dev.chargehand.hook.ToolCallDecision;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A call may be rejected without a reason, and then the model reads no empty one. */
class BlankReasonTest {

    record Row(String id) {}

    private static Tool delete(boolean approval) {
        return Tool.builder("delete", "Deletes a row.")
                .input(Row.class)
                .requiresApproval(row -> approval)
                .handler((row, context) -> "Deleted")
                .build();
    }

    private static Agent clerk(boolean approval) {
        return Agent.builder("clerk")
                .model("openai/gpt-5-mini")
                .tools(delete(approval))
                .build();
    }

    private static TestRuntime test() {
        return TestRuntime.builder(ScriptedModel.script()
                        .on("clerk")
                        .calls("delete", Map.of("id", "7"))
                        .then()
                        .says("It stays."))
                .build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  "})
    void ofADecline(String reason) {
        try (TestRuntime test = test()) {
            RunResult waiting = test.bind(clerk(true)).generate("Delete row 7.");

            RunResult result = test.runtime()
                    .decline(waiting.pendingApprovals().getFirst(), Approver.of("ann"), reason)
                    .result();

            assertThat(result).finished();
            assertThat(result.toolResults().getFirst().error())
                    .hasValue("Tool 'delete' was not called: it was not approved.");
        }
    }

    @Test
    void ofADenial() {
        try (TestRuntime test = test()) {
            RunResult result = test.bind(clerk(false))
                    .generate("Delete row 7.", o -> o.beforeToolCall(call -> ToolCallDecision.deny(" ")));

            assertThat(result.toolResults().getFirst().error()).hasValue("Tool 'delete' was not called.");
        }
    }

    @Test
    void ofARejectedDelegation() {
        Agent boss = Agent.builder("boss")
                .model("openai/gpt-5-mini")
                .agents(Agent.builder("clerk")
                        .description("Deletes rows.")
                        .model("openai/gpt-5-mini")
                        .build())
                .build();
        try (TestRuntime test = TestRuntime.with(ScriptedModel.script()
                .on("boss")
                .delegates("clerk", "Delete row 7.")
                .then()
                .says("It stays.")
                .on("clerk")
                .says("Done."))) {
            RunResult result = test.bind(boss)
                    .generate("Delete row 7.", o -> o.onDelegationStart(call -> DelegationDecision.reject("")));

            assertThat(result.toolResults().getFirst().error()).hasValue("Agent 'clerk' was not called.");
        }
    }
}
