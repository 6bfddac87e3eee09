package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.run.Limit;
import dev.chargehand.tool.Tool;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is wrong with an agent is said when it is built, with what and where. */
class AgentBuildTest {

    private static void refused(ThrowingCallable building, String... said) {
        var refusal = assertThatThrownBy(building).isInstanceOf(ConfigurationException.class);
        for (String part : said) {
            refusal.hasMessageContaining(part);
        }
    }

    private static Agent named(String id, Agent... below) {
        return Agent.builder(id)
                .description(id + ".")
                .model("a/b")
                .agents(below)
                .build();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "a b", "a/b", "ä", "a.b", "x1234567890123456789012345678901234567890123456789012345678"
            })
    void anIdThatNoToolCouldBeNamedAfterIsRefused(String id) {
        refused(() -> Agent.builder(id), "'" + id + "'");
        refused(() -> Agent.builder("boss").addAgent(id, named("x")), "'boss'", "'" + id + "'");
    }

    @Test
    void theLongestIdFits() {
        String id = "x".repeat(58);
        assertThat(named(id).id()).isEqualTo(id);
    }

    @Test
    void argumentsThatAreNoObjectAreRejectedWithWhatToWriteInstead() {
        refused(() -> Tool.of("find", "F.", String.class, (in, context) -> in), "'find'", "String", "record Input(");
        refused(
                () -> Tool.builder("find", "F.").input(JsonSchema.of(Json.parse("{\"type\":\"array\"}"))),
                "'find'",
                "this schema is not; give it \"type\": \"object\"");
    }

    @Test
    void anAgentNeedsAModel() {
        refused(() -> Agent.builder("a").build(), "'a'", "model");
    }

    @Test
    void aSubAgentNeedsADescription() {
        Agent silent = Agent.builder("silent").model("a/b").build();
        refused(() -> Agent.builder("boss").model("a/b").agents(silent).build(), "'boss'", "'silent'", "description");
    }

    @Test
    void keysOfSubAgentsAreUnique() {
        refused(
                () -> Agent.builder("boss").agents(named("x"), named("x")),
                "'x' is registered twice; give one of them another key by addAgent(key, agent).");
        Agent boss = Agent.builder("boss")
                .model("a/b")
                .addAgent("x1", named("x"))
                .addAgent("x2", named("x"))
                .build();
        assertThat(boss.agents().keySet()).containsExactly("x1", "x2");
    }

    @Test
    void namesOfToolsAndSubAgentsAreUnique() {
        refused(() -> Agent.builder("a").model("a/b").tools(Crew.OK, Crew.OK).build(), "'ok' is used twice");
        Tool clash = Steps.tool("agent-x", (in, ctx) -> "");
        refused(
                () -> Agent.builder("a")
                        .model("a/b")
                        .agents(named("x"))
                        .tools(clash)
                        .build(),
                "'agent-x' is used twice");
    }

    @Test
    void anAgentAboveItselfIsRefusedUnlessADepthIsSet() {
        Agent inner = named("x");
        refused(() -> named("x", inner), "is its own descendant", "x > x");
        refused(() -> named("x", named("y", inner)), "x > y > x");
        Agent bounded = Agent.builder("x")
                .model("a/b")
                .agents(inner)
                .defaultOptions(o -> o.limit(Limit.DEPTH, 3))
                .build();
        assertThat(bounded.agents()).containsKey("x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "gpt-5", "/gpt-5", "openai/"})
    void aModelIsNamedByProviderAndModel(String name) {
        refused(() -> Agent.builder("a").model(name), "'" + name + "'", "openai/gpt-5-mini");
        refused(() -> ModelChoice.of("a/b").orElse(name), "'" + name + "'");
    }

    @Test
    void aModelChoiceIsNotEmpty() {
        refused(() -> new ModelChoice(List.of()));
    }

    @Test
    void optionsAreChecked() {
        refused(() -> Agent.builder("a").defaultOptions(o -> o.maxSteps(0)), "maxSteps", "0");
        refused(() -> Agent.builder("a").defaultOptions(o -> o.toolCallConcurrency(0)), "toolCallConcurrency");
        refused(() -> Agent.builder("a").defaultOptions(o -> o.retries(-1)), "retries");
        refused(() -> Agent.builder("a").defaultOptions(o -> o.thread(" ")), "thread");
        refused(() -> Agent.builder("a").lastMessages(-1), "lastMessages");
    }

    @Test
    void toolsAreChecked() {
        refused(() -> Tool.builder("a b", "Does."), "'a b'");
        refused(() -> Tool.builder("x", " "), "'x'", "description");
        refused(() -> Tool.builder("x", "Does.").input(Crew.Number.class).build(), "handler");
        refused(() -> Tool.builder("x", "Does.").input(Crew.Number.class).timeout(Duration.ZERO), "time limit");
        refused(() -> JsonSchema.of(Json.parse("[]")));
    }

    @Test
    void anAgentIsNotChangedByItsBuilderAfterwards() {
        var builder = Agent.builder("boss").model("a/b").agents(named("x"));
        Agent boss = builder.build();
        builder.addAgent(named("y"));
        assertThat(boss.agents().keySet()).containsExactly("x");
    }

    @Test
    void thePluralReplacesAndAddAdds() {
        Agent boss = Agent.builder("boss")
                .model("a/b")
                .agents(named("x"))
                .agents(named("y"))
                .addAgent(named("z"))
                .addAgent("key", named("x"))
                .build();
        assertThat(boss.agents().keySet()).containsExactly("y", "z", "key");
        try (AgentRuntime runtime = AgentRuntime.builder()
                .providers()
                .agents(named("x"))
                .agents(named("y"))
                .addAgent(named("z"))
                .build()) {
            assertThat(List.of(runtime.agent("y"), runtime.agent("z")))
                    .extracting(Agent::id)
                    .containsExactly("y", "z");
            assertThatThrownBy(() -> runtime.agent("x")).isInstanceOf(ConfigurationException.class);
        }
    }

    @Test
    void agentsOfARuntimeAreFoundById() {
        try (AgentRuntime runtime = AgentRuntime.builder()
                .providers()
                .agents(named("x"), named("y"))
                .build()) {
            assertThat(runtime.agent("x").id()).isEqualTo("x");
            refused(() -> runtime.agent("z"), "'z'", "x, y");
        }
        refused(
                () -> AgentRuntime.builder()
                        .providers()
                        .agents(named("x"), named("x"))
                        .build(),
                "given twice");
    }

    @Test
    void aRunNeedsSomethingToWorkOn() {
        try (AgentRuntime runtime = AgentRuntime.builder().providers().build()) {
            Agent agent = runtime.bind(named("x"));
            refused(() -> agent.generate(List.of(), o -> {}), "'x'", "at least one message");
        }
    }
}
