package dev.chargehand.langchain4j.internal;

import dev.chargehand.json.JsonSchema;
import dev.chargehand.langchain4j.internal.wire.Trees;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A schema as Anthropic takes it for an answer: every object is closed, and unsupported bounds are omitted. The answer
 * is validated against the full schema in any case.
 */
final class ClosedSchema {

    private static final Set<String> REFUSED = Set.of(
            "$schema",
            "minimum",
            "maximum",
            "exclusiveMinimum",
            "exclusiveMaximum",
            "multipleOf",
            "minLength",
            "maxLength",
            "pattern",
            "maxItems",
            "uniqueItems",
            "minProperties",
            "maxProperties");

    private ClosedSchema() {}

    static JsonNode of(JsonSchema schema) {
        JsonNode tree = Trees.MAPPER.readTree(schema.json().text());
        close(tree);
        return tree;
    }

    private static void close(JsonNode node) {
        if (node instanceof ArrayNode list) {
            list.forEach(ClosedSchema::close);
        } else if (node instanceof ObjectNode schema) {
            schema.remove(REFUSED);
            if (schema.path("minItems").asInt(0) > 1) {
                schema.remove("minItems");
            }
            if (schema.path("type").asString("").equals("object") || schema.has("properties")) {
                schema.put("additionalProperties", false);
            }
            for (String named : Set.of("properties", "$defs", "definitions")) {
                schema.path(named).forEach(ClosedSchema::close);
            }
            for (String nested : Set.of("items", "anyOf", "oneOf", "allOf")) {
                close(schema.path(nested));
            }
        }
    }
}
