package dev.chargehand.server.internal.wire.openai.conversation;

import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadRecord;
import dev.chargehand.thread.Threads;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The items of a conversation: what users and agents have said. Calls of tools and what a model thought are left out. */
final class ConversationItems {

    /** How many of the newest messages of a thread are looked at. */
    private static final int SEARCHED = 1_000;

    /** The most items of a request. */
    private static final int MOST = 20;

    private ConversationItems() {}

    /** Return the newest items, the oldest first. */
    static List<Map<String, @Nullable Object>> of(Threads threads, ThreadRecord thread) {
        return threads.lastMessages(thread.owner(), thread.threadId(), SEARCHED).stream()
                .flatMap(ConversationItems::item)
                .toList();
    }

    /** Return an item. */
    static Map<String, @Nullable Object> of(Threads threads, ThreadRecord thread, String id) {
        return of(threads, thread).stream()
                .filter(item -> id.equals(item.get("id")))
                .findFirst()
                .orElseThrow(() -> Problem.THREAD_UNKNOWN.of(
                        "There is no item with this id among the newest of the conversation."));
    }

    /** Read the items of a request. */
    static List<Message> read(Body body) {
        List<Body> items = body.objects("items");
        if (items.size() > MOST) {
            throw body.problem("items", "may have at most " + MOST + " items");
        }
        return items.stream().map(ConversationItems::message).toList();
    }

    private static Message message(Body item) {
        if (!item.text("type").orElse("message").equals("message")) {
            throw item.problem("type", "must be 'message': other items are not offered");
        }
        Message message =
                switch (item.requiredId("role")) {
                    case "user" ->
                        Message.of(Role.USER, Content.RESPONSES.ofUser(item).toArray(Part[]::new));
                    case "assistant" -> Message.assistant(Content.RESPONSES.ofAssistant(item));
                    default -> throw item.role("Items may have the roles 'user' and 'assistant'.");
                };
        if (message.text().isBlank() && message.partsOf(Part.Image.class).isEmpty()) {
            throw item.problem("content", "must have a text");
        }
        return message;
    }

    private static Stream<Map<String, @Nullable Object>> item(ThreadMessage message) {
        boolean isSaid =
                switch (message.role()) {
                    case USER -> true;
                    case ASSISTANT -> !message.text().isEmpty();
                    case SYSTEM, TOOL -> false;
                };
        if (message.message().internal() || !isSaid) {
            return Stream.empty();
        }
        boolean isUser = message.role() == Role.USER;
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", message.message().id());
        fields.put("type", "message");
        fields.put("status", "completed");
        fields.put("role", isUser ? "user" : "assistant");
        fields.put("content", isUser ? asked(message) : List.of(answered(message.text())));
        return Stream.of(fields);
    }

    private static List<Map<String, Object>> asked(ThreadMessage message) {
        return message.parts().stream()
                .flatMap(part -> Content.shown(part).stream())
                .toList();
    }

    private static Map<String, Object> answered(String text) {
        return Map.of("type", "output_text", "text", text, "annotations", List.of(), "logprobs", List.of());
    }

    /** Return the items that were appended between two states of a thread. */
    static List<Map<String, @Nullable Object>> added(Threads threads, ThreadRecord before, ThreadRecord after) {
        int added = (int) Math.min(SEARCHED, after.length() - before.length());
        return added == 0
                ? List.of()
                : threads.lastMessages(after.owner(), after.threadId(), added).stream()
                        .flatMap(ConversationItems::item)
                        .toList();
    }
}
