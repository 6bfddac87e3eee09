package dev.chargehand.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ObviousValuesTest {

    private static final int CASES = 20_000;

    private static final List<String> NAMES = List.of("a", "b", "c");

    private static final List<String> TYPES =
            List.of("object", "array", "string", "integer", "number", "boolean", "null");

    private static boolean contain(String schema, String value) {
        return ObviousValues.of(Json.parse(schema).tree())
                .contain(Json.parse(value).tree());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"type":"object","properties":{"query":{"type":"string"}},"required":["query"]} | {"query":"x"}
        {"type":"object","properties":{"n":{"type":"integer"}}}                         | {"n":12345678901234567890}
        {"type":"object","properties":{"n":{"type":"number","description":"N."}}}       | {"n":1.5,"more":[1]}
        {"type":"object","properties":{"n":{"enum":["a","b"]}},"additionalProperties":false} | {"n":"b"}
        {"type":"array","items":{"type":"boolean"}}                                     | [true,false]
        {"title":"Nothing"}                                                             | null
        {"properties":{"n":{"type":["integer","null"]}}}                                | {"n":null}
        {"properties":{"n":{"type":["integer","null"]}}}                                | {"n":1}
        """)
    void ordinaryValuesAreRecognized(String schema, String value) {
        assertThat(contain(schema, value)).isTrue();
        assertThat(JsonSchema.of(Json.parse(schema)).violations(Json.parse(value)))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"minLength\":0}",
                "{\"type\":[]}",
                "{\"type\":[\"string\",\"text\"]}",
                "{\"type\":[\"string\",1]}",
                "{\"type\":[[\"string\"]]}",
                "{\"$ref\":\"#\"}",
                "{\"type\":\"text\"}",
                "{\"properties\":[]}",
                "{\"properties\":{\"never\":{\"pattern\":\"(\"}}}",
                "{\"required\":[1]}",
                "{\"additionalProperties\":{}}",
                "{\"items\":[{}]}",
                "{\"enum\":[\"x\",1]}",
                "true"
            })
    void schemasWithAnythingElseAreLeftToTheValidator(String schema) {
        assertThat(contain(schema, "\"x\"")).isFalse();
        assertThat(contain(schema, "{}")).isFalse();
    }

    @Test
    void aSchemaThatIsNestedDeeplyIsLeftToTheValidator() {
        assertThat(contain("{\"items\":".repeat(30) + "{}" + "}".repeat(30), "[]"))
                .isFalse();
    }

    /** Seeded, so that a failure comes again. */
    @Test
    void nothingIsRecognizedThatTheValidatorRejects() {
        Random random = new Random(17);
        int recognized = 0;
        for (int i = 0; i < CASES; i++) {
            Json schema = Json.of(schema(random, 3));
            Json value = Json.of(value(random, 3));
            if (ObviousValues.of(schema.tree()).contain(value.tree())) {
                recognized++;
                assertThat(new SchemaValidator(schema).violations(value))
                        .as("%s of %s", value, schema)
                        .isEmpty();
            }
        }
        assertThat(recognized).isGreaterThan(CASES / 100);
    }

    private static Map<String, Object> schema(Random random, int levels) {
        Map<String, Object> schema = new LinkedHashMap<>();
        if (random.nextInt(4) > 0) {
            String type = pick(random, TYPES);
            schema.put("type", random.nextInt(4) > 0 ? type : List.of(type, pick(random, TYPES)));
        }
        if (levels > 0 && random.nextInt(3) == 0) {
            Map<String, Object> properties = new LinkedHashMap<>();
            NAMES.forEach(name -> properties.put(name, schema(random, levels - 1)));
            schema.put("properties", properties);
        }
        if (random.nextInt(6) == 0) {
            schema.put("required", List.of(pick(random, NAMES)));
        }
        if (random.nextInt(6) == 0) {
            schema.put("additionalProperties", random.nextBoolean());
        }
        if (levels > 0 && random.nextInt(4) == 0) {
            schema.put("items", schema(random, levels - 1));
        }
        if (random.nextInt(8) == 0) {
            schema.put("enum", List.of("a", pick(random, NAMES) + "b"));
        }
        if (random.nextInt(20) == 0) {
            schema.put("maxLength", 1);
        }
        return schema;
    }

    private static Object value(Random random, int levels) {
        return switch (random.nextInt(levels > 0 ? 8 : 6)) {
            case 0 -> pick(random, NAMES);
            case 1 -> random.nextInt(3);
            case 2 -> random.nextInt(3) / 2.0;
            case 3 -> random.nextBoolean();
            case 4 -> Json.parse("null");
            case 5 -> Json.parse("1e2");
            case 6 -> {
                List<Object> items = new ArrayList<>();
                while (random.nextInt(3) > 0) {
                    items.add(value(random, levels - 1));
                }
                yield items;
            }
            default -> {
                Map<String, Object> fields = new LinkedHashMap<>();
                NAMES.stream()
                        .filter(name -> random.nextBoolean())
                        .forEach(name -> fields.put(name, value(random, levels - 1)));
                yield fields;
            }
        };
    }

    private static String pick(Random random, List<String> words) {
        return words.get(random.nextInt(words.size()));
    }
}
