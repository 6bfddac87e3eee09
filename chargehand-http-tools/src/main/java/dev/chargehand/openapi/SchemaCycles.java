package dev.chargehand.openapi;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds schemas that apply themselves to the very same value, which no validator comes to an end with. */
final class SchemaCycles {

    private static final String DEFINITIONS = "#/$defs/";

    private SchemaCycles() {}

    /** Return the definitions that lead back to themselves without a step into a field or an item. */
    static Set<String> in(Map<String, Object> definitions) {
        Map<String, List<String>> next = new HashMap<>();
        definitions.forEach(
                (name, schema) -> next.put(name, beside(schema).distinct().toList()));
        Map<String, Integer> from = new HashMap<>();
        next.values().forEach(names -> names.forEach(name -> from.merge(name, 1, Integer::sum)));
        Set<String> left = new HashSet<>(next.keySet());
        without(left, next, from);
        Set<String> circles = new HashSet<>();
        left.forEach(name -> {
            if (leadsBack(name, next, left)) {
                circles.add(name);
            }
        });
        return circles;
    }

    /** Remove nodes without incoming edges repeatedly: these are not in a cycle. */
    private static void without(Set<String> left, Map<String, List<String>> next, Map<String, Integer> from) {
        Deque<String> free = new ArrayDeque<>();
        left.stream().filter(name -> from.getOrDefault(name, 0) == 0).forEach(free::add);
        while (!free.isEmpty()) {
            String name = free.remove();
            left.remove(name);
            for (String below : next.getOrDefault(name, List.of())) {
                if (from.merge(below, -1, Integer::sum) == 0) {
                    free.add(below);
                }
            }
        }
    }

    private static boolean leadsBack(String name, Map<String, List<String>> next, Set<String> left) {
        Set<String> seen = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(next.getOrDefault(name, List.of()));
        while (!open.isEmpty()) {
            String at = open.remove();
            if (at.equals(name)) {
                return true;
            }
            if (left.contains(at) && seen.add(at)) {
                open.addAll(next.getOrDefault(at, List.of()));
            }
        }
        return false;
    }

    /** Return the definitions that a schema applies to the value that it is applied to. */
    private static Stream<String> beside(@Nullable Object schema) {
        if (schema instanceof List<?> several) {
            return several.stream().flatMap(SchemaCycles::beside);
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
                ? schemas.values().stream().flatMap(SchemaCycles::beside)
                : Stream.empty();
        return Stream.of(reference, below, dependent).flatMap(each -> each);
    }
}
