package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.Agent;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.event.PrimitiveType;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.StopReason;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A workflow that the router of a network chooses. */
@SuppressWarnings("deprecation") // networks are
class NetworkWorkflowTest {

    record Order(String item, int count) {}

    private final List<String> asked = new ArrayList<>();

    private final Workflow<Order, Integer> pricing = Workflow.from("pricing", Order.class)
            .description("Prices an order.")
            .then(Step.of(
                    "price",
                    Order.class,
                    Integer.class,
                    (order, context) -> Steps.noted(asked, order.item(), 250 * order.count())))
            .build(Integer.class);

    private final Agent router = Agent.builder("router")
            .instructions("You route.")
            .model("none/none")
            .workflows(pricing)
            .build();

    private static Turn decides(String id, String type, String prompt) {
        return Turn.says(Json.of(Map.of(
                        "primitiveId", id, "primitiveType", type, "prompt", prompt, "selectionReason", "It fits."))
                .text());
    }

    @Test
    void theDecisionsPromptIsItsInput() {
        Turn[] turns = {
            decides("pricing", "workflow", "{\"item\":\"cup\",\"count\":2}"),
            Turn.says("{\"isComplete\":true,\"completionReason\":\"r\",\"finalResult\":\"500 cents\"}"),
            decides("none", "none", "500 cents")
        };
        try (TestRuntime test = Crew.playing(Scripts.on("router", turns), router)) {
            List<RunEvent> events = new ArrayList<>();
            RunResult result;
            try (RunStream stream = test.agent("router").network("How much?")) {
                stream.forEach(events::add);
                result = stream.result();
            }
            assertThat(asked).containsExactly("cup");
            assertThat(result.steps().getFirst().toolResults().getFirst().output())
                    .contains(Json.of(500));
            assertThat(events)
                    .extracting(RunEvent::type)
                    .containsSubsequence(
                            "routing-agent-end",
                            "workflow-execution-start",
                            "workflow-execution-event-start",
                            "workflow-execution-event-step-start",
                            "workflow-execution-event-step-result",
                            "workflow-execution-event-finish",
                            "workflow-execution-end");
            assertThat(events)
                    .filteredOn(RunEvent.RoutingAgentEnd.class::isInstance)
                    .first()
                    .satisfies(end -> assertThat(((RunEvent.RoutingAgentEnd) end).primitiveType())
                            .isEqualTo(PrimitiveType.WORKFLOW));
            assertThat(test.script().requestsOf("router").getFirst().toString())
                    .contains("Workflows:", "- pricing: Prices an order.", "agent, workflow or tool");
        }
    }

    @Test
    void anInvalidInputIsReturnedToTheRouterOnce() {
        try (TestRuntime test = Crew.playing(
                Scripts.on(
                        "router",
                        decides("pricing", "workflow", "two cups"),
                        decides("pricing", "workflow", "{\"item\":\"cup\"}")),
                router)) {
            RunFailedException thrown = catchThrowableOfType(
                    RunFailedException.class, () -> test.agent("router").generateNetwork("How much?"));
            assertThat(thrown.result().stopReason()).isInstanceOfSatisfying(StopReason.Failed.class, failed -> {
                assertThat(failed.error()).isEqualTo("invalid-decision");
                assertThat(failed.message()).contains("The prompt for workflow pricing breaks its schema");
            });
            assertThat(test.script()
                            .requestsOf("router")
                            .get(1)
                            .messages()
                            .getLast()
                            .text())
                    .contains("The prompt for workflow pricing is not JSON");
            assertThat(asked).isEmpty();
        }
    }
}
