package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.server.internal.wire.openai.conversation.Content;
import dev.chargehand.server.internal.wire.openai.conversation.ListPage;
import dev.chargehand.store.RunRecord;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadOwner;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What was given to a run: the messages that it has appended to its thread before its own. */
final class InputItems {

    private static final int SEARCHED = 1_000;

    private final WireRuns runs;

    InputItems(WireRuns runs) {
        this.runs = runs;
    }

    /** Return a page of the messages of the user, as items of a response. */
    Map<String, @Nullable Object> page(Call call, RunRecord run) {
        requireRuns(call);
        return ListPage.of(call, "desc")
                .of(messages(call, run).stream()
                        .filter(each -> each.role() == Role.USER)
                        .map(InputItems::item)
                        .toList());
    }

    /** Return a page of the messages of the request, and of those that have come to the run since, as those of a chat completion. */
    Map<String, @Nullable Object> chatPage(Call call, RunRecord run) {
        requireRuns(call);
        String input = run.runId() + ".input.";
        return ListPage.of(call, "asc")
                .of(messages(call, run).stream()
                        .filter(each ->
                                each.role() == Role.USER || each.message().id().startsWith(input))
                        .map(InputItems::message)
                        .toList());
    }

    private static void requireRuns(Call call) {
        if (!call.principal().has(Scope.RUNS_READ)) { // the route has that of the thread
            throw Problem.lacks(Scope.RUNS_READ);
        }
    }

    private List<ThreadMessage> messages(Call call, RunRecord run) {
        ThreadOwner owner = Owners.owner(run.resourceId());
        return run.threadId().stream()
                .flatMap(
                        thread -> runs
                                .runtime(call.principal())
                                .threads()
                                .messagesBefore(owner, thread, Long.MAX_VALUE, SEARCHED)
                                .stream())
                .filter(each -> !each.message().internal())
                .filter(each -> each.runId().equals(Optional.of(run.runId())))
                .toList();
    }

    private static Map<String, @Nullable Object> item(ThreadMessage message) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", message.message().id());
        fields.put("type", "message");
        fields.put("status", "completed");
        fields.put("role", "user");
        fields.put(
                "content",
                message.parts().stream()
                        .flatMap(part -> Content.shown(part).stream())
                        .toList());
        return fields;
    }

    /** Return the parts of a message that has images; null if it is a text. */
    private static @Nullable List<Map<String, Object>> contentParts(ThreadMessage message) {
        return message.parts().stream().noneMatch(Part.Image.class::isInstance)
                ? null
                : message.parts().stream()
                        .<Map<String, Object>>map(part -> part instanceof Part.Image image
                                ? Map.of("type", "image_url", "image_url", Map.of("url", image.url()))
                                : Map.of("type", "text", "text", part instanceof Part.Text text ? text.text() : ""))
                        .toList();
    }

    private static Map<String, @Nullable Object> message(ThreadMessage message) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("id", message.message().id());
        fields.put("role", message.role() == Role.USER ? "user" : "assistant");
        fields.put("content", message.text());
        fields.put("refusal", null);
        fields.put("content_parts", contentParts(message));
        return fields;
    }
}
