package dev.chargehand.config.internal.key;

import dev.chargehand.document.Section;
import dev.chargehand.document.Setting;
import dev.chargehand.document.ValueKind;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the value of a key looks like: its JSON Schema, and how it is read. Immutable.
 *
 * @param schema the JSON Schema, in the order in which it is written
 * @param reader reads the value below a key of a section
 * @param <T> what the reader returns
 */
public record Shape<T>(Map<String, Object> schema, Reader<T> reader) {

    /** A text with something in it. */
    public static final Shape<Setting> TEXT = new Shape<>(schema("type", "string", "minLength", 1), Section::text);

    /** {@code true} or {@code false}. */
    public static final Shape<Boolean> FLAG = new Shape<>(schema("type", "boolean"), Section::flag);

    /** A time such as {@code 30s}. */
    public static final Shape<Duration> TIME = of(
            ValueKind.TIME,
            schema(
                    "type",
                    "string",
                    "pattern",
                    "^0*[1-9]\\d{0,8} ?(ms|s|m|h)$",
                    "examples",
                    List.of("500ms", "30s", "2m", "1h")));

    /** Any whole number. */
    public static final Shape<Long> WHOLE = of(ValueKind.WHOLE, schema("type", "integer"));

    /** A number above 0 and at most 1. */
    public static final Shape<Double> SHARE =
            of(ValueKind.SHARE, schema("type", "number", "exclusiveMinimum", 0, "maximum", 1));

    /** An amount of money above 0. */
    public static final Shape<BigDecimal> SUM = of(ValueKind.SUM, schema("type", "number", "exclusiveMinimum", 0));

    /** A price, which may be 0. */
    public static final Shape<BigDecimal> PRICE = of(ValueKind.PRICE, schema("type", "number", "minimum", 0));

    /** Different texts, perhaps none. */
    public static final Shape<List<Setting>> TEXTS = new Shape<>(
            schema("type", "array", "items", TEXT.schema, "uniqueItems", true), (section, key) -> section.texts(key));

    /** Different texts, at least one. */
    public static final Shape<List<Setting>> SOME_TEXTS = new Shape<>(
            schema("type", "array", "items", TEXT.schema, "minItems", 1, "uniqueItems", true),
            (section, key) -> section.texts(key));

    /** A text, or several. */
    public static final Shape<List<Setting>> ONE_OR_MORE =
            new Shape<>(anyOf(TEXT.schema, SOME_TEXTS.schema), Section::oneOrMore);

    /** A text, or a list of any length. */
    public static final Shape<List<Setting>> ONE_OR_ANY =
            new Shape<>(anyOf(TEXT.schema, TEXTS.schema), Section::oneOrMore);

    /** Texts by names. */
    public static final Shape<Void> TEXTS_BY_NAME =
            unread(schema("type", "object", "additionalProperties", TEXT.schema));

    /** A JSON Schema, as keys and values. */
    public static final Shape<Void> JSON_SCHEMA = unread(schema("type", "object"));

    /** No value. */
    public static final Shape<Void> NOTHING = unread(schema("type", "null"));

    private static final long MOST = 9_007_199_254_740_991L; // what JSON's numbers are exact up to

    /**
     * A function that reads a value.
     *
     * @param <T> what it returns
     */
    @FunctionalInterface
    public interface Reader<T> {

        /** Read the value below a key; null if it is missing, or has another shape, which is noted as a mistake. */
        @Nullable
        T read(Section section, String key);
    }

    /** Return a shape that its section reads in its own way. */
    public static Shape<Void> unread(Map<String, Object> schema) {
        return new Shape<>(schema, (section, key) -> {
            throw new IllegalStateException("'" + key + "' is read by the reader of its section.");
        });
    }

    /** Return the shape of a whole number from a bound. */
    public static Shape<Integer> from(int least) {
        return of(ValueKind.from(least), schema("type", "integer", "minimum", least, "maximum", Integer.MAX_VALUE));
    }

    /** Return the shape of a whole number between bounds. */
    public static Shape<Integer> range(int least, int most) {
        return of(ValueKind.range(least, most), schema("type", "integer", "minimum", least, "maximum", most));
    }

    /** Return the shape of a whole number from a bound, which may be large. */
    public static Shape<Long> fromLong(long least) {
        return of(ValueKind.fromLong(least), schema("type", "integer", "minimum", least, "maximum", MOST));
    }

    /** Return the shape of a number between bounds. */
    public static Shape<Double> between(int least, int most) {
        return of(ValueKind.between(least, most), schema("type", "number", "minimum", least, "maximum", most));
    }

    /** Return the shape of one of some words, each of which stands for a value. */
    @SafeVarargs
    public static <T> Shape<T> choice(Map.Entry<String, ? extends T>... words) {
        Map<String, T> choices = new LinkedHashMap<>();
        for (Map.Entry<String, ? extends T> word : words) {
            choices.put(word.getKey(), word.getValue());
        }
        return new Shape<>(
                schema("enum", List.copyOf(choices.keySet())), (section, key) -> section.choice(key, choices));
    }

    /** Return the shape of a mapping whose keys another section declares. */
    public static Shape<Void> section(String name) {
        return unread(reference(name));
    }

    /** Return the shape of a mapping from names of a pattern to mappings whose keys another section declares. */
    public static Shape<Void> sections(String name, String pattern) {
        return unread(schema(
                "type",
                "object",
                "propertyNames",
                schema("pattern", pattern),
                "additionalProperties",
                reference(name)));
    }

    private static <T> Shape<T> of(ValueKind<T> kind, Map<String, Object> schema) {
        return new Shape<>(schema, (section, key) -> section.value(key, kind));
    }

    /** Return this shape with another keyword in its schema. */
    public Shape<T> with(String keyword, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(schema);
        more.put(keyword, value);
        return new Shape<>(more, reader);
    }

    /** Return the reference to a section. */
    static Map<String, Object> reference(String name) {
        return schema("$ref", "#/$defs/" + name);
    }

    static Map<String, Object> anyOf(Map<String, Object> first, Map<String, Object> second) {
        return schema("anyOf", List.of(first, second));
    }

    /** Return a schema of keywords and their values, in turn. */
    static Map<String, Object> schema(Object... keywordsAndValues) {
        List<Object> all = new ArrayList<>(List.of(keywordsAndValues));
        Map<String, Object> schema = new LinkedHashMap<>();
        for (int i = 0; i < all.size(); i += 2) {
            schema.put((String) all.get(i), all.get(i + 1));
        }
        return schema;
    }
}
