package dev.chargehand.server.internal.shape;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A JSON Schema of a part of the API. Immutable and thread-safe.
 *
 * @param name the name under which the document has it once; null for one that is written wherever it is used
 * @param keywords its keywords; their values may contain other shapes
 */
public record Shape(@Nullable String name, Map<String, Object> keywords) {

    /** Any JSON. */
    public static final Shape ANY = new Shape(null, Map.of());

    /** A time in UTC, such as {@code 2026-01-31T12:00:00Z}. */
    public static final Shape TIME = of("type", "string").with("format", "date-time");

    /** A text. */
    public static final Shape TEXT = of("type", "string");

    /** A whole number. */
    public static final Shape WHOLE = of("type", "integer");

    /** A number. */
    public static final Shape NUMBER = of("type", "number");

    /** True or false. */
    public static final Shape FLAG = of("type", "boolean");

    /** Any JSON object. */
    public static final Shape OBJECT = of("type", "object");

    private static Shape of(String keyword, Object value) {
        return new Shape(null, Map.of(keyword, value));
    }

    /** Return a text of at most so many characters that is not empty. */
    public static Shape text(int most) {
        return TEXT.with("minLength", 1).with("maxLength", most);
    }

    /** Return one of some texts. */
    public static Shape words(String... words) {
        return words(List.of(words));
    }

    /** Return one of some texts. */
    public static Shape words(List<String> words) {
        return TEXT.with("enum", words);
    }

    /** Return one of the constants of an enum, in lower case. */
    public static Shape words(Enum<?>[] constants) {
        return words(Arrays.stream(constants)
                .map(each -> each.name().toLowerCase(Locale.ROOT))
                .toList());
    }

    /** Return a whole number within bounds. */
    public static Shape whole(long least, long most) {
        return WHOLE.with("minimum", least).with("maximum", most);
    }

    /** Return a whole number from a bound on. */
    public static Shape from(long least) {
        return WHOLE.with("minimum", least);
    }

    /** Return a list. */
    public static Shape list(Shape items) {
        return of("type", "array").with("items", items);
    }

    /** Return an object whose fields have any names. */
    public static Shape map(Shape values) {
        return OBJECT.with("additionalProperties", values);
    }

    /** Return one of several shapes. */
    public static Shape anyOf(Shape... shapes) {
        return of("anyOf", List.of(shapes));
    }

    /** Return a shape or null, which removes what it is set for. */
    public static Shape orNull(Shape shape) {
        return anyOf(shape, of("type", "null"));
    }

    /** Return a shape within itself, by its name. */
    public static Shape reference(String name) {
        return new Shape(name, Map.of());
    }

    /** Return an object with fields, of which clients must expect more in later versions. */
    public static ObjectShape fields() {
        return new ObjectShape(false);
    }

    /** Return an object with these fields and no others, as a request is. */
    public static ObjectShape onlyFields() {
        return new ObjectShape(true);
    }

    /** Return this shape with another keyword. */
    public Shape with(String keyword, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(keywords);
        more.put(keyword, value);
        return new Shape(name, more);
    }

    /** Return this shape with a description. */
    public Shape described(String text) {
        return name == null ? with("description", text) : this;
    }

    /** Return this shape under a name, so that the document has it once. */
    public Shape named(String value) {
        return new Shape(value, keywords);
    }

    /** Return the names of the fields; empty if it is not an object with fields. */
    public Set<String> names() {
        return properties().keySet();
    }

    /** Return the shape of a field. */
    public Shape field(String field) {
        return Objects.requireNonNull(properties().get(field));
    }

    @SuppressWarnings("unchecked") // ObjectShape makes it
    private Map<String, Shape> properties() {
        return (Map<String, Shape>) keywords.getOrDefault("properties", Map.of());
    }

    /**
     * Return it as JSON.
     *
     * @param components receives the shapes with names
     */
    public Object write(Map<String, Object> components) {
        if (name == null) {
            return written(keywords, components);
        }
        if (!components.containsKey(name)) {
            components.put(name, Map.of()); // stands for it while its own parts are written
            components.put(name, written(keywords, components));
        }
        return Map.of("$ref", "#/components/schemas/" + name);
    }

    private static Object written(Object value, Map<String, Object> components) {
        return switch (value) {
            case Shape shape -> shape.write(components);
            case List<?> list ->
                list.stream().map(each -> written(each, components)).toList();
            case Map<?, ?> map -> {
                Map<String, Object> fields = new LinkedHashMap<>();
                map.forEach((key, each) -> fields.put(key.toString(), written(each, components)));
                yield fields;
            }
            default -> value;
        };
    }
}
