package dev.chargehand.testkit.provider.request;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads request bodies. Strict about JSON, lenient about what is missing: the checker judges, not the parser. */
public final class ChatRequestParser {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private ChatRequestParser() {}

    static ChatRequest parse(byte[] body) {
        JsonNode root;
        try {
            root = JSON.readTree(body);
        } catch (JacksonException e) {
            return ChatRequest.unreadable("the body is not JSON: " + e.getOriginalMessage());
        }
        if (!root.isObject()) {
            return ChatRequest.unreadable("the body is not a JSON object");
        }
        return new ChatRequest(
                text(root, "model"),
                root.path("stream").booleanValue(false),
                root.path("stream_options").path("include_usage").booleanValue(false),
                messages(root.path("messages")),
                toolNames(root.path("tools")),
                "");
    }

    /** The value at a JSON pointer: a string's text, the JSON of anything else. */
    static Optional<String> at(byte[] body, String pointer) {
        try {
            JsonNode node = JSON.readTree(body).at(pointer);
            return node.isMissingNode()
                    ? Optional.empty()
                    : Optional.of(node.isString() ? node.stringValue() : node.toString());
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    /** The texts of an embeddings request, which are one string or a list of them; empty if they are anything else. */
    static List<String> texts(byte[] body) {
        try {
            JsonNode input = JSON.readTree(body).path("input");
            List<String> texts = new ArrayList<>();
            for (JsonNode text : input.isArray() ? input : List.of(input)) {
                if (!text.isString()) {
                    return List.of();
                }
                texts.add(text.stringValue());
            }
            return List.copyOf(texts);
        } catch (JacksonException e) {
            return List.of();
        }
    }

    /** All keys and strings of the body, unescaped, so that an escaped secret is found as well. */
    public static List<String> strings(byte[] body) {
        List<String> found = new ArrayList<>();
        try {
            collect(JSON.readTree(body), found);
        } catch (JacksonException e) {
            // Not JSON: the raw text is searched by the caller anyway.
            return List.of();
        }
        return found;
    }

    private static void collect(JsonNode node, List<String> into) {
        if (node.isString()) {
            into.add(node.stringValue());
        } else if (node.isObject()) {
            node.properties().forEach(property -> {
                into.add(property.getKey());
                collect(property.getValue(), into);
            });
        } else {
            node.forEach(child -> collect(child, into));
        }
    }

    private static List<ChatMessage> messages(JsonNode list) {
        List<ChatMessage> messages = new ArrayList<>();
        for (JsonNode message : list) {
            messages.add(new ChatMessage(
                    text(message, "role"),
                    content(message.path("content")),
                    calls(message.path("tool_calls")),
                    text(message, "tool_call_id")));
        }
        return messages;
    }

    private static String content(JsonNode content) {
        if (!content.isArray()) {
            return content.stringValue("");
        }
        StringBuilder text = new StringBuilder();
        content.forEach(part -> text.append(text(part, "text")));
        return text.toString();
    }

    private static List<FunctionCall> calls(JsonNode list) {
        List<FunctionCall> calls = new ArrayList<>();
        for (JsonNode call : list) {
            JsonNode function = call.path("function");
            JsonNode arguments = function.path("arguments");
            calls.add(new FunctionCall(
                    text(call, "id"),
                    text(function, "name"),
                    arguments.isMissingNode() ? "" : arguments.stringValue(arguments.toString())));
        }
        return calls;
    }

    private static List<String> toolNames(JsonNode list) {
        List<String> names = new ArrayList<>();
        list.forEach(tool -> names.add(text(tool.path("function"), "name")));
        return names;
    }

    private static String text(JsonNode parent, String field) {
        return parent.path(field).stringValue("");
    }
}
