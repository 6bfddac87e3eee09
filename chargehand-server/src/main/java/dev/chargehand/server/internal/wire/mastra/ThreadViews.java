package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.message.Role;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadRecord;
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
        fields.put("metadata", thread.metadata());
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

    static Map<String, Object> message(ThreadMessage each, ThreadRecord thread) {
        Map<String, Object> fields = ofBoth(each);
        fields.put("threadId", thread.threadId());
        fields.put("resourceId", resource(thread));
        fields.put("type", "v2");
        fields.put("content", Map.of("format", 2, "parts", parts(each), "content", each.text()));
        return fields;
    }

    static Map<String, Object> uiMessage(ThreadMessage each) {
        Map<String, Object> fields = ofBoth(each);
        fields.put("content", each.text());
        fields.put("parts", parts(each));
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

    private static List<Map<String, String>> parts(ThreadMessage each) {
        return List.of(Map.of("type", "text", "text", each.text()));
    }
}
