package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunOptions;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.message.Message;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolHandler;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is refused where it is given, with an error that says what to do. */
@SuppressWarnings({"NullAway", "DataFlowIssue"}) // that a null is given is what is tested
class RefusedInputTest {

    enum Colour {
        RED
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes({@JsonSubTypes.Type(Figure.Circle.class), @JsonSubTypes.Type(Figure.Square.class)})
    sealed interface Figure {
        record Circle(int radius) implements Figure {}

        record Square(int side) implements Figure {}
    }

    record Node(String name, List<Node> below) {}

    @ParameterizedTest
    @ValueSource(
            classes = {
                String.class,
                int.class,
                Integer.class,
                Boolean.class,
                double.class,
                List.class,
                String[].class,
                Colour.class,
                java.time.Instant.class
            })
    void theInputOfAToolIsAnObject(Class<?> type) {
        for (ThrowingCallable building : List.<ThrowingCallable>of(
                () -> Tool.of("look", "Looks.", type, (in, context) -> "never"),
                () -> Tool.builder("look", "Looks.").input(type))) {
            assertThatThrownBy(building)
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContainingAll("Tool 'look'", "JSON object", "record");
        }
        assertThatThrownBy(() -> Tool.builder("look", "Looks.").input(JsonSchema.of(type)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("Tool 'look'", "JSON object", "\"properties\"");
        assertThatThrownBy(() -> Agent.builder("a").input(type))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("Agent 'a'", "JSON object", "record");
    }

    @ParameterizedTest
    @ValueSource(classes = {Crew.Sum.class, Map.class, Figure.class, Node.class})
    void whatIsAnObjectIsTaken(Class<?> type) {
        assertThatCode(() -> Tool.of("look", "Looks.", type, (in, context) -> "ok"))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":[\"string\",\"null\"]}",
                "{\"enum\":[1,\"a\"]}",
                "{\"const\":1}",
                "{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"array\"}]}",
                "{\"oneOf\":[{\"type\":\"string\"}]}",
                "{\"allOf\":[{\"type\":\"object\"},{\"type\":\"string\"}]}",
                "{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"type\":\"string\"}}}"
            })
    void aSchemaThatNoObjectFitsIsNoInput(String schema) {
        JsonSchema given = JsonSchema.of(Json.parse(schema));
        Steps.assertMisconfigured(() -> Tool.builder("look", "Looks.").input(given));
    }

    @Test
    void anUnknownTypeInTheSchemaOfAToolIsNamedWithItsPlace() {
        JsonSchema wrong = JsonSchema.of(Json.parse(
                "{\"type\":\"object\",\"properties\":{\"town\":{\"type\":\"strin\"}},\"required\":[\"town\"]}"));
        JsonSchema top = JsonSchema.of(Json.parse("{\"type\":\"objekt\"}"));
        String allowed = "array, boolean, integer, null, number, object, string";
        for (ThrowingCallable building : List.<ThrowingCallable>of(
                () -> Tool.builder("look", "Looks.").input(wrong),
                () -> Tool.builder("look", "Looks.").input(Crew.Sum.class).output(wrong),
                () -> Tool.builder("look", "Looks.").input(Crew.Sum.class).suspends(wrong, wrong),
                () -> Tool.external("look", "Looks.", wrong))) {
            assertThatThrownBy(building)
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContainingAll("Tool 'look'", "/properties/town/type", "\"strin\"", allowed);
        }
        assertThatThrownBy(() -> Tool.builder("look", "Looks.").input(top))
                .hasMessageContainingAll("Tool 'look'", "at /type: \"objekt\" is no type", allowed);
        JsonSchema text = JsonSchema.of(Json.parse("{\"type\":\"object\",\"required\":\"q\"}"));
        assertThatThrownBy(() -> Tool.builder("look", "Looks.").input(text))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("Tool 'look'", "at /required: \"q\" is not allowed; must be a list of names");
        assertThatThrownBy(() -> StructuredOutput.of(text)).hasMessageContaining("at /required: \"q\"");
        assertThatThrownBy(() -> StructuredOutput.of(wrong))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("structured output", "/properties/town/type", allowed);
        assertThatThrownBy(() -> WorkingMemory.schema(top))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("working memory", "at /type", allowed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"type\":[\"object\",\"null\"]}",
                "{\"properties\":{\"a\":{}}}",
                "{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"object\"}]}",
                "{\"$ref\":\"#\"}",
                "{\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"$ref\":\"#/$defs/a\"}}}"
            })
    void aSchemaThatAnObjectMayFitIsTaken(String schema) {
        JsonSchema given = JsonSchema.of(Json.parse(schema));
        assertThatCode(() -> Tool.builder("look", "Looks.").input(given)).doesNotThrowAnyException();
    }

    static List<Consumer<Agent>> runs() {
        return List.of(
                agent -> agent.generate((String) null),
                agent -> agent.generate((String) null, o -> {}),
                agent -> agent.generate((List<Message>) null, o -> {}),
                agent -> agent.generate(Arrays.asList(Message.user("a"), null), o -> {}),
                agent -> agent.generate(Collections.singletonList(null), o -> {}),
                agent -> agent.stream((String) null),
                agent -> agent.stream((String) null, o -> {}),
                agent -> agent.stream((List<Message>) null, o -> {}),
                agent -> agent.stream(Collections.singletonList(null), o -> {}));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void anInputIsNeverNull(Consumer<Agent> run) {
        refused(run, "Agent 'solo'", "input", "must not be null", "pass a text");
    }

    static List<Consumer<Agent>> nullOptions() {
        return List.of(
                agent -> agent.generate("a", (Consumer<RunOptions.Builder>) null),
                agent -> agent.generate("a", String.class, null),
                agent -> agent.stream("a", null),
                agent -> agent.generate("a", o -> o.prepareStep(null)),
                agent -> agent.generate("a", o -> o.onFinish(null)),
                agent -> agent.generate("a", o -> o.beforeToolCall(null)),
                agent -> agent.generate("a", o -> o.onDelegationStart(null)),
                agent -> agent.generate("a", o -> o.onDelegationComplete(null)),
                agent -> agent.generate("a", o -> o.messageFilter(null)),
                agent -> agent.generate("a", o -> o.onIterationComplete(null)),
                agent -> agent.generate("a", o -> o.completion(null)),
                agent -> agent.generate("a", o -> o.addListener(null)),
                agent -> agent.generate("a", o -> o.budget(null)),
                agent -> agent.generate("a", o -> o.thread(null)),
                agent -> agent.generate("a", o -> o.requestContext(null)),
                agent -> agent.generate("a", o -> o.inputProcessors((dev.chargehand.processor.Processor) null)));
    }

    @ParameterizedTest
    @MethodSource("nullOptions")
    void anOptionIsNeverNull(Consumer<Agent> run) {
        refused(run, "must not be null");
    }

    private static void refused(Consumer<Agent> run, String... words) {
        try (TestRuntime test = Crew.playing(Scripts.on("solo").says("Done").forever(), Crew.solo())) {
            assertThatThrownBy(() -> run.accept(test.agent("solo")))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContainingAll(words);
            assertThat(test.script().requests()).isEmpty();
        }
    }

    static List<ThrowingCallable> partsOfAnAgent() {
        return List.of(
                () -> Agent.builder("a").description(null),
                () -> Agent.builder("a").instructions(null),
                () -> Agent.builder("a").instructionsFrom(null),
                () -> Agent.builder("a").model((String) null),
                () -> Agent.builder("a").model((dev.chargehand.model.Model) null),
                () -> Agent.builder("a").modelFrom(null),
                () -> Agent.builder("a").tools((Tool) null),
                () -> Agent.builder("a").toolsFrom(null),
                () -> Agent.builder("a").agents((Agent) null),
                () -> Agent.builder("a").addAgent("k", null),
                () -> Agent.builder("a").input(null),
                () -> Agent.builder("a").output(null),
                () -> Agent.builder("a").defaultOptions(null),
                () -> Tool.of("look", "Looks.", Crew.Sum.class, (ToolHandler<Crew.Sum>) null),
                () -> Tool.of("look", null, Crew.Sum.class, (in, context) -> ""),
                () -> Tool.of(null, "Looks.", Crew.Sum.class, (in, context) -> ""),
                () -> Tool.of("look", "Looks.", (Class<Crew.Sum>) null, (in, context) -> ""),
                () -> AgentRuntime.builder().store(null),
                () -> AgentRuntime.builder().agents((Agent) null),
                () -> AgentRuntime.builder().addListener(null));
    }

    @ParameterizedTest
    @MethodSource("partsOfAnAgent")
    void aPartOfAnAgentIsNeverNull(ThrowingCallable building) {
        assertThatThrownBy(building)
                .isInstanceOf(ConfigurationException.class)
                .message()
                .containsAnyOf("Agent 'a'", "Tool 'look'", "Tool 'null'", "Runtime option");
    }

    @Test
    void anAgentNeedsAnIdThatIsItsOwn() {
        assertThatThrownBy(() -> Agent.builder(null))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("An agent needs an id: an id has 1 to 58 letters");
        Agent one = Crew.solo();
        assertThatThrownBy(() -> AgentRuntime.builder().agents(one, one).build())
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(
                        "Agent 'solo' is given twice to the runtime; ids must be unique, unless each has a version of"
                                + " its own: .version(\"...\").");
    }
}
