package dev.chargehand.json;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Finds the properties that a schema requires and a value lacks, or has as null. Used by one thread. */
final class MissingProperties {

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
                    || (given.isNull() && !allowsNull(schema.path("properties").path(key)))) {
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
        JsonNode schema = written;
        for (int i = 0; i < MOST_REFERENCES && schema.path("$ref").asString("").startsWith("#"); i++) {
            schema = root.at(schema.path("$ref").stringValue().substring(1));
        }
        return schema;
    }

    private boolean allowsNull(JsonNode written) {
        JsonNode type = referred(written).path("type");
        return type.isMissingNode()
                || (type.isArray()
                        ? type.valueStream().anyMatch(each -> each.asString("").equals("null"))
                        : type.asString("").equals("null"));
    }
}
