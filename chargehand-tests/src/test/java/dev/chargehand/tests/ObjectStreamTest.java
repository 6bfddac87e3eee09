package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.RunFailedException;
import dev.chargehand.RunOptions;
import dev.chargehand.RunStream;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Both.Ran;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The object of an answer, while it is arriving. */
class ObjectStreamTest {

    record Note(String title, List<String> lines) {}

    private static final StructuredOutput NOTE = StructuredOutput.of(Note.class);
    private static final String GOOD = "{\"title\":\"To do\",\"lines\":[\"a\",\"b\"]}";

    private static List<String> watched(Script script, Consumer<RunOptions.Builder> options) {
        List<String> seen = new ArrayList<>();
        try (TestRuntime test = Crew.playing(script, Crew.supervisor(), Crew.solo());
                RunStream run = test.agent(script.knows("solo") ? "solo" : "supervisor").stream("Go", options)) {
            run.objectStream().forEach(object -> seen.add(object.text()));
            assertThat(run.result().object()).isPresent();
        }
        return seen;
    }

    @Test
    void theObjectIsSeenAsItGrowsAndIsTheResultInTheEnd() {
        Script script = Scripts.on("solo").streams("{\"title\":\"To", " do\",", "\"lines\":[\"a\",\"", "b\"]}");
        assertThat(watched(script, o -> o.structuredOutput(NOTE)))
                .containsExactly(
                        "{\"title\":\"To\"}",
                        "{\"title\":\"To do\"}",
                        "{\"title\":\"To do\",\"lines\":[\"a\",\"\"]}",
                        GOOD,
                        GOOD);
    }

    @Test
    void onlyTheObjectOfTheRootIsStreamedAndTextsOfStepsBeforeAreNot() {
        Script script = Scripts.of(
                Turns.of("supervisor", Turn.says("I ask.").and(Turn.delegates("researcher", "P")), Turn.says(GOOD)),
                Turns.saying("researcher", "{\"title\":\"Mine\"}"));
        assertThat(watched(script, o -> o.structuredOutput(NOTE))).containsOnly(GOOD);
    }

    @Test
    void anAnswerThatIsMendedBeginsAnew() {
        Script script = Scripts.on("solo").says("{\"title\":1}").then().says(GOOD);
        assertThat(watched(script, o -> o.structuredOutput(NOTE))).containsExactly("{\"title\":1}", GOOD, GOOD);
    }

    @Test
    void anObjectWithAKeyGivenTwiceIsNotSeen() {
        Script script = Scripts.on(
                "solo", Turn.streams("{\"title\":\"a\",", "\"title\":\"b\"", ",\"lines\":[]}"), Turn.says(GOOD));
        assertThat(watched(script, o -> o.structuredOutput(NOTE))).containsExactly("{\"title\":\"a\"}", GOOD, GOOD);
    }

    @Test
    void theFallbackIsTheLast() {
        Script script = Scripts.on("solo").says("No.").then().says("No.");
        assertThat(watched(script, o -> o.structuredOutput(NOTE.fallback(new Note("", List.of())))))
                .containsExactly("{\"title\":\"\",\"lines\":[]}");
    }

    @Test
    void theObjectOfAStructuringModelIsStreamedAndItsTextIsNot() {
        Ran ran = Both.run(
                Crew.solo(),
                o -> o.structuredOutput(NOTE.structuredBy("scripted/structurer")),
                Turns.saying("solo", "In prose."),
                Turns.of("structurer", Turn.streams("{\"title\":\"To do\",", "\"lines\":[\"a\",\"b\"]}")));
        assertThat(ran.all(RunEvent.PartialObject.class))
                .extracting(event -> event.object().text())
                .containsExactly("{\"title\":\"To do\"}", GOOD);
        assertThat(ran.all(RunEvent.TextDelta.class))
                .extracting(event -> event.text())
                .containsExactly("In prose.");
    }

