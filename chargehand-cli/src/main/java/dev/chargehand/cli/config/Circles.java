package dev.chargehand.cli.config;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds schemas that apply themselves to the very same value, which no validator comes to an end with. */
final class Circles {

    private static final String DEFINITIONS = "#/$defs/";

    private Circles() {}

    /** Tells whether a definition leads back to itself without a step into a field or an item. */
    static boolean isIn(Map<String, Object> definitions, String name) {
        Set<String> seen = new HashSet<>();
        return beside(definitions.get(name)).anyMatch(next -> leads(definitions, next, name, seen));
    }

    private static boolean leads(Map<String, Object> definitions, String from, String to, Set<String> seen) {
        return from.equals(to)
                || (seen.add(from)
                        && beside(definitions.get(from)).anyMatch(next -> leads(definitions, next, to, seen)));
    }

    /** Returns the definitions that a schema applies to the value that it is applied to. */
    private static Stream<String> beside(@Nullable Object schema) {
        if (schema instanceof List<?> several) {
            return several.stream().flatMap(Circles::beside);
        }
        if (!(schema instanceof Map<?, ?> map)) {
            return Stream.empty();
        }
        Stream<String> reference = map.get("$ref") instanceof String text && text.startsWith(DEFINITIONS)
                ? Stream.of(text.substring(DEFINITIONS.length()))
                : Stream.empty();
        Stream<String> below = Stream.of("allOf", "anyOf", "oneOf", "not", "if", "then", "else")
                .flatMap(key -> beside(map.get(key)));
        Stream<String> dependent = map.get("dependentSchemas") instanceof Map<?, ?> schemas
                ? schemas.values().stream().flatMap(Circles::beside)
                : Stream.empty();
        return Stream.of(reference, below, dependent).flatMap(each -> each);
    }
}
