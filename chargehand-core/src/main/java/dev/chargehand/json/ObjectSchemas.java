package dev.chargehand.json;

import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** Finds out of a schema whether an object may fit it, as far as that can be seen without one. */
final class ObjectSchemas {

    /** How many references are followed, one leading to the next. */
    private static final int MOST_REFERENCES = 16;

    private final JsonNode root;

    private ObjectSchemas(JsonNode root) {
        this.root = root;
    }

    static boolean allowObjects(JsonNode schema) {
        return new ObjectSchemas(schema).allows(schema, MOST_REFERENCES);
    }

    private boolean allows(JsonNode schema, int references) {
        if (schema.isBoolean()) {
            return schema.booleanValue();
        }
        JsonNode type = schema.path("type");
        boolean typed = type.isMissingNode() || names(type);
        return typed
                && hasObject(schema.path("enum"))
                && (schema.path("const").isMissingNode() || schema.path("const").isObject())
                && refersToObject(schema.path("$ref").asString(""), references)
                && oneAllows(schema.path("anyOf"), references)
                && oneAllows(schema.path("oneOf"), references)
                && stream(schema.path("allOf")).allMatch(each -> allows(each, references));
    }

    private static boolean names(JsonNode type) {
        return type.isArray()
                ? stream(type).anyMatch(ObjectSchemas::names)
                : type.asString("").equals("object");
    }

    private static boolean hasObject(JsonNode values) {
        return values.isMissingNode() || stream(values).anyMatch(JsonNode::isObject);
    }

    private boolean oneAllows(JsonNode schemas, int references) {
        return schemas.isMissingNode() || stream(schemas).anyMatch(each -> allows(each, references));
    }

    private boolean refersToObject(String reference, int references) {
        if (!reference.startsWith("#/") || references == 0) {
            return true;
        }
        JsonNode referred = root.at(reference.substring(1));
        return referred.isMissingNode() || allows(referred, references - 1);
    }

    private static Stream<JsonNode> stream(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false);
    }
}
