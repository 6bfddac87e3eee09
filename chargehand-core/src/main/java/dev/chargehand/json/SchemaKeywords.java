package dev.chargehand.json;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Finds values of keywords that no version of JSON Schema allows, such as the type {@code strin} or a {@code required} without a list. The
 * validator takes longer to load than the rest of a short program, and ignores some of them. Used by one thread.
 */
final class SchemaKeywords {

    private static final int MOST_SENTENCES = 50;

    private static final List<String> TYPES =
            List.of("array", "boolean", "integer", "null", "number", "object", "string");

    /** Their values are schemas. */
    private static final Set<String> SCHEMAS = Set.of(
            "additionalItems",
            "unevaluatedItems",
            "contains",
            "additionalProperties",
            "unevaluatedProperties",
            "propertyNames",
            "not",
            "if",
            "then",
            "else",
            "contentSchema");

    /** Their values are lists of schemas. */
    private static final Set<String> LISTS = Set.of("prefixItems", "allOf", "anyOf", "oneOf");

    /** Their values are objects that hold schemas by names, which may look like keywords. */
    private static final Set<String> NAMED =
            Set.of("properties", "patternProperties", "$defs", "definitions", "dependentSchemas");

    private static final Set<String> NUMBERS = Set.of("minimum", "maximum", "multipleOf");

    /** Limits that older versions have as booleans. */
    private static final Set<String> NUMBERS_OR_BOOLEANS = Set.of("exclusiveMinimum", "exclusiveMaximum");

    private static final Set<String> COUNTS = Set.of(
            "minLength",
            "maxLength",
            "minItems",
            "maxItems",
            "minProperties",
            "maxProperties",
            "minContains",
            "maxContains");

    private final JsonNode root;
    private final List<String> found = new ArrayList<>();

    private SchemaKeywords(JsonNode root) {
        this.root = root;
    }

    /** Return a sentence for each mistake, with its place and what is allowed there. */
    static List<String> mistakes(JsonNode schema) {
        return new SchemaKeywords(schema).read();
    }

    private List<String> read() {
        read(root, "", false);
        return List.copyOf(found);
    }

    /** Read a schema; {@code embedded} if it has an id of its own, so that references lead elsewhere than into the root. */
    private void read(JsonNode schema, String place, boolean embedded) {
        if (!schema.isObject()) {
            require(schema.isBoolean(), place, schema, "an object, or a boolean");
            return;
        }
        boolean named = schema.path("$id").isString() || schema.path("id").isString();
        boolean inside = embedded || (named && !place.isEmpty());
        for (Map.Entry<String, JsonNode> keyword : schema.properties()) {
            read(keyword.getKey(), keyword.getValue(), below(place, keyword.getKey()), inside);
        }
    }

    private void read(String keyword, JsonNode value, String at, boolean embedded) {
        if (keyword.equals("type")) {
            readType(value, at);
        } else if (keyword.equals("items")) {
            if (value.isArray()) {
                readAll(value, at, embedded);
            } else {
                read(value, at, embedded);
            }
        } else if (SCHEMAS.contains(keyword)) {
            read(value, at, embedded);
        } else if (LISTS.contains(keyword)) {
            require(value.isArray(), at, value, "a list of schemas");
            if (value.isArray()) {
                readAll(value, at, embedded);
            }
        } else if (NAMED.contains(keyword)) {
            require(value.isObject(), at, value, "an object that has schemas by their names");
            value.properties().forEach(named -> {
                if (keyword.equals("patternProperties")) {
                    readPattern(named.getKey(), below(at, named.getKey()));
                }
                read(named.getValue(), below(at, named.getKey()), embedded);
            });
        } else {
            readValue(keyword, value, at, embedded);
        }
    }

    private void readAll(JsonNode schemas, String at, boolean embedded) {
        for (int i = 0; i < schemas.size(); i++) {
            read(schemas.path(i), at + "/" + i, embedded);
        }
    }

    private void readValue(String keyword, JsonNode value, String at, boolean embedded) {
        if (NUMBERS.contains(keyword)) {
            require(value.isNumber(), at, value, "a number");
        } else if (NUMBERS_OR_BOOLEANS.contains(keyword)) {
            require(value.isNumber() || value.isBoolean(), at, value, "a number");
        } else if (COUNTS.contains(keyword)) {
            require(value.isNumber() && value.doubleValue() >= 0, at, value, "a whole number that is not negative");
        } else if (keyword.equals("required")) {
            // older versions have a boolean in the schema of the property
            require(value.isBoolean() || isListOfStrings(value), at, value, "a list of names of properties");
        } else if (keyword.equals("enum")) {
            require(value.isArray(), at, value, "a list of values");
        } else if (keyword.equals("pattern")) {
            require(value.isString(), at, value, "a regular expression");
            if (value.isString()) {
                readPattern(value.stringValue(), at);
            }
        } else if (keyword.equals("$ref")) {
            require(value.isString(), at, value, "a reference, such as #/$defs/NAME");
            if (value.isString() && !embedded) {
                readReference(value, at);
            }
        }
    }

    private static boolean isListOfStrings(JsonNode value) {
        return value.isArray() && value.values().stream().allMatch(JsonNode::isString);
    }

    private void readPattern(String regex, String at) {
        try {
            var ignored = Pattern.compile(regex);
        } catch (PatternSyntaxException e) {
            if (!SchemaValidator.isPattern(regex)) { // which reads more, and takes longer to load
                add(at + ": '" + regex + "' is not a regular expression: " + e.getDescription());
            }
        }
    }

    /** Read a reference into this very schema; those that lead out of it are found elsewhere, and names of anchors are not. */
    private void readReference(JsonNode reference, String at) {
        String pointer = reference.stringValue().startsWith("#/") ? pointer(reference.stringValue()) : null;
        require(
                pointer == null || !root.at(pointer).isMissingNode(),
                at,
                reference,
                "a place in this schema, such as #/$defs/NAME");
    }

    private static @Nullable String pointer(String reference) {
        try {
            return URI.create(reference).getFragment();
        } catch (IllegalArgumentException e) {
            return null; // the validator reads it as it can
        }
    }

    private void readType(JsonNode type, String place) {
        if (!type.isArray()) {
            requireType(type, place);
        } else {
            for (int i = 0; i < type.size(); i++) {
                requireType(type.path(i), place + "/" + i);
            }
        }
    }

    private void requireType(JsonNode type, String place) {
        if (!type.isString() || !TYPES.contains(type.stringValue())) {
            add(place + ": " + JsonMapping.cut(type.toString()) + " is no type; must be one of "
                    + String.join(", ", TYPES));
        }
    }

    private void require(boolean allowed, String place, JsonNode value, String what) {
        if (!allowed) {
            add((place.isEmpty() ? "the top" : place) + ": " + JsonMapping.cut(value.toString())
                    + " is not allowed; must be " + what);
        }
    }

    private void add(String sentence) {
        if (found.size() < MOST_SENTENCES) {
            found.add(JsonMapping.cut(sentence));
        }
    }

    private static String below(String place, String key) {
        return place + "/" + key.replace("~", "~0").replace("/", "~1");
    }
}
