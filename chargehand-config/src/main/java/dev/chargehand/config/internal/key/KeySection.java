package dev.chargehand.config.internal.key;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The keys of one kind of mapping. Immutable.
 *
 * @param name its name in the JSON Schema and on the page
 * @param description what it is for, in a sentence
 * @param keys the allowed keys, in the order of the page
 * @param rules further keywords of its JSON Schema, such as which keys are required
 */
public record KeySection(String name, String description, List<Key<?>> keys, Map<String, Object> rules) {

    public KeySection {
        keys = List.copyOf(keys);
    }

    /** Return a section without rules. */
    static KeySection of(String name, String description, Key<?>... keys) {
        return new KeySection(name, description, List.of(keys), Map.of());
    }

    /** Return this section with another rule. */
    KeySection with(String keyword, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(rules);
        more.put(keyword, value);
        return new KeySection(name, description, keys, more);
    }

    /** Return this section with required keys. */
    KeySection requiring(Key<?>... required) {
        return with("required", names(List.of(required)));
    }

    /** Return the names of the keys. */
    public List<String> names() {
        return names(keys);
    }

    /** Return the names of keys. */
    public static List<String> names(List<? extends Key<?>> keys) {
        return keys.stream().map(Key::name).toList();
    }

    /** Return the schema that requires one key. */
    static Map<String, Object> requires(String key) {
        return Shape.schema("required", List.of(key));
    }

    /** Return the JSON Schema of the section. */
    Map<String, Object> schema() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("description", description);
        schema.put("type", "object");
        schema.put("additionalProperties", false);
        schema.putAll(rules);
        Map<String, Object> properties = new LinkedHashMap<>();
        keys.forEach(key -> properties.put(key.name(), key.schema()));
        schema.put("properties", properties);
        return schema;
    }
}
