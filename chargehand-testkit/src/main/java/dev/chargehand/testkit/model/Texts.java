package dev.chargehand.testkit.model;

import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** JSON for wires. */
final class Texts {

    static final ObjectMapper MAPPER = JsonMapper.builder().build();

    private Texts() {}

    static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** Write a server-sent event with a name. */
    static String sse(String name, JsonNode data) {
        return "event: " + name + "\ndata: " + data + "\n\n";
    }

    static String sse(JsonNode data) {
        return "data: " + data + "\n\n";
    }

    /** Return arguments as JSON, or as an empty object if they are none. */
    static JsonNode arguments(String text) {
        return text.isBlank() ? object() : MAPPER.readTree(text);
    }

    static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }

    /** Return the texts of blocks, one below the other. */
    static String texts(JsonNode blocks) {
        return elements(blocks).stream().map(block -> text(block, "text")).collect(Collectors.joining("\n"));
    }

    static List<JsonNode> elements(JsonNode list) {
        return list.isArray() ? list.valueStream().toList() : List.of();
    }
}
