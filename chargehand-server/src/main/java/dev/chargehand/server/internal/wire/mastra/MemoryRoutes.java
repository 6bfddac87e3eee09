package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.json.Json;
import dev.chargehand.message.Part;
import dev.chargehand.server.Principal;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.ReservedNames;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.thread.ThreadChange;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** The routes of threads. */
final class MemoryRoutes {

    private static final int MOST = 1_000;
    private static final int RESULTS = 40;

    private final WireRuns runs;
    private final CallerThreads threads;

    MemoryRoutes(WireRuns runs, CallerThreads threads) {
        this.runs = runs;
        this.threads = threads;
    }

    List<Route> routes() {
        return List.of(
                read("/api/memory/threads", "List threads", this::list),
                write("POST", "/api/memory/threads", "Create a thread", this::create),
                read(
                        "/api/memory/threads/{id}",
                        "Return a thread",
                        call -> Reply.ok(ThreadViews.thread(threads.require(call)))),
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

    static Route read(String path, String summary, Route.Handler handler) {
        return new Route("GET", path, Route.Access.of(Scope.THREADS_READ), summary + ", for Mastra's client", handler);
    }

    static Route write(String method, String path, String summary, Route.Handler handler) {
        return new Route(
                method, path, Route.Access.of(Scope.THREADS_WRITE), summary + ", for Mastra's client", handler);
    }

    private Reply list(Call call) {
        String resource = CallerThreads.resource(call)
                .orElseThrow(() -> Problem.BAD_REQUEST.of("The parameter 'resourceId' is missing."));
        int page = call.query("page", 0, 1_000_000, 0);
        int perPage = call.query("perPage", 1, MOST - 1, 100);
        List<ThreadRecord> found = threads.of(call).list(resource, page * perPage, MOST);
        boolean more = found.size() > perPage;
        List<ThreadRecord> shown = found.subList(0, Math.min(perPage, found.size()));
        shown.forEach(each -> threads.note(call, each.threadId(), each));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("threads", shown.stream().map(ThreadViews::thread).toList());
        fields.put("total", page * perPage + found.size()); // at least so many, if there are 1,000 more
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
        Optional<String> clientId = body.id("threadId");
        String id = clientId.map(text -> runs.thread(principal, resource, text))
                .orElseGet(() ->
                        Owners.mapped(principal, resource, UUID.randomUUID().toString()));
        ThreadOwner owner = Owners.owner(resource);
        Consumer<ThreadChange> changes = changes(body);
        ThreadRecord thread = threads.of(call).find(owner, id).isPresent()
                ? threads.of(call).change(owner, id, changes)
                : threads.of(call).create(owner, id, changes);
        return Reply.ok(ThreadViews.thread(threads.note(call, clientId.orElse(id), thread)));
    }

    private static Consumer<ThreadChange> changes(Body body) {
        Optional<String> title = body.text("title").filter(text -> !text.isBlank());
        Map<String, Json> metadata = body.json("metadata").map(Json::fields).orElse(Map.of());
        if (ReservedNames.isAmong(metadata.keySet())) {
            throw body.problem("metadata", ReservedNames.MESSAGE);
        }
        return change -> {
            title.ifPresent(change::title);
            metadata.forEach(change::addMetadata);
        };
    }

    private Reply change(Call call) {
        ThreadRecord thread = threads.require(call);
        Consumer<ThreadChange> changes = changes(Body.of(call.body()));
        return Reply.ok(ThreadViews.thread(threads.of(call).change(thread.owner(), thread.threadId(), changes)));
    }

    private Reply delete(Call call) {
        ThreadRecord thread = threads.require(call);
        boolean deleted = threads.of(call).delete(thread.owner(), thread.threadId());
        return Reply.ok(Map.of("result", deleted ? "Thread deleted" : "There was no such thread"));
    }

    private Reply copy(Call call) {
        ThreadRecord thread = threads.require(call);
        ThreadRecord copy =
                threads.of(call).copy(thread.owner(), thread.threadId(), Long.MAX_VALUE, changes(Body.of(call.body())));
        threads.note(call, copy.threadId(), copy);
        List<ThreadMessage> copied = threads.of(call).lastMessages(copy.owner(), copy.threadId(), MOST);
        return Reply.ok(Map.of(
                "thread", ThreadViews.thread(copy),
                "clonedMessages",
                        threads.visible(call, copy, copied).stream()
                                .map(each -> ThreadViews.message(each, copy, ThreadViews.results(copied)))
                                .toList()));
    }

    private Reply messages(Call call) {
        ThreadRecord thread = threads.require(call);
        int perPage = call.query("perPage", 1, MOST, 40);
        int page = call.query("page", 0, 1_000_000, 0);
        long end = Math.max(0, thread.length() - (long) page * perPage);
        long after = Math.min(RESULTS, thread.length() - end); // results of the last calls of the page
        List<ThreadMessage> all = end == 0
                ? List.of()
                : threads.of(call)
                        .messagesBefore(thread.owner(), thread.threadId(), end + after, perPage + (int) after);
        Map<String, Part.ToolResult> results = ThreadViews.results(all);
        List<ThreadMessage> found = threads.visible(
                call, thread, all.stream().filter(each -> each.position() < end).toList());
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(
                "messages",
                found.stream()
                        .map(each -> ThreadViews.message(each, thread, results))
                        .toList());
        fields.put(
                "uiMessages",
                found.stream().map(each -> ThreadViews.uiMessage(each, results)).toList());
        fields.put("total", thread.length());
        fields.put("page", page);
        fields.put("perPage", perPage);
        fields.put("hasMore", end > perPage);
        return Reply.ok(fields);
    }
}
