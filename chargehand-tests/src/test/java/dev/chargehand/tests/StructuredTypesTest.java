package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.chargehand.Agent;
import dev.chargehand.RunResult;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonType;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Both.Ran;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.Period;
import java.time.ZoneId;
import java.util.Currency;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Java types that an answer can be. */
class StructuredTypesTest {

    enum Level {
        LOW,
        HIGH
    }

    record Dated(LocalDate day, Instant moment, Level level, Optional<String> note, Map<String, Integer> counts) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Circle.class, name = "circle"),
        @JsonSubTypes.Type(value = Box.class, name = "box")
    })
    sealed interface Shape {}

    record Circle(double radius) implements Shape {}

    record Box(double width, double height) implements Shape {}

    record Drawing(String title, List<Shape> shapes) {}

    record Page<T>(List<T> items, int total) {}

    record Item(double size) {}

    record Count(int n) {}

    record Positive(int n) {
        Positive {
            if (n <= 0) {
                throw new IllegalArgumentException("n must be positive");
            }
        }
    }

    private static RunResult answering(StructuredOutput wanted, String... texts) {
        Ran ran = Both.run(Crew.solo(), o -> o.structuredOutput(wanted), () -> {
            var script = Scripts.on("solo").says(texts[0]);
            for (int i = 1; i < texts.length; i++) {
                script.then().says(texts[i]);
            }
            return script;
        });
        assertThat(ran.script().requests()).hasSize(texts.length);
        return ran.result();
    }

    @Test
    void datesEnumsOptionalsAndMaps() {
        String bad = "{\"day\":\"2026-01-05\",\"moment\":\"2026-01-05T09:00:00Z\",\"level\":\"MIDDLE\",\"counts\":{}}";
        String good =
                "{\"day\":\"2026-01-05\",\"moment\":\"2026-01-05T09:00:00Z\",\"level\":\"HIGH\",\"counts\":{\"a\":1}}";
        assertThat(answering(StructuredOutput.of(Dated.class), bad, good))
                .hasObject(new Dated(
                        LocalDate.of(2026, 1, 5),
                        Instant.parse("2026-01-05T09:00:00Z"),
                        Level.HIGH,
                        Optional.empty(),
                        Map.of("a", 1)));
    }

    @Test
    void sealedTypesAreToldApartByTheirNames() {
        String bad = "{\"title\":\"T\",\"shapes\":[{\"kind\":\"line\",\"radius\":1}]}";
        String good = "{\"title\":\"T\",\"shapes\":[{\"kind\":\"circle\",\"radius\":1},"
                + "{\"kind\":\"box\",\"width\":2,\"height\":3}]}";
        assertThat(answering(StructuredOutput.of(Drawing.class), bad, good))
                .hasObject(new Drawing("T", List.of(new Circle(1), new Box(2, 3))));
    }

    @Test
    void aSealedTypeCanBeTheWholeAnswer() {
        RunResult result = answering(StructuredOutput.of(Shape.class), "{\"kind\":\"box\",\"width\":2,\"height\":3}");
        assertThat(result.object(Shape.class)).isEqualTo(new Box(2, 3));
    }

    @Test
    void aTypeWithArgumentsIsNamedByAToken() {
        JsonType<Page<Item>> type = new JsonType<>() {};
        RunResult result = answering(
                StructuredOutput.of(type),
                "{\"items\":[{\"size\":\"long\"}],\"total\":1}",
                "{\"items\":[{\"size\":1}],\"total\":1}");
        assertThat(result.object(type)).isEqualTo(new Page<>(List.of(new Item(1)), 1));
    }

    @Test
    void anAnswerThatFitsTheSchemaAndNotTheTypeIsCorrected() {
        assertThat(answering(StructuredOutput.of(Count.class), "{\"n\":5e15}", "{\"n\":5}"))
                .hasObject(new Count(5));
        assertThat(answering(StructuredOutput.of(Positive.class), "{\"n\":-1}", "{\"n\":1}"))
                .hasObject(new Positive(1));
        JsonType<List<LocalDate>> days = new JsonType<>() {};
        RunResult corrected = answering(StructuredOutput.of(days), "[\"2026-13-01\"]", "[\"2026-12-01\"]");
        assertThat(corrected.object(days)).containsExactly(LocalDate.of(2026, 12, 1));
    }

    @Test
    void anAnswerAfterAnApprovalIsReadAsTheTypeOfTheAgent() {
        Script script = Scripts.on("solo")
                .calls("pay", "{}")
                .then()
                .says("{\"n\":-1}")
                .then()
                .says("{\"n\":1}");
        Agent solo = Crew.agent("solo", agent -> agent.tools(Steps.approvedTool("pay", (in, context) -> "paid"))
                .defaultOptions(o -> o.structuredOutput(Positive.class)));
        try (TestRuntime test = TestRuntime.builder(script).agents(solo).build()) {
            RunResult waiting = test.agent("solo").generate("Go");
            RunResult done = test.runtime()
                    .approve(waiting.pendingApprovals().getFirst(), ApprovalFixture.ANN)
                    .result();
            assertThat(done).hasObject(new Positive(1));
        }
    }

    @Test
    void theModelIsToldWhereAnAnswerDoesNotFitTheType() {
        RunResult result = answering(StructuredOutput.of(Count.class).warn(), "{\"n\":5e15}", "{\"n\":-5e15}");
        assertThat(result.structured().orElseThrow().problem())
                .isEqualTo("The value at /n is not valid; it must be a whole number from -2147483648 to 2147483647");
    }

    record Values(
            @Nullable UUID id,
            @Nullable URI page,
            @Nullable Duration limit,
            @Nullable Period period,
            @Nullable ZoneId zone,
            @Nullable Currency currency,
            @Nullable Pattern pattern,
            @Nullable LocalDate day,
            @Nullable Character letter) {}

    @ParameterizedTest
    @CsvSource({
        "id, 1, a UUID",
        "page, ::, a URI",
        "limit, soon, a duration",
        "period, soon, a period",
        "zone, Nowhere, a time zone",
        "currency, XXXX, the code of a currency",
        "pattern, [, a regular expression",
        "day, 2026-13-01, a date",
        "letter, ab, one character"
    })
    void whatIsAllowedIsNamed(String property, String value, String allowed) {
        assertThatThrownBy(() -> Json.of(Map.of(property, value)).as(Values.class))
                .isInstanceOf(InvalidJsonException.class)
                .hasMessageStartingWith("The value at /" + property + " is not valid; it must be " + allowed);
    }

    @Test
    void aListCanBeTheWholeAnswer() {
        JsonType<List<LocalDate>> type = new JsonType<>() {};
        RunResult result = answering(StructuredOutput.of(type), "[\"2026-01-05\",\"2026-01-06\"]");
        assertThat(result.object(type)).containsExactly(LocalDate.of(2026, 1, 5), LocalDate.of(2026, 1, 6));
    }
}
