package dev.chargehand.provider.stream;

import dev.chargehand.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The schema of a tool's arguments in the form that all providers accept: an object with properties, whose root is not
 * put together from others. The arguments are validated against the whole schema when the tool is called.
 */
public final class ToolSchema {

    /** OpenAI and Anthropic reject them at the root, and only there. */
    private static final List<String> COMBINING = List.of("anyOf", "oneOf", "allOf");

    private ToolSchema() {}

    /** Return a schema in this form; as it is if it has it already. */
    public static Json of(Json schema) {
        boolean isPlain = !schema.isObject()
                || (schema.at("/type").isPresent()
                        && schema.at("/properties").isPresent()
                        && COMBINING.stream()
                                .allMatch(each -> schema.at("/" + each).isEmpty()));
        return isPlain ? schema : object(schema);
    }

    private static Json object(Json schema) {
        Map<String, Json> fields = new LinkedHashMap<>();
        if (schema.at("/type").isEmpty()) {
            fields.put("type", Json.of("object"));
        }
        fields.putAll(schema.fields());
        Map<String, Json> properties = new LinkedHashMap<>();
        schema.at("/properties").ifPresent(own -> properties.putAll(own.fields()));
        for (String combining : COMBINING) {
            fields.remove(combining);
            for (int i = 0; schema.at("/" + combining + "/" + i).isPresent(); i++) {
                schema.at("/" + combining + "/" + i + "/properties")
                        .ifPresent(more -> more.fields().forEach(properties::putIfAbsent));
            }
        }
        fields.put("properties", json(properties));
        return json(fields);
    }

    private static Json json(Map<String, Json> fields) {
        StringBuilder text = new StringBuilder("{");
        fields.forEach((name, value) -> text.append(text.length() > 1 ? "," : "")
                .append(Json.of(name).text())
                .append(':')
                .append(value.text()));
        return Json.parse(text.append('}').toString());
    }
}
