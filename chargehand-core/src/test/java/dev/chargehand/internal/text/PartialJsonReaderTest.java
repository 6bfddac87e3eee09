package dev.chargehand.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read of a JSON text that is still arriving. */
class PartialJsonReaderTest {

    private static final int VALUES = 300;
    private static final int MOST_TIMES_THE_TEXT = 40;

    private static List<Json> read(String... pieces) {
        PartialJsonReader reader = new PartialJsonReader();
        return Stream.of(pieces)
                .flatMap(piece -> reader.read(piece).stream())
                .map(Json::parse)
                .toList();
    }

    private static String last(String piece) {
        return read(piece).getLast().text();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{                       | {}",
                "{ \"a                   | {}",
                "{\"a\":                 | {}",
                "{\"a\":\"               | {\"a\":\"\"}",
                "{\"a\":\"xy             | {\"a\":\"xy\"}",
                "{\"a\":\"x\\            | {\"a\":\"x\"}",
                "{\"a\":\"x\\u00e        | {\"a\":\"x\"}",
                "{\"a\":\"x\\u00e9       | {\"a\":\"x\\u00e9\"}",
                "{\"a\":\"x\\uD83D       | {\"a\":\"x\"}",
                "{\"a\":\"x\\uD83D\\uDE00 | {\"a\":\"x\\uD83D\\uDE00\"}",
                "{\"a\":12               | {}",
                "{\"a\":12,              | {\"a\":12}",
                "{\"a\":-1.5e3}          | {\"a\":-1.5e3}",
                "{\"a\":tru              | {}",
                "{\"a\":true             | {\"a\":true}",
                "[1,[2,{\"b\":null       | [1,[2,{\"b\":null}]]",
                "[[],{}, \"z             | [[],{}, \"z\"]",
                "\"text                  | \"text\"",
                "12 and more             | 12"
            })
    void aTextThatIsCutIsClosed(String text, String value) {
        assertThat(last(text)).isEqualTo(value);
    }

    @Test
    void aFenceAroundTheValueIsSkipped() {
        assertThat(read("``", "`js", "on\n{\"a\"", ":1}\n`", "``"))
                .extracting(Json::text)
                .containsExactly("{}", "{\"a\":1}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Sure! {\"a\":1}",
                "{a:1}",
                "{\"a\" 1}",
                "{\"a\":01}",
                "[1 2",
                "[,",
                "[}",
                "{]",
                "{,",
                "{\"a\":1,}",
                "[nul1",
                "[tx",
                "[\"\\x\"",
                "[\"\\u00g0\"",
                "[\"a\nb\"",
                "[-]",
                "`{}",
                "+1"
            })
    void aTextThatIsNoJsonGivesNothingMore(String text) {
        PartialJsonReader reader = new PartialJsonReader();
        reader.read(text).ifPresent(Json::parse);
        assertThat(reader.read("\"more\":[1,2,3]}]")).isEmpty();
        assertThat(reader.isComplete()).isFalse();
    }

    @Test
    void whatNestsTooDeeplyGivesNothingMore() {
        PartialJsonReader reader = new PartialJsonReader();
        assertThat(Json.parse(reader.read("[".repeat(100_000)).orElseThrow()).depth())
                .isLessThan(500);
        assertThat(reader.read("1")).isEmpty();
    }

