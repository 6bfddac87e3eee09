package dev.chargehand.json;

import java.util.ArrayList;
import java.util.List;
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
                && allAllow(schema.path("allOf"), references);
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

    private boolean allAllow(JsonNode schemas, int references) {
        for (JsonNode schema : schemas) {
            if (!allows(schema, references)) {
                return false;
            }
        }
        return true;
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

    /** Finds the properties that a schema requires and a value lacks, or has as null. Used by one thread. */
    static final class MissingProperties {

        /** How many references are followed without a step into the value. */
        private static final int MOST_REFERENCES = 16;

        private final JsonNode root;
        private final List<String> missing = new ArrayList<>();

        private MissingProperties(JsonNode root) {
            this.root = root;
        }

        /** Return their places, as JSON Pointers. */
        static List<String> of(JsonNode schema, JsonNode value) {
            MissingProperties found = new MissingProperties(schema);
            found.look(schema, value, "");
            return found.missing;
        }

        private void look(JsonNode written, JsonNode value, String place) {
            JsonNode schema = referred(written);
            if (value.isArray()) {
                for (int i = 0; i < value.size(); i++) {
                    look(schema.path("items"), value.get(i), place + "/" + i);
                }
            }
            if (!value.isObject()) {
                return;
            }
            for (JsonNode required : schema.path("required").values()) {
                String key = required.asString("");
                JsonNode given = value.path(key);
                if (given.isMissingNode()
                        || (given.isNull()
                                && !allowsNull(schema.path("properties").path(key)))) {
                    missing.add(place + "/" + key);
                }
            }
            value.properties().forEach(property -> {
                JsonNode own = schema.path("properties").path(property.getKey());
                look(
                        own.isMissingNode() ? schema.path("additionalProperties") : own,
                        property.getValue(),
                        place + "/" + property.getKey());
            });
        }

        private JsonNode referred(JsonNode written) {
            JsonNode schema = orNull(written);
            for (int i = 0;
                    i < MOST_REFERENCES && schema.path("$ref").asString("").startsWith("#");
                    i++) {
                schema = orNull(root.at(schema.path("$ref").stringValue().substring(1)));
            }
            return schema;
        }

        /** Return what a schema allows besides null, if that is one alternative, else the schema. */
        private static JsonNode orNull(JsonNode schema) {
            List<JsonNode> others = schema.path("anyOf")
                    .valueStream()
                    .filter(each -> !each.path("type").asString("").equals("null"))
                    .toList();
            return others.size() == 1 && schema.path("anyOf").size() == 2 ? others.getFirst() : schema;
        }

        private boolean allowsNull(JsonNode written) {
            JsonNode type = referred(written).path("type");
            return written.has("anyOf")
                    || type.isMissingNode()
                    || (type.isArray()
                            ? type.valueStream()
                                    .anyMatch(each -> each.asString("").equals("null"))
                            : type.asString("").equals("null"));
        }
    }
}
