package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.message.Role;
import dev.chargehand.server.Principal;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.thread.ThreadChange;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import dev.chargehand.thread.Threads;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** The routes of threads and their messages. A thread is found by its id and the resource: the caller's, or {@code resourceId} of the query. */
final class MemoryRoutes {

    private static final int MOST = 1_000;

    private final WireRuns runs;

    MemoryRoutes(WireRuns runs) {
        this.runs = runs;
    }

    List<Route> routes() {
        return List.of(
                read("/api/memory/threads", "List threads", this::list),
                write("POST", "/api/memory/threads", "Create a thread", this::create),
                read("/api/memory/threads/{id}", "Return a thread", call -> Reply.ok(thread(require(call)))),
                write("PATCH", "/api/memory/threads/{id}", "Change a thread", this::change),
                write("DELETE", "/api/memory/threads/{id}", "Delete a thread", this::delete),
                write("POST", "/api/memory/threads/{id}/clone", "Copy a thread", this::copy),
                read("/api/memory/threads/{id}/messages", "Return the messages of a thread", this::messages),
                read("/api/memory/status", "Return whether there is memory", call -> Reply.ok(Map.of("result", true))),
                read(
                        "/api/memory/config",
                        "Return the settings of memory",
                        call -> Reply.ok(Map.of("config", Map.of()))));
    }

    private static Route read(String path, String summary, Route.Handler handler) {
        return new Route("GET", path, Route.Access.of(Scope.THREADS_READ), summary + ", for Mastra's client", handler);
    }

    private static Route write(String method, String path, String summary, Route.Handler handler) {
        return new Route(
                method, path, Route.Access.of(Scope.THREADS_WRITE), summary + ", for Mastra's client", handler);
    }

    private Threads threads(Call call) {
        return runs.runtime(call.principal()).threads();
    }

    private static Optional<String> resource(Call call) {
        return Owners.resource(call.principal(), call.query("resourceId").orElse(null));
    }

    private ThreadRecord require(Call call) {
        Optional<String> resource = resource(call);
        String id = runs.thread(call.principal(), resource, call.parameter("id"));
        return threads(call)
                .find(Owners.owner(resource), id)
                .orElseThrow(() -> Problem.THREAD_UNKNOWN.of("There is no thread with this id."));
    }

    private Reply list(Call call) {
        String resource =
                resource(call).orElseThrow(() -> Problem.BAD_REQUEST.of("The parameter 'resourceId' is missing."));
        int page = call.query("page", 0, 1_000_000, 0);
        int perPage = call.query("perPage", 1, MOST - 1, 100);
        List<ThreadRecord> found = threads(call).list(resource, page * perPage, perPage + 1);
        boolean more = found.size() > perPage;
        List<ThreadRecord> shown = found.subList(0, Math.min(perPage, found.size()));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("threads", shown.stream().map(MemoryRoutes::thread).toList());
        fields.put("total", page * perPage + found.size()); // at least so many
        fields.put("page", page);
        fields.put("perPage", perPage);
        fields.put("hasMore", more);
        return Reply.ok(fields);
    }

    private Reply create(Call call) {
        Principal principal = call.principal();
        Body body = Body.of(call.body());
        Optional<String> resource =
                Owners.resource(principal, body.id("resourceId").orElse(null));
        String id = body.id("threadId")
                .map(text -> runs.thread(principal, resource, text))
                .orElseGet(() ->
                        Owners.mapped(principal, resource, UUID.randomUUID().toString()));
        ThreadOwner owner = Owners.owner(resource);
        Consumer<ThreadChange> changes = changes(body);
        ThreadRecord thread = threads(call).find(owner, id).isPresent()
                ? threads(call).change(owner, id, changes)
                : threads(call).create(owner, id, changes);
        return Reply.ok(thread(thread));
    }

    private static Consumer<ThreadChange> changes(Body body) {
        Optional<String> title = body.text("title").filter(text -> !text.isBlank());
        return change -> {
            title.ifPresent(change::title);
            body.json("metadata").ifPresent(metadata -> metadata.fields().forEach(change::addMetadata));
        };
    }

    private Reply change(Call call) {
        ThreadRecord thread = require(call);
        return Reply.ok(thread(threads(call).change(thread.owner(), thread.threadId(), changes(Body.of(call.body())))));
    }

    private Reply delete(Call call) {
        ThreadRecord thread = require(call);
        boolean deleted = threads(call).delete(thread.owner(), thread.threadId());
        return Reply.ok(Map.of("result", deleted ? "Thread deleted" : "There was no such thread"));
    }

    private Reply copy(Call call) {
        ThreadRecord thread = require(call);
        ThreadRecord copy =
                threads(call).copy(thread.owner(), thread.threadId(), Long.MAX_VALUE, changes(Body.of(call.body())));
        List<ThreadMessage> copied = threads(call).lastMessages(copy.owner(), copy.threadId(), MOST);
        return Reply.ok(Map.of(
                "thread", thread(copy),
                "clonedMessages",
                        copied.stream().map(each -> message(each, copy)).toList()));
    }

    private Reply messages(Call call) {
        ThreadRecord thread = require(call);
        int perPage = call.query("perPage", 1, MOST, 40);
        int page = call.query("page", 0, 1_000_000, 0);
        long end = Math.max(0, thread.length() - (long) page * perPage);
        List<ThreadMessage> found = end == 0
                ? List.of()
                : threads(call).messagesBefore(thread.owner(), thread.threadId(), end, perPage).stream()
                        .filter(each -> !each.message().internal() && each.role() != Role.TOOL)
                        .toList();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("messages", found.stream().map(each -> message(each, thread)).toList());
        fields.put("uiMessages", found.stream().map(MemoryRoutes::uiMessage).toList());
        fields.put("total", thread.length());
        fields.put("page", page);
        fields.put("perPage", perPage);
        fields.put("hasMore", end > perPage);
        return Reply.ok(fields);
    }

    private static Map<String, Object> thread(ThreadRecord thread) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", thread.threadId());
        fields.put(
                "resourceId", Optional.ofNullable(thread.owner().resourceId()).orElse(""));
        thread.title().ifPresent(title -> fields.put("title", title));
        fields.put("metadata", thread.metadata());
        fields.put("createdAt", thread.createdAt().toString());
        fields.put("updatedAt", thread.updatedAt().toString());
        return fields;
    }

    private static Map<String, Object> message(ThreadMessage each, ThreadRecord thread) {
        Map<String, Object> fields = ofBoth(each);
        fields.put("threadId", thread.threadId());
        fields.put(
                "resourceId", Optional.ofNullable(thread.owner().resourceId()).orElse(""));
        fields.put("type", "v2");
        fields.put("content", Map.of("format", 2, "parts", parts(each), "content", each.text()));
        return fields;
    }

    private static Map<String, Object> uiMessage(ThreadMessage each) {
        Map<String, Object> fields = ofBoth(each);
        fields.put("content", each.text());
        fields.put("parts", parts(each));
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
