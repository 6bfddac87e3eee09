package dev.chargehand.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.internal.json.PlainJson;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.CharBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** The mapping of the JSON library and the short way around it must read and write the same. Seeded, so that a failure comes again. */
class PlainJsonTest {

    private static final int CASES = 20_000;

    private static final List<String> NUMBERS = List.of(
            "0",
            "-0",
            "1",
            "-17",
            "2147483647",
            "2147483648",
            "-9223372036854775808",
            "9223372036854775808",
            "0.5",
            "-0.0",
            "1e3",
            "1.0E-7",
            "1234567.125",
            "4.9e-32",
            "0.1000");

    private static final List<String> TEXTS = List.of(
            "a",
            "b",
            "zz",
            "",
            " ",
            "\\n",
            "\\\"",
            "\\\\",
            "\\/",
            "/",
            "é",
            "\\u00e9",
            "\\ud83d\\ude00",
            "\\ud800",
            "😀",
            "\\u0000",
            "</script>",
            "\u2028");

    private static final JsonMapper MAPPER = JsonMapping.mapper();

    record Order(
            String id,
            int count,
            long length,
            double ratio,
            boolean open,
            @Nullable Integer most) {}

    private static @Nullable JsonNode mapped(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JacksonException e) {
            return null;
        }
    }

    private static Optional<String> written(@Nullable Object value) {
        return PlainJson.written(value, each -> each instanceof Json json ? json.text() : null);
    }

    @Test
    void textsAreReadAndWrittenAsTheMappingDoes() {
        Random random = new Random(5);
        int plain = 0;
        for (int i = 0; i < CASES; i++) {
            String text = text(random, 4);
            if (random.nextInt(3) == 0) {
                text = damaged(text, random);
            }
            Optional<JsonNode> read = PlainJson.read(text);
            if (read.isPresent()) {
                plain++;
                JsonNode tree = read.get();
                assertThat(tree).as(text).isEqualTo(mapped(text));
                assertThat(written(tree)).as(text).contains(MAPPER.writeValueAsString(tree));
                assertThat(PlainJson.sorted(tree))
                        .as(text)
                        .contains(MAPPER.writer()
                                .with(JsonNodeFeature.WRITE_PROPERTIES_SORTED)
                                .writeValueAsString(tree));
            }
        }
        assertThat(plain).isGreaterThan(CASES / 2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "123456789.123456789",
                "0.1000000000000000055511151231257827",
                "12345678901234567890.5",
                "1E+400",
                "-1E-400"
            })
    void aNumberThatADoubleWouldChangeIsKept(String number) {
        JsonNode tree = PlainJson.read(number).orElseThrow();

        assertThat(tree.decimalValue()).isEqualTo(new BigDecimal(number));
        assertThat(written(tree)).contains(number).contains(MAPPER.writeValueAsString(tree));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e999999999", "[-1.5e1001]", "{\"a\":[1e-999999999]}", "{\"a\":1e1001,\"a\":2}"})
    void aNumberWhoseSumWithAnotherWouldFillTheMemoryIsRejected(String text) {
        assertThatThrownBy(() -> Json.parse(text))
                .isInstanceOf(InvalidJsonException.class)
                .hasMessageStartingWith("Not valid JSON");
        assertThat(Json.parse("[1e999,0e999999999]").text()).isEqualTo("[1e999,0e999999999]");
    }

    @Test
    void whatTheMappingRejectsIsNotRead() {
        List<String> rejected = List.of(
                "",
                " ",
                "{",
                "[1,]",
                "{\"a\":1,}",
                "{\"a\":1,\"a\":2}",
                "{\"b\":{\"a\":1,\"a\":1}}",
                "1 2",
                "{} x",
                "'a'",
                "NaN",
                "\"\n\"",
                "01",
                "nul",
                "[".repeat(501) + "]".repeat(501));
        for (String text : rejected) {
            JsonNode tree = mapped(text);
            assertThat(tree == null || tree.isMissingNode()).as(text).isTrue();
            assertThat(PlainJson.read(text)).as(text).isEmpty();
        }
        String deep = "[".repeat(500) + "]".repeat(500);
        assertThat(PlainJson.read(deep)).contains(MAPPER.readTree(deep));
    }

    @Test
    void valuesOfTheJdkAreWrittenAsTheMappingDoes() {
        Map<String, Object> nulls = new TreeMap<>();
        nulls.put("b", null);
        nulls.put("a", Arrays.asList(1, null, "x"));
        List<Object> values = List.of(
                "text \ud800",
                1,
                -5L,
                0.1,
                1e300,
                BigInteger.TWO.pow(100),
                BigDecimal.ZERO,
                new BigDecimal("1.50"),
                new BigDecimal("1E+3"),
                new BigDecimal("-1E-12"),
                true,
                List.of(),
                Map.of(),
                nulls,
                Collections.unmodifiableMap(nulls),
                Map.of("json", Json.parse("{ \"b\" : 1.50 }"), "tree", MAPPER.readTree("{\"z\":1,\"a\":[1.5,null]}")),
                Optional.of(List.of("in it")).stream().toList());
        for (Object value : values) {
            assertThat(written(value)).contains(MAPPER.writeValueAsString(value));
        }
        assertThat(written(null)).contains("null");
    }

    @Test
    void everythingElseIsLeftToTheMapping() {
        List<Object> endless = new ArrayList<>();
        endless.add(endless);
        List<Object> values = List.of(
                Double.NaN,
                1.5f,
                'x',
                Map.of(1, "a"),
                new EnumMap<>(Map.of(TimeUnit.DAYS, 1)),
                List.of(Instant.EPOCH),
                new Order("a", 1, 1, 1, true, null),
                Optional.empty(),
                CharBuffer.wrap("text"),
                new int[] {1},
                new ArrayList<>(List.of("a")) {
                    private static final long serialVersionUID = 1L;
                },
                endless);
        for (Object value : values) {
            assertThat(written(value)).as("%s", value.getClass()).isEmpty();
        }
    }

    @Test
    void recordsAreReadAsTheMappingDoes() {
        Random random = new Random(7);
        int read = 0;
        for (int i = 0; i < CASES; i++) {
            List<String> fields = new ArrayList<>();
            for (String name : List.of("id", "count", "length", "ratio", "open", "most", "more")) {
                if (random.nextInt(30) > 0) {
                    fields.add("\"" + name + "\":" + field(name, random));
                }
            }
            JsonNode tree = mapped("{" + String.join(",", fields) + "}");
            if (tree == null) {
                continue; // a key in it has half a character
            }
            Optional<Order> order = PlainTypes.read(tree, Order.class);
            if (order.isPresent()) {
                read++;
                assertThat(order).as("%s", tree).contains(MAPPER.treeToValue(tree, Order.class));
            }
        }
        assertThat(read).isGreaterThan(CASES / 4);
    }

    private static String field(String name, Random random) {
        if (random.nextInt(20) == 0) {
            return text(random, 1);
        }
        return switch (name) {
            case "id" -> "\"" + pick(random, TEXTS) + "\"";
            case "open" -> String.valueOf(random.nextBoolean());
            case "length" -> String.valueOf(random.nextLong());
            case "ratio" -> random.nextBoolean() ? pick(random, NUMBERS) : String.valueOf(random.nextDouble());
            default -> String.valueOf(random.nextInt());
        };
    }

    private static String text(Random random, int levels) {
        return switch (random.nextInt(levels > 0 ? 8 : 5)) {
            case 0, 1 -> pick(random, NUMBERS);
            case 2 -> pick(random, List.of("true", "false", "null"));
            case 3, 4 -> "\"" + pick(random, TEXTS) + pick(random, TEXTS) + "\"";
            case 5 -> list(random, levels, "[", "", "]");
            default -> list(random, levels, "{", "\"%s\" :", "}");
        };
    }

    private static String list(Random random, int levels, String start, String name, String end) {
        List<String> parts = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            parts.add(name.replace("%s", pick(random, TEXTS) + i) + text(random, levels - 1));
        }
        return start + String.join(random.nextBoolean() ? "," : " ,\n", parts) + end;
    }

    private static String damaged(String text, Random random) {
        int at = random.nextInt(text.length());
        return text.substring(0, at)
                + pick(random, List.of("", "\"", "{", "]", ",", "x", "0"))
                + text.substring(Math.min(text.length(), at + random.nextInt(2)));
    }

    private static String pick(Random random, List<String> from) {
        return from.get(random.nextInt(from.size()));
    }
}
