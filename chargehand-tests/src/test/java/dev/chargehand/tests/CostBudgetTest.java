package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunOptions;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Prices;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.workflow.Workflow;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A budget of costs needs a price for each model that the run is known to use. */
class CostBudgetTest {

    private static final Prices BOSS = Prices.NONE.with("acme/boss", BigDecimal.ONE, BigDecimal.TEN);

    /** A model with a name, which answers at once. */
    private record Named(String name, boolean isFree) implements Model {

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            return ModelResponse.text("Done", Usage.of(10, 5));
        }
    }

    private static AgentBuilder agent(String id) {
        return Agent.builder(id).description("Does " + id).model(new Named("acme/" + id, false));
    }

    private static Consumer<RunOptions.Builder> cost(Prices prices) {
        return o -> o.budget(b -> b.cost(new BigDecimal("0.50"))).prices(prices);
    }

    private static void rejected(Agent agent, Consumer<RunOptions.Builder> options, String... parts) {
        try (AgentRuntime runtime = AgentRuntime.builder().build()) {
            for (ThrowingCallable starting : List.<ThrowingCallable>of(
                    () -> runtime.start(agent, List.of(Message.user("Go.")), options),
                    () -> runtime.submit(agent, List.of(Message.user("Go.")), options),
                    () -> agent.generate("Go.", options))) {
                assertThatThrownBy(starting)
                        .isInstanceOf(ConfigurationException.class)
                        .hasMessageContainingAll(parts);
            }
        }
    }

    @Test
    void aModelWithoutAPriceIsNamedBeforeTheFirstCall() {
        rejected(
                agent("boss").build(),
                cost(Prices.NONE),
                "Agent 'boss'",
                "acme/boss has no price",
                "o.prices(prices.with(\"acme/boss\", input, output))",
                "prices: { acme/boss:");
    }

    @Test
    void modelsOfSubAgentsFallbacksAndStructuringModelsAreKnownToo() {
        Agent writer = agent("writer")
                .model(ModelChoice.of(new Named("acme/writer", false)).orElse(new Named("acme/spare", false)))
                .build();
        rejected(agent("boss").agents(writer).build(), cost(BOSS), "acme/spare, acme/writer have no price");
        rejected(
                agent("boss").build(),
                cost(BOSS)
                        .andThen(o -> o.structuredOutput(
                                StructuredOutput.of(Json.class).structuredBy("ollama/structurer", "acme/boss"))),
                "ollama/structurer has no price");
        Agent structured = agent("writer")
                .model(new Named("acme/writer", true))
                .defaultOptions(
                        o -> o.structuredOutput(StructuredOutput.of(Json.class).structuredBy("ollama/own")))
                .build();
        rejected(agent("boss").agents(structured).build(), cost(BOSS), "ollama/own has no price");
    }

    @Test
    void aFixedModelIsKnownAlsoIfTheInstructionsAreMadeForEachRequest() {
        rejected(
                agent("boss").instructionsFrom(context -> "Do it.").build(),
                cost(Prices.NONE),
                "acme/boss has no price");
    }

    @Test
    void aClosedRuntimeIsReportedBeforeAMissingPrice() {
        AgentRuntime runtime = AgentRuntime.builder().build();
        runtime.close();
        assertThatThrownBy(() -> runtime.start(agent("boss").build(), List.of(Message.user("Go.")), cost(Prices.NONE)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("closed");
    }

    @Test
    void aWorkflowOfAgentsIsCheckedToo() {
        Workflow<String, String> flow = Workflow.from("flow", String.class)
                .then(agent("writer").build().asStep("write", String.class, (in, context) -> in))
                .build(String.class);
        try (AgentRuntime runtime = AgentRuntime.builder().workflows(flow).build()) {
            assertThatThrownBy(() -> runtime.run(flow, "Go.", cost(BOSS)))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContainingAll("Workflow 'flow'", "acme/writer has no price");
        }
    }

    @Test
    void aForkIsCheckedToo() {
        Agent boss = agent("boss").build();
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(InMemoryStore.keepingEndedRuns())
                .agents(boss)
                .build()) {
            RunId first = runtime.start(boss, List.of(Message.user("Go.")), o -> {})
                    .result()
                    .runId();
            assertThatThrownBy(() -> runtime.fork(first, 1, f -> f.options(o -> {})))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("addMessage(");
            assertThatThrownBy(() ->
                            runtime.fork(first, 1, f -> f.addMessage("Again.").options(cost(Prices.NONE))))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("acme/boss has no price");
            assertThatThrownBy(() -> runtime.fork(first, 1, f -> f.addMessage("Again.")
                            .model("ollama/other")
                            .options(cost(BOSS))))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("ollama/other has no price");
        }
    }

    @Test
    void pricesOfZeroAndFreeModelsAreEnough() {
        Agent free = agent("helper").model(new Named("acme/helper", true)).build();
        Agent boss = agent("boss").agents(free).build();
        Prices zero = Prices.NONE.with("acme/boss", BigDecimal.ZERO, BigDecimal.ZERO);
        assertThat(boss.generate("Go.", cost(zero)).status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(boss.generate("Go.", o -> o.budget(b -> b.tokens(100))).status())
                .isEqualTo(RunStatus.COMPLETED);
    }

    @Test
    void aModelThatIsChosenLaterIsLoggedOnce() {
        Agent boss = agent("boss")
                .modelFrom(context -> ModelChoice.of(new Named("acme/later", false)))
                .build();
        String log = Logged.during(
                () -> assertThat(boss.generate("Go.", cost(BOSS)).status()).isEqualTo(RunStatus.COMPLETED));
        assertThat(log.split("model acme/later has no price", -1)).hasSize(2);
        String unbounded =
                Logged.ifAny(() -> assertThat(boss.generate("Go.").status()).isEqualTo(RunStatus.COMPLETED));
        assertThat(unbounded).doesNotContain("has no price");
    }

    @Test
    void aModelThatIsChosenForSeveralRunsOfATreeIsLoggedOnce() {
        Agent writer = agent("writer")
                .modelFrom(context -> ModelChoice.of(new Named("acme/later", false)))
                .build();
        Workflow<String, String> flow = Workflow.from("flow", String.class)
                .then(writer.asStep("first", String.class, (in, context) -> in))
                .then(writer.asStep("second", String.class, (in, context) -> in))
                .build(String.class);
        try (AgentRuntime runtime = AgentRuntime.builder().workflows(flow).build()) {
            String log = Logged.during(() ->
                    assertThat(runtime.run(flow, "Go.", cost(BOSS)).output()).isEqualTo("Done"));
            assertThat(log.split("model acme/later has no price", -1)).hasSize(2);
        }
    }
}
