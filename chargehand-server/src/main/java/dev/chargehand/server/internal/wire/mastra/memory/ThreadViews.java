package dev.chargehand.server.internal.wire.mastra.memory;

import dev.chargehand.error.InvalidJsonException;
import dev.chargehand.json.Json;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.server.internal.route.ReservedNames;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Threads and messages in the forms that Mastra's client reads: its second format for stored messages, and that of user interfaces. */
final class ThreadViews {

    private ThreadViews() {}

    /**
     * Return a thread.
     *
     * @param id the one under which the client knows it
     * @param sourceId the one under which the client knows the thread that it was copied from, if that may be shown
     */
    static Map<String, Object> thread(ThreadRecord thread, String id, Optional<String> sourceId) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", id);
        fields.put("resourceId", resource(thread));
        thread.title().ifPresent(title -> fields.put("title", title));
        Json own = ReservedNames.without(thread.metadata());
        fields.put(
                "metadata", sourceId.map(source -> ofCopy(thread, own, source)).orElse(own));
        fields.put("createdAt", thread.createdAt().toString());
        fields.put("updatedAt", thread.updatedAt().toString());
        return fields;
    }

    /** Return the metadata of a copy, with what the client knows a copy by. */
    private static Json ofCopy(ThreadRecord thread, Json own, String sourceId) {
        Map<String, Object> metadata = new LinkedHashMap<>(own.fields());
        metadata.put(
                "clone",
                Map.of(
                        "sourceThreadId",
                        sourceId,
                        "clonedAt",
                        thread.createdAt().toString()));
        return Json.of(metadata);
    }

    private static String resource(ThreadRecord thread) {
        return Optional.ofNullable(thread.owner().resourceId()).orElse("");
    }

    /** Return whether a client sees a message: one of the user or the agent that the agent did not send to itself. */
    static boolean isShown(ThreadMessage each) {
        return !each.message().internal() && each.role() != Role.TOOL;
    }

    /** Return the results of calls in messages, by the ids of the calls. */
    static Map<String, Part.ToolResult> results(List<ThreadMessage> messages) {
        Map<String, Part.ToolResult> results = new HashMap<>();
        messages.forEach(each -> each.message().toolResults().forEach(result -> results.put(result.callId(), result)));
        return results;
    }

    /**
     * Return a message with its calls and those of their results that are known.
     *
     * @param id the one under which the client knows the thread
     */
    static Map<String, Object> message(
            ThreadMessage each, ThreadRecord thread, String id, Map<String, Part.ToolResult> results) {
        Map<String, Object> fields = ofBoth(each);
        fields.putIfAbsent("createdAt", thread.createdAt().toString());
        fields.put("threadId", id);
        fields.put("resourceId", resource(thread));
        fields.put("type", "v2");
        fields.put("content", Map.of("format", 2, "parts", parts(each, results), "content", each.text()));
        return fields;
    }

    static Map<String, Object> uiMessage(ThreadMessage each, Map<String, Part.ToolResult> results) {
        Map<String, Object> fields = ofBoth(each);
        fields.put("content", each.text());
        fields.put("parts", parts(each, results));
        return fields;
    }

    /**
     * Return a message as a search shows it.
     *
     * @param id the one under which the client knows the thread
     */
    static Map<String, Object> found(ThreadMessage each, ThreadRecord thread, String id) {
        Map<String, Object> fields = ofBoth(each);
        fields.putIfAbsent("createdAt", thread.createdAt().toString());
        fields.put("content", each.text());
        fields.put("threadId", id);
        thread.title().ifPresent(title -> fields.put("threadTitle", title));
        return fields;
    }

    /** Return who speaks, in the words of the client. */
    static String role(ThreadMessage each) {
        return switch (each.role()) {
            case USER -> "user";
            case ASSISTANT -> "assistant";
            default -> "system";
        };
    }

    private static Map<String, Object> ofBoth(ThreadMessage each) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", each.message().id());
        fields.put("role", role(each));
        each.at().ifPresent(at -> fields.put("createdAt", at.toString()));
        return fields;
    }

    private static List<Map<String, Object>> parts(ThreadMessage each, Map<String, Part.ToolResult> results) {
        List<Map<String, Object>> parts = new ArrayList<>();
        for (Part part : each.parts()) {
            switch (part) {
                case Part.Text text -> parts.add(Map.of("type", "text", "text", text.text()));
                case Part.Reasoning reasoning ->
                    parts.add(Map.of(
                            "type",
                            "reasoning",
                            "reasoning",
                            reasoning.text(),
                            "details",
                            List.of(Map.of("type", "text", "text", reasoning.text()))));
                case Part.ToolCall call -> parts.add(call(call, Optional.ofNullable(results.get(call.callId()))));
                case Part.Image image ->
                    parts.add(Map.of("type", "file", "mimeType", image.mediaType(), "data", image.url()));
                case Part.ToolResult ignored -> {} // it is shown with its call
            }
        }
        return parts.isEmpty() ? List.of(Map.of("type", "text", "text", "")) : parts;
    }

    private static Map<String, Object> call(Part.ToolCall call, Optional<Part.ToolResult> result) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("state", result.isPresent() ? "result" : "call");
        fields.put("toolCallId", call.callId());
        fields.put("toolName", call.name());
        fields.put("args", value(call.arguments()));
        result.ifPresent(known -> {
            fields.put("result", value(known.output()));
            if (known.error()) {
                fields.put("isError", true);
            }
        });
        return Map.of("type", "tool-invocation", "toolInvocation", fields);
    }

    /** Return the value of a text that may be JSON. */
    private static Json value(String text) {
        try {
            return Json.parse(text);
        } catch (InvalidJsonException e) {
            return Json.of(text);
        }
    }
}
