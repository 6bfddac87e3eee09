package dev.chargehand.examples.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.json.Json;
import dev.chargehand.model.Model;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowResult;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The samples of docs/workflows.md in which runs are below runs of workflows. */
class WorkflowChildrenPageTest {

    record Order(String item, int count) {}

    record Mood(boolean happy, String reason) {}

    private static final Step<Order, Integer> PRICE =
            Step.of("price", Order.class, Integer.class, (order, context) -> 250 * order.count());

    @Test
    void agentsAreSteps() {
        Script script = ScriptedModel.script()
                .on("reader")
                .says("{\"happy\":false,\"reason\":\"It broke.\"}")
                .on("writer")
                .says("We are sorry.");
        Agent reader = Agent.builder("reader")
                .model(script.modelFor("reader"))
                .output(Mood.class)
                .build();
        Agent writer = Agent.builder("writer").model(script.modelFor("writer")).build();
        Step<String, Mood> read = reader.asStep(
                "read", String.class, Mood.class, (mail, context) -> "How does the sender feel?\n\n" + mail);
        Step<Mood, String> reply = writer.asStep(
                "reply", Mood.class, (mood, context) -> "Answer somebody who wrote because: " + mood.reason());
        Workflow<String, String> answering =
                Workflow.from("answering", String.class).then(read).then(reply).build(String.class);
        try (AgentRuntime runtime = AgentRuntime.builder().workflows(answering).build()) {
            WorkflowResult<String> result =
                    runtime.run(answering, "My cup broke.", o -> o.budget(b -> b.tokens(50_000)));
            assertThat(result.output()).isEqualTo("We are sorry.");
            assertThat(result.usageByAgent()).containsOnlyKeys("reader", "writer");
        }
    }

    @Test
    void workflowsAreTools() {
        Model model = ScriptedModel.script()
                .on("clerk")
                .calls("workflow-pricing", Map.of("item", "cup", "count", 2))
                .then()
                .says("5 euros.")
                .modelFor("clerk");
        Workflow<Order, Integer> pricing = Workflow.from("pricing", Order.class)
                .description("Prices an order, in cents.")
                .then(PRICE)
                .build(Integer.class);
        Agent clerk = Agent.builder("clerk")
                .instructions("Answer questions about prices.")
                .model(model)
                .workflows(pricing)
                .build();
        assertThat(clerk.generate("How much are two cups?")
                        .steps()
                        .getFirst()
                        .toolResults()
                        .getFirst()
                        .output())
                .contains(Json.of(500));
    }

    @Test
    void workflowsAreSteps() {
        Workflow<Order, Integer> pricing =
                Workflow.from("pricing", Order.class).then(PRICE).build(Integer.class);
        Workflow<Order, Integer> ordering = Workflow.from("ordering", Order.class)
                .then(pricing)
                .foreach(
                        "parts",
                        (cents, context) -> List.of(new Order("part", 1), new Order("part", 2)),
                        pricing.asStep().withId("part"),
                        Each.concurrency(2))
                .map("sum", Integer.class, (parts, context) -> parts.stream()
                        .mapToInt(i -> i)
                        .sum())
                .build(Integer.class);
        try (AgentRuntime runtime = AgentRuntime.builder().workflows(ordering).build()) {
            assertThat(runtime.run(ordering, new Order("cup", 2), o -> {}).output())
                    .isEqualTo(750);
        }
    }
}
