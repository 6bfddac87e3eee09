package dev.chargehand.json;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Finds the values of {@code type} that no JSON Schema has, such as {@code strin}. The validator reads them as "any other type", and it
 * takes longer to load than the rest of a short program. Used by one thread.
 */
final class SchemaTypes {

    private static final List<String> TYPES =
            List.of("array", "boolean", "integer", "null", "number", "object", "string");

    /** Their values are schemas, or lists of schemas. */
    private static final Set<String> SCHEMAS = Set.of(
            "items",
            "prefixItems",
            "additionalItems",
            "unevaluatedItems",
            "contains",
            "additionalProperties",
            "unevaluatedProperties",
            "propertyNames",
            "allOf",
            "anyOf",
            "oneOf",
            "not",
            "if",
            "then",
            "else",
            "contentSchema");

    /** Their values are objects that hold schemas by names, which may look like keywords. */
    private static final Set<String> NAMED =
            Set.of("properties", "patternProperties", "$defs", "definitions", "dependentSchemas");

    private final List<String> found = new ArrayList<>();

    private SchemaTypes() {}

    /** Return a sentence for each unknown type, with its place and the types that are allowed. */
    static List<String> unknown(JsonNode schema) {
        SchemaTypes types = new SchemaTypes();
        types.read(schema, "");
        return types.found;
    }

    private void read(JsonNode schema, String place) {
        if (schema.isArray()) {
            for (int i = 0; i < schema.size(); i++) {
                read(schema.get(i), place + "/" + i);
            }
        }
        if (!schema.isObject()) {
            return;
        }
        for (Map.Entry<String, JsonNode> keyword : schema.properties()) {
            String at = below(place, keyword.getKey());
            if (keyword.getKey().equals("type")) {
                readType(keyword.getValue(), at);
            } else if (SCHEMAS.contains(keyword.getKey())) {
                read(keyword.getValue(), at);
            } else if (NAMED.contains(keyword.getKey()) && keyword.getValue().isObject()) {
                keyword.getValue().properties().forEach(named -> read(named.getValue(), below(at, named.getKey())));
            }
        }
    }

    private void readType(JsonNode type, String place) {
        if (!type.isArray()) {
            require(type, place);
        } else {
            for (int i = 0; i < type.size(); i++) {
                require(type.get(i), place + "/" + i);
            }
        }
    }

    private void require(JsonNode type, String place) {
        if (!type.isString() || !TYPES.contains(type.stringValue())) {
            found.add(place + ": " + JsonMapping.cut(type.toString()) + " is no type; must be one of "
                    + String.join(", ", TYPES));
        }
    }

    private static String below(String place, String key) {
        return place + "/" + key.replace("~", "~0").replace("/", "~1");
    }
}
