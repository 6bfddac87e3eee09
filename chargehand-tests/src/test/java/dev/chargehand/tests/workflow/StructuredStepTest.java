package dev.chargehand.tests.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Agents with structured output as steps, and steps and workflows that are made from schemas. */
class StructuredStepTest {

    private static final JsonSchema ANY = JsonSchema.of(Json.of(Map.of()));
    private static final JsonSchema MOOD = JsonSchema.of(Json.parse(
            "{\"type\":\"object\",\"required\":[\"mood\"],\"properties\":{\"mood\":{\"type\":\"string\"}}}"));

    private static Agent reader(String answer, UnaryOperator<StructuredOutput> changes) {
        return Agent.builder("reader")
                .model(ScriptedModel.script()
                        .on("reader")
                        .says(answer)
                        .forever()
                        .modelFor("reader"))
                .defaultOptions(o -> o.structuredOutput(changes.apply(StructuredOutput.of(MOOD))))
                .build();
    }

    private static Json output(Step<Json, Json> step, JsonSchema output) {
        Workflow<Json, Json> workflow = Workflow.from("reading", ANY).then(step).build(output);
        try (AgentRuntime runtime = AgentRuntime.builder().build()) {
            return runtime.run(workflow, Json.of("a letter"), o -> {}).output();
        }
    }

    private static Step<Json, Json> step(Agent agent) {
        return agent.asStep("read", ANY, (letter, context) -> "Read " + letter);
    }

    @Test
    void theObjectIsTheOutput() {
        Agent reader = reader("{\"mood\":\"calm\"}", output -> output);
        assertThat(step(reader).output()).isEqualTo(MOOD);
        assertThat(output(step(reader), MOOD).at("/mood")).hasValue(Json.of("calm"));
    }

    @Test
    void soIsTheFallbackOfAnAnswerThatDoesNotFit() {
        Agent reader = reader("I feel nothing.", output -> output.fallback(Json.parse("{\"mood\":\"none\"}")));
        assertThat(output(step(reader), MOOD).at("/mood")).hasValue(Json.of("none"));
    }

    @Test
    void anAnswerThatMayNotFitIsAText() {
        Agent reader = reader("I feel nothing.", StructuredOutput::warn);
        assertThat(output(step(reader), ANY)).isEqualTo(Json.of("I feel nothing."));
    }

    @Test
    void anotherTypeIsRejected() {
        Agent reader = reader("{\"mood\":\"calm\"}", output -> output);
        assertThatThrownBy(() -> reader.asStep("read", String.class, (letter, context) -> "Read " + letter))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("the output of step 'read' is the answer of the agent");
    }
}