    @Test
    void aRunThatFailsEndsTheStreamWithTheErrorOfItsResult() {
        Script script = Scripts.on("solo").says("No.").then().says("No.");
        try (TestRuntime test = TestRuntime.builder(script).agents(Crew.solo()).build();
                RunStream run = test.agent("solo").stream("Go", o -> o.structuredOutput(NOTE))) {
            Iterator<Json> objects = run.objectStream().iterator();
            assertThatThrownBy(objects::hasNext)
                    .isInstanceOfSatisfying(
                            RunFailedException.class, e -> assertThat(e.code()).isEqualTo("invalid-output"));
            assertThatThrownBy(run::result).isInstanceOfSatisfying(RunFailedException.class, e -> assertThat(e.code())
                    .isEqualTo("invalid-output"));
        }
    }

    @Test
    void aStreamHasOneConsumer() {
        Script script = Scripts.on("solo").says(GOOD);
        try (TestRuntime test = TestRuntime.builder(script).agents(Crew.solo()).build();
                RunStream run = test.agent("solo").stream("Go", o -> o.structuredOutput(NOTE))) {
            run.objectStream();
            assertThatThrownBy(run::textStream).isInstanceOf(ConfigurationException.class);
        }
    }

    @Test
    void withoutStructuredOutputThereIsNoObject() {
        Script script = Scripts.on("solo").says(GOOD);
        try (TestRuntime test = TestRuntime.builder(script).agents(Crew.solo()).build();
                RunStream run = test.agent("solo").stream("Go")) {
            assertThat(run.objectStream()).isEmpty();
            assertThat(run.result().object()).isEmpty();
        }
    }

    static IntStream seeds() {
        return IntStream.range(0, 40);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void forAnySchemaAndAnySplitTheLastIsTheObjectAndFits(int seed) {
        Random random = new Random(seed);
        Map<String, Object> schema = new LinkedHashMap<>();
        Map<String, Object> value = new LinkedHashMap<>();
        object(random, 3, schema, value);
        JsonSchema wanted = JsonSchema.of(Json.of(schema));
        String text = Json.of(value).text();
        List<String> pieces = new ArrayList<>();
        for (int from = 0; from < text.length(); ) {
            int to = Math.min(text.length(), from + 1 + random.nextInt(9));
            pieces.add(text.substring(from, to));
            from = to;
        }
        List<String> seen = watched(
                Scripts.on("solo").streams(pieces.toArray(String[]::new)),
                o -> o.structuredOutput(StructuredOutput.of(wanted)));
        assertThat(seen.getLast()).isEqualTo(text);
        assertThat(wanted.violations(Json.parse(seen.getLast()))).isEmpty();
        assertThat(seen).allSatisfy(each -> {
            List<String> fields = List.copyOf(Json.parse(each).fields().keySet());
            assertThat(List.copyOf(value.keySet()).subList(0, fields.size())).isEqualTo(fields);
        });
        assertThat(seen.stream().mapToLong(String::length).sum()).isLessThan(40L * Math.max(64, text.length()));
    }

    /** Makes an object and a schema that it fits. */
    private static void object(Random random, int depth, Map<String, Object> schema, Map<String, Object> value) {
        Map<String, Object> properties = new LinkedHashMap<>();
        for (int i = 0; i <= random.nextInt(5); i++) {
            Map<String, Object> property = new LinkedHashMap<>();
            value.put("f" + i, value(random, depth, property));
            properties.put("f" + i, property);
        }
        schema.put("type", "object");
        schema.put("properties", properties);
        schema.put("required", List.copyOf(properties.keySet()));
        schema.put("additionalProperties", false);
    }

    private static Object value(Random random, int depth, Map<String, Object> schema) {
        switch (random.nextInt(depth > 0 ? 6 : 4)) {
            case 0 -> {
                schema.put("type", "string");
                return "text \"" + Long.toString(random.nextLong(), 36) + "\"\n\u00e9";
            }
            case 1 -> {
                schema.put("type", "integer");
                return random.nextInt();
            }
            case 2 -> {
                schema.put("type", "boolean");
                return random.nextBoolean();
            }
            case 3 -> {
                schema.put("enum", List.of("red", "green"));
                return "green";
            }
            case 4 -> {
                schema.put("type", "array");
                Map<String, Object> items = new LinkedHashMap<>();
                Object item = value(random, depth - 1, items);
                schema.put("items", items);
                return List.of(item, item);
            }
            default -> {
                Map<String, Object> below = new LinkedHashMap<>();
                object(random, depth - 1, schema, below);
                return below;
            }
        }
    }
}
