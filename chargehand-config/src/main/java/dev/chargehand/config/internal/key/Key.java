package dev.chargehand.config.internal.key;

import dev.chargehand.document.Section;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A key. Immutable.
 *
 * @param name its name in the file
 * @param shape what its value looks like
 * @param description what it means, in a sentence; empty if the value is a section with its own description
 * @param byDefault its value in the file if it is missing, or null if there is none, or the description says it
 * @param <T> what its value is read as
 */
public record Key<T>(
        String name,
        Shape<T> shape,
        String description,
        @Nullable Object byDefault) {

    /** Return a key without a default. */
    public static <T> Key<T> of(String name, Shape<T> shape, String description) {
        return new Key<>(name, shape, description, null);
    }

    /** Return the key of a section that says what it means. */
    public static Key<Void> ofSection(String name) {
        return of(name, Shape.section(name), "");
    }

    /** Return this key with a default. */
    public Key<T> orElse(Object value) {
        return new Key<>(name, shape, description, value);
    }

    /** Read the value in a section; null if it is missing or wrong. A wrong value is noted as a mistake. */
    public @Nullable T in(Section section) {
        return shape.reader().read(section, name);
    }

    /** Return the JSON Schema of the value, with its description. */
    Map<String, Object> schema() {
        Map<String, Object> schema = new LinkedHashMap<>();
        if (!description.isEmpty()) {
            schema.put("description", description);
        }
        schema.putAll(shape.schema());
        if (byDefault != null) {
            schema.put("default", byDefault);
        }
        return schema;
    }
}
