package dev.chargehand.json;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.chargehand.annotation.CheckReturnValue;
import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.internal.text.WellFormed;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One JSON value, held as text.
 *
 * <p>Immutable and thread-safe. Two values are equal when their texts are; compare {@link #canonical()} forms to ignore
 * white space and the order of keys.
 */
public final class Json {

    private final String text;
    private volatile @Nullable JsonNode parsed;

    private Json(String text, @Nullable JsonNode parsed) {
        this.text = text;
        this.parsed = parsed;
    }

    /**
     * Read a JSON text. Surrogates without a partner in it, as they are or escaped, are replaced by U+FFFD.
     *
     * @throws InvalidJsonException if the text is not exactly one JSON value, with the line and column of the fault
     */
    public static Json parse(String text) {
        JsonNode tree = JsonMapping.parse(Objects.requireNonNull(text, "A JSON text must not be null."));
        if (!text.contains("\\ud") && !text.contains("\\uD")) {
            return new Json(WellFormed.text(text), tree);
        }
        String written = JsonMapping.write(tree);
        String whole = WellFormed.text(written);
        return whole.equals(written) ? new Json(text, tree) : new Json(whole, null);
    }

    /**
     * Write a Java value as JSON: records, maps, collections, numbers, strings, dates, enums, {@code null}.
     *
     * @throws InvalidJsonException if the value has no JSON form (a cycle, or more than 500 levels)
     */
    public static Json of(@Nullable Object value) {
        return value instanceof Json json ? json : new Json(WellFormed.text(JsonMapping.write(value)), null);
    }

    /**
     * Write a Java value as JSON, within a bound; see {@link #of}. Of a value that is longer it returns the start, as a
     * string that ends with a note of the cut: of a text its first characters, of anything else those of its JSON.
     *
     * @param most how many characters are kept, above zero; nothing is written beyond them
     * @throws InvalidJsonException if the value has no JSON form
     * @throws IllegalArgumentException if {@code most} is not above zero
     */
    public static Json ofAtMost(@Nullable Object value, int most) {
        if (most < 1) {
            throw new IllegalArgumentException(
                    "A value is kept with a number of characters above zero; it is " + most + ".");
        }
        String text = value instanceof CharSequence words && words.length() > most
                ? words.subSequence(0, most).toString()
                : value instanceof Json json
                        ? json.text()
                        : JsonMapping.start(value, Math.max(most, most + 1)); // one more, to see the cut
        boolean whole = text.length() <= most && !(value instanceof CharSequence words && words.length() > most);
        if (whole) {
            return value instanceof Json json ? json : new Json(WellFormed.text(text), null);
        }
        int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return of(text.substring(0, end) + "\n[Cut here: it has more than " + most
                + " characters. The rest was not kept.]");
    }

    /** Take a text that is known to be JSON. */
    static Json ofText(String json) {
        return new Json(json, null);
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static Json ofTree(JsonNode tree) {
        return new Json(JsonMapping.write(tree), tree);
    }

    /** Return the text as it was given or written. */
    @JsonValue
    @JsonRawValue
    public String text() {
        return text;
    }

    /**
     * Read this value as a Java type; unknown keys are ignored.
     *
     * @throws InvalidJsonException if the value does not fit the type
     */
    public <T> T as(Class<T> type) {
        return JsonMapping.bind(tree(), type);
    }

    /**
     * Read this value as a Java type with type arguments; unknown keys are ignored.
     *
     * @throws InvalidJsonException if the value does not fit the type
     */
    public <T> T as(JsonType<T> type) {
        return JsonMapping.bind(tree(), type);
    }

    /** Return the value at a JSON Pointer such as {@code /items/0/name}, or nothing if there is none. */
    public Optional<Json> at(String pointer) {
        JsonNode found = tree().at(pointer);
        return found.isMissingNode() ? Optional.empty() : Optional.of(ofTree(found));
    }

    /**
     * Return the text of a JSON string, U+FFFD for surrogates without a partner, or nothing if this is another kind of
     * value.
     */
    public Optional<String> string() {
        return tree().isString() ? Optional.of(WellFormed.text(tree().stringValue())) : Optional.empty();
    }

    /** Return the fields of a JSON object, in order; empty if this is another kind of value. */
    public Map<String, Json> fields() {
        Map<String, Json> fields = new LinkedHashMap<>();
        tree().properties().forEach(field -> fields.put(field.getKey(), ofTree(field.getValue())));
        return fields;
    }

    /** Return whether this is a JSON object. */
    public boolean isObject() {
        return tree().isObject();
    }

    /** Return how deeply arrays and objects are nested: 0 for a scalar, 1 for a flat object. */
    public int depth() {
        return JsonMapping.depth(tree());
    }

    /** Return the same value without white space and with the keys of every object in order. */
    @CheckReturnValue
    public Json canonical() {
        return new Json(JsonMapping.canonical(tree()), null);
    }

    /**
     * Return this value with its texts changed: strings, keys, and numbers as they are written. A number that is
     * changed becomes a string, and keys that become equal are numbered, so that the outcome is always JSON.
     *
     * @param change is given each text, without its quotes and escapes; it must not return null
     */
    @CheckReturnValue
    public Json withTexts(UnaryOperator<String> change) {
        return JsonRewriter.rewritten(this, change);
    }

    /** Return the parsed form; parsing twice at the same time is harmless. */
    JsonNode tree() {
        JsonNode tree = parsed;
        if (tree == null) {
            tree = JsonMapping.parse(text);
            parsed = tree;
        }
        return tree;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Json json && json.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
