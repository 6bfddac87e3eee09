package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonType;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.Tools;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Types of which no JSON value can be read are rejected where they are given, and not by every answer. */
@SuppressWarnings("unused") // members are called by reflection
class UnreadableTypesTest {

    interface Report {
        String title();
    }

    abstract static class Page {
        public String title = "";
    }

    sealed interface Shape {
        record Circle(int radius) implements Shape {}
    }

    static final class Closed {
        private final String title;

        Closed(String title, int pages) {
            this.title = title + pages;
        }

        public String title() {
            return title;
        }
    }

    record Nested(String name, List<Optional<Report>> reports) {}

    record Listed(Map<String, Report[]> byName) {}

    record Keyed(Map<Nested, String> byReport) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes({@JsonSubTypes.Type(Figure.Line.class), @JsonSubTypes.Type(Figure.Dot.class)})
    sealed interface Figure {
        record Line(int length) implements Figure {}

        record Dot() implements Figure {}
    }

    enum Colour {
        RED
    }

    static class Bean {
        public String title = "";
        public Bean next;
    }

    static final class Created {
        final String title;

        @JsonCreator
        Created(String title) {
            this.title = title;
        }
    }

    record Tree(String name, List<Tree> below, Map<Integer, Figure> figures, Colour colour, Instant at, Object any) {}

    static class Methods {
        @dev.chargehand.tool.AgentTool(name = "draw", description = "Draws.")
        public String draw(Report report) {
            return report.title();
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Report.class, Page.class, Shape.class, Closed.class, Nested.class, Keyed.class})
    void aTypeThatCannotBeReadIsNoStructuredOutput(Class<?> type) {
        assertThatThrownBy(() -> StructuredOutput.of(type))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("Structured output of " + type.getTypeName(), "Use");
        assertThatThrownBy(() -> RunOptions.defaults().with(o -> o.structuredOutput(type)))
                .isInstanceOf(ConfigurationException.class);
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Figure.class,
                Colour.class,
                Bean.class,
                Created.class,
                Tree.class,
                Map.class,
                List.class,
                Json.class,
                Object.class,
                CharSequence.class,
                Number.class,
                String[].class,
                Instant.class
            })
    void aTypeThatCanBeReadHasNoObstacle(Class<?> type) {
        assertThat(JsonType.of(type).obstacle()).isEmpty();
        assertThatCode(() -> StructuredOutput.of(type)).doesNotThrowAnyException();
    }

    @Test
    void theErrorNamesThePlaceAndWhatToDo() {
        assertThat(JsonType.of(Nested.class).obstacle().orElseThrow())
                .startsWith("Report at /reports/* is an interface")
                .contains("record", "@JsonTypeInfo");
        assertThat(JsonType.of(Listed.class).obstacle().orElseThrow())
                .startsWith("Report at /byName/*/* is an interface");
        assertThat(JsonType.of(Page.class).obstacle().orElseThrow()).startsWith("Page is an abstract class");
        assertThat(JsonType.of(Closed.class).obstacle().orElseThrow())
                .startsWith("Closed has no constructor that JSON can call")
                .contains("record", "@JsonCreator");
    }

    static class Asking {
        @dev.chargehand.tool.AgentTool(
                name = "ask",
                description = "Asks.",
                suspendPayload = String.class,
                providedData = Report.class)
        public String ask(String question) {
            return question;
        }
    }

    static List<Arguments> declarations() {
        return List.of(
                Arguments.of(build(type -> Agent.builder("boss").output(type)), "Agent 'boss': output"),
                Arguments.of(build(type -> Agent.builder("boss").input(type)), "Agent 'boss': input"),
                Arguments.of(build(type -> tool().suspends(String.class, type)), "Tool 'draw': data"),
                Arguments.of(build(type -> step().suspends(String.class, type)), "answer"),
                Arguments.of(build(type -> Workflow.from("w", String.class).state(type)), "Workflow 'w': state"),
                Arguments.of(build(WorkingMemory::schema), "workingMemory: the type"));
    }

    private static Function<Class<?>, Object> build(Function<Class<?>, Object> declaration) {
        return declaration;
    }

    private static Tool.Builder<Crew.Sum> tool() {
        return Tool.builder("draw", "Draws.").input(Crew.Sum.class);
    }

    private static Step<String, String> step() {
        return Step.of("draw", String.class, String.class, (in, context) -> "ok");
    }

    @ParameterizedTest
    @MethodSource("declarations")
    void aDeclaredTypeIsCheckedWhereItIsGiven(Function<Class<?>, Object> declaration, String start) {
        assertThatThrownBy(() -> declaration.apply(Nested.class))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll(
                        start, "Report at /reports/* is an interface", "Use a record", "@JsonTypeInfo");
        assertThatThrownBy(() -> declaration.apply(Closed.class))
                .hasMessageContainingAll(start, "Closed has no constructor that JSON can call");
        assertThatCode(() -> declaration.apply(Shown.class)).doesNotThrowAnyException();
    }

    record Shown(Optional<String> title) {}

    @Test
    void theTypesOfAnnotatedMethodsAreChecked() {
        assertThatThrownBy(() -> Tools.of(new Asking()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("ask", "data Report is an interface");
    }

    @ParameterizedTest
    @ValueSource(classes = {Closed.class, Report.class, Nested.class})
    void aTypeThatIsOnlyWrittenNeedNotBeReadable(Class<?> type) {
        assertThatCode(() -> tool().output(type).suspends(type, String.class)).doesNotThrowAnyException();
        assertThatCode(() -> step().suspends(type, String.class)).doesNotThrowAnyException();
    }

    @Test
    void inputsOfToolsAndTypesOfStepsAreCheckedToo() {
        assertThatThrownBy(() -> Tool.of("draw", "Draws.", Shape.class, (in, context) -> "ok"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("Tool 'draw'", "Shape is an interface", "@JsonSubTypes");
        assertThatThrownBy(() -> Tools.of(new Methods()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("draw(Report)", "report", "Report is an interface");
        assertThatThrownBy(() -> Step.of("draw", Report.class, String.class, (in, context) -> "ok"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("draw", "input", "Report is an interface");
        assertThatThrownBy(() -> Workflow.from("drawing", Page.class))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("drawing", "input", "Page is an abstract class");
    }
}
