package dev.chargehand.server.internal.wire.mastra;

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

    static Map<String, Object> thread(ThreadRecord thread) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", thread.threadId());
        fields.put("resourceId", resource(thread));
        thread.title().ifPresent(title -> fields.put("title", title));
        fields.put("metadata", ReservedNames.without(thread.metadata()));
        fields.put("createdAt", thread.createdAt().toString());
        fields.put("updatedAt", thread.updatedAt().toString());
        return fields;
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

    /** Return a message with its calls and those of their results that are known. */
    static Map<String, Object> message(ThreadMessage each, ThreadRecord thread, Map<String, Part.ToolResult> results) {
        Map<String, Object> fields = ofBoth(each);
        fields.put("threadId", thread.threadId());
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

    /** Return a message as a search shows it. */
    static Map<String, Object> found(ThreadMessage each, String threadId, Optional<String> title) {
        Map<String, Object> fields = ofBoth(each);
        fields.putIfAbsent("createdAt", "");
        fields.put("content", each.text());
        fields.put("threadId", threadId);
        title.ifPresent(text -> fields.put("threadTitle", text));
        return fields;
    }

    private static Map<String, Object> ofBoth(ThreadMessage each) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", each.message().id());
        fields.put("role", each.role() == Role.USER ? "user" : each.role() == Role.ASSISTANT ? "assistant" : "system");
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
                default -> {} // results are shown with their calls; the client sends no images
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
        result.ifPresent(known -> fields.put("result", value(known.output())));
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
