package dev.chargehand.json;

import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Recognizes values that an ordinary schema allows, without the validator: loading that takes longer than the rest of a
 * short program. Exact in one direction only: a value that is not recognized may be valid. Thread-safe.
 */
final class ObviousValues {

    private static final Set<String> TYPES =
            Set.of("object", "array", "string", "integer", "number", "boolean", "null");

    /** Schemas that are nested deeper are left to the validator. */
    private static final int DEEPEST = 20;

    private final JsonNode schema;
    private final boolean known;

    private ObviousValues(JsonNode schema, boolean known) {
        this.schema = schema;
        this.known = known;
    }

    /** Return the values that a schema allows; none if it has anything that is not known here. */
    static ObviousValues of(JsonNode schema) {
        return new ObviousValues(schema, isKnown(schema, DEEPEST));
    }

    /** Return whether a value certainly is one of them. */
    boolean contain(JsonNode value) {
        return known && allows(schema, value);
    }

    private static boolean isKnown(JsonNode schema, int levels) {
        if (levels == 0 || !schema.isObject()) {
            return false;
        }
        for (Map.Entry<String, JsonNode> each : schema.properties()) {
            if (!isKnown(each.getKey(), each.getValue(), levels - 1)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isKnown(String keyword, JsonNode value, int levels) {
        return switch (keyword) {
            case "title", "description" -> value.isString();
            case "type" -> isKnownType(value);
            case "properties" -> value.isObject() && areKnown(value, levels);
            case "required", "enum" -> value.isArray() && !value.isEmpty() && areStrings(value);
            case "additionalProperties" -> value.isBoolean();
            case "items" -> isKnown(value, levels);
            default -> false;
        };
    }

    private static boolean areKnown(JsonNode schemas, int levels) {
        for (JsonNode schema : schemas) {
            if (!isKnown(schema, levels)) {
                return false;
            }
        }
        return true;
    }

    private static boolean areStrings(JsonNode values) {
        for (JsonNode value : values) {
            if (!value.isString()) {
                return false;
            }
        }
        return true;
    }

    private static boolean isKnownType(JsonNode names) {
        return names.isArray()
                ? !names.isEmpty() && names.valueStream().allMatch(each -> each.isString() && isKnownType(each))
                : names.isString() && TYPES.contains(names.stringValue());
    }

    private static boolean allows(JsonNode schema, JsonNode value) {
        for (Map.Entry<String, JsonNode> each : schema.properties()) {
            if (!allows(schema, each.getKey(), each.getValue(), value)) {
                return false;
            }
        }
        return true;
    }

    private static boolean allows(JsonNode schema, String keyword, JsonNode wanted, JsonNode value) {
        return switch (keyword) {
            case "title", "description" -> true;
            case "type" ->
                wanted.isArray()
                        ? wanted.valueStream().anyMatch(each -> isOfType(each.stringValue(), value))
                        : isOfType(wanted.stringValue(), value);
            case "properties" -> value.isObject() && allowsProperties(wanted, value);
            case "required" -> value.isObject() && hasAll(wanted, value);
            case "additionalProperties" ->
                value.isObject()
                        && (wanted.booleanValue()
                                || value.propertyNames().stream().allMatch(name -> schema.path("properties")
                                        .has(name)));
            case "items" -> value.isArray() && value.valueStream().allMatch(item -> allows(wanted, item));
            case "enum" -> value.isString() && wanted.valueStream().anyMatch(each -> each.equals(value));
            default -> false;
        };
    }

    private static boolean allowsProperties(JsonNode wanted, JsonNode value) {
        for (Map.Entry<String, JsonNode> property : wanted.properties()) {
            if (value.has(property.getKey()) && !allows(property.getValue(), value.get(property.getKey()))) {
                return false;
            }
        }
        return true;
    }

    private static boolean hasAll(JsonNode names, JsonNode value) {
        for (JsonNode name : names) {
            if (!value.has(name.stringValue())) {
                return false;
            }
        }
        return true;
    }

    private static boolean isOfType(String type, JsonNode value) {
        return switch (type) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isString();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            default -> value.isNull();
        };
    }
}