    static IntStream seeds() {
        return IntStream.range(0, VALUES);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyValueIsOneThatTheWholeBeginsWithAndTheLastIsTheWhole(int seed) {
        Random random = new Random(seed);
        Object whole = random.nextBoolean() ? object(random, 4) : array(random, 4);
        String text = spaced(Json.of(whole).text(), random);
        PartialJsonReader reader = new PartialJsonReader();
        Json before = null;
        long told = 0;
        for (String piece : split(text, random)) {
            Json now = reader.read(piece).map(Json::parse).orElse(null);
            if (now != null) {
                told += now.text().length();
                assertThat(begins(Json.parse(text), now))
                        .as("%s begins with %s", text, now)
                        .isTrue();
                assertThat(before == null || begins(now, before))
                        .as("%s begins with %s", now, before)
                        .isTrue();
                before = now;
            }
        }
        assertThat(reader.isComplete()).isTrue();
        assertThat(before).isNotNull();
        assertThat(before.canonical()).isEqualTo(Json.parse(text).canonical());
        assertThat(told).isLessThan((long) MOST_TIMES_THE_TEXT * Math.max(text.length(), 64));
    }

    @Test
    void whatIsToldOfALongTextIsAMultipleOfItHoweverItArrives() {
        long shorter = toldOf(20_000);
        long longer = toldOf(200_000);
        assertThat(longer).isBetween(5 * shorter, 20 * shorter);
    }

    private static long toldOf(int length) {
        PartialJsonReader reader = new PartialJsonReader();
        String text = "{\"a\":\"" + "x".repeat(length) + "\"}";
        return text.chars()
                .mapToObj(c -> reader.read(String.valueOf((char) c)))
                .mapToLong(value -> value.map(String::length).orElse(0))
                .sum();
    }

    /** Tells whether a value is what another begins with. */
    private static boolean begins(Json whole, Json part) {
        return begins(whole.as(Object.class), part.as(Object.class));
    }

    private static boolean begins(@Nullable Object whole, @Nullable Object part) {
        if (whole instanceof String text && part instanceof String beginning) {
            return text.startsWith(beginning);
        }
        if (whole instanceof List<?> list && part instanceof List<?> beginning) {
            return beginning.size() <= list.size()
                    && IntStream.range(0, beginning.size()).allMatch(i -> begins(list.get(i), beginning.get(i)));
        }
        if (whole instanceof Map<?, ?> map && part instanceof Map<?, ?> beginning) {
            List<?> keys = new ArrayList<>(map.keySet()).subList(0, Math.min(map.size(), beginning.size()));
            return keys.equals(new ArrayList<>(beginning.keySet()))
                    && keys.stream().allMatch(key -> begins(map.get(key), beginning.get(key)));
        }
        return whole == null ? part == null : whole.equals(part);
    }

    private static @Nullable Object value(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 8 : 6)) {
            case 0 -> text(random);
            case 1 -> random.nextInt();
            case 2 -> random.nextDouble() * 1e9;
            case 3 -> random.nextBoolean();
            case 4 -> null;
            case 5 -> text(random);
            case 6 -> object(random, depth - 1);
            default -> array(random, depth - 1);
        };
    }

    private static Map<String, @Nullable Object> object(Random random, int depth) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        IntStream.range(0, random.nextInt(5)).forEach(i -> fields.put(text(random) + i, value(random, depth)));
        return fields;
    }

    private static List<@Nullable Object> array(Random random, int depth) {
        List<@Nullable Object> elements = new ArrayList<>();
        IntStream.range(0, random.nextInt(5)).forEach(i -> elements.add(value(random, depth)));
        return elements;
    }

    private static String text(Random random) {
        String alphabet = "abc \"\\/\n\té\uD83D\uDE00{}[],:";
        int[] characters = alphabet.codePoints().toArray();
        return random.ints(random.nextInt(30), 0, characters.length)
                .mapToObj(i -> Character.toString(characters[i]))
                .reduce("", String::concat);
    }

    /** Puts white space around brackets and commas that stand outside strings. */
    private static String spaced(String json, Random random) {
        if (random.nextBoolean()) {
            return json;
        }
        StringBuilder spaced = new StringBuilder();
        boolean inString = false;
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            spaced.append(c);
            if (c == '\\') {
                spaced.append(json.charAt(++i));
            } else if (c == '"') {
                inString = !inString;
            }
            if (!inString && c != '"' && "[]{},:".indexOf(c) >= 0 && i < json.length() - 1) {
                spaced.append(" \n\t".charAt(random.nextInt(3)));
            }
        }
        return spaced.toString();
    }

    private static List<String> split(String text, Random random) {
        List<String> pieces = new ArrayList<>();
        int longest = 1 + random.nextInt(12);
        for (int from = 0; from < text.length(); ) {
            int to = Math.min(text.length(), from + random.nextInt(longest + 1));
            pieces.add(text.substring(from, to));
            from = to;
        }
        return pieces;
    }
}
