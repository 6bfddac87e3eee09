package dev.chargehand.server.internal.wire.mastra.memory;

import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** The routes of threads. */
public final class MemoryRoutes {

    private static final int MOST = 1_000;
    private static final int MOST_SORTED = 10 * MOST;

    private final WireRuns runs;
    private final CallerThreads threads;
    private final MessagePages pages;

    /** Make it. */
    public MemoryRoutes(WireRuns runs, CallerThreads threads) {
        this.runs = runs;
        this.threads = threads;
        this.pages = new MessagePages(threads);
    }

    /** Return the routes. */
    public List<Route> routes() {
        return List.of(
                read("/api/memory/threads", "List threads", this::list),
                write("POST", "/api/memory/threads", "Create a thread", this::create),
                read("/api/memory/threads/{id}", "Return a thread", call -> reply(call, threads.require(call))),
                write("PATCH", "/api/memory/threads/{id}", "Change a thread", this::change),
                write("DELETE", "/api/memory/threads/{id}", "Delete a thread", this::delete),
                write("POST", "/api/memory/threads/{id}/clone", "Copy a thread", this::copy),
                read("/api/memory/threads/{id}/messages", "Return the messages of a thread", pages::page),
                read(
                        "/api/memory/network/threads/{id}/messages",
                        "Return the messages of a network's thread",
                        pages::page),
                write("DELETE", "/api/memory/network/threads/{id}", "Delete a network's thread", this::delete));
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
        ListQuery.Page page = ListQuery.Page.of(call, 100, MOST - 1);
        Optional<String> field = call.query("orderBy[field]");
        Optional<Boolean> ascending = ListQuery.ascending(call.query("orderBy[direction]"));
        Optional<Body> metadata = ListQuery.object(call, "metadata");
        List<ThreadRecord> found = all(call, resource).stream()
                .filter(thread -> metadata.isEmpty() || has(thread, metadata.get()))
                .sorted(order(field.orElse("createdAt"), ascending.orElse(false)))
                .toList();
        return threads(call, page.of(found), page.fields(found.size()));
    }

    private Reply reply(Call call, ThreadRecord thread) {
        return Reply.ok(view(call, threads.note(call, thread)));
    }

    private Map<String, Object> view(Call call, ThreadRecord thread) {
        return ThreadViews.thread(thread, threads.idOf(call, thread), threads.sourceIdOf(call, thread));
    }

    private Reply threads(Call call, List<ThreadRecord> shown, Map<String, Object> fields) {
        shown.forEach(each -> threads.note(call, each));
        fields.put("threads", shown.stream().map(each -> view(call, each)).toList());
        return Reply.ok(fields);
    }

    private List<ThreadRecord> all(Call call, String resource) {
        List<ThreadRecord> all = new ArrayList<>();
        while (all.size() % MOST == 0 && all.size() < MOST_SORTED) {
            List<ThreadRecord> more = threads.of(call).list(resource, all.size(), MOST);
            all.addAll(more);
            if (more.isEmpty()) {
                break;
            }
        }
        return all;
    }

    private static boolean has(ThreadRecord thread, Body metadata) {
        Map<String, Json> own = ReservedNames.without(thread.metadata()).fields();
        return metadata.names().stream().allMatch(name -> Optional.ofNullable(own.get(name))
                .map(Json::canonical)
                .equals(metadata.json(name).map(Json::canonical)));
    }

    private static Comparator<ThreadRecord> order(String field, boolean ascending) {
        Comparator<ThreadRecord> order =
                switch (field) {
                    case "createdAt" -> Comparator.comparing(ThreadRecord::createdAt);
                    case "updatedAt" -> Comparator.comparing(ThreadRecord::updatedAt);
                    default -> throw Problem.BAD_REQUEST.of("Threads are ordered by 'createdAt' or 'updatedAt'.");
                };
        return ascending ? order : order.reversed();
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
        Consumer<ThreadChange> changes = clientId.filter(text -> !text.equals(id))
                .map(text -> changes(body).andThen(CallerThreads.named(text)))
                .orElseGet(() -> changes(body));
        ThreadRecord thread = threads.of(call).find(owner, id).isPresent()
                ? threads.of(call).change(owner, id, changes)
                : threads.of(call).create(owner, id, changes);
        return reply(call, thread);
    }

    /** Return the title and the metadata that a body has for a thread. */
    public static Consumer<ThreadChange> changes(Body body) {
        Optional<String> title = body.text("title").filter(text -> !text.isBlank());
        Map<String, Json> metadata = body.object("metadata")
                .map(it -> body.json("metadata").orElseThrow().fields())
                .orElse(Map.of());
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
        Body body = Body.of(call.body());
        Optional<String> resource = body.id("resourceId");
        if (resource.isPresent()
                && !resource.equals(Optional.ofNullable(thread.owner().resourceId()))) {
            throw body.problem("resourceId", "must be that of the thread: a thread keeps its resource");
        }
        Consumer<ThreadChange> changes = changes(body);
        return reply(call, threads.of(call).change(thread.owner(), thread.threadId(), changes));
    }

    private Reply delete(Call call) {
        ThreadRecord thread = threads.require(call);
        boolean deleted = threads.of(call).delete(thread.owner(), thread.threadId());
        return Reply.ok(Map.of("result", deleted ? "Thread deleted" : "There was no such thread"));
    }

    private Reply copy(Call call) {
        ThreadRecord thread = threads.require(call);
        Body body = Body.of(call.body());
        Optional<Body> options = body.object("options").filter(it -> !it.names().isEmpty());
        Optional<String> resource = body.id("resourceId")
                .map(id -> Owners.resource(call.principal(), id))
                .orElseGet(() -> Optional.ofNullable(thread.owner().resourceId()));
        boolean isWhole = thread.length() > MOST
                && options.isEmpty()
                && body.id("newThreadId").isEmpty()
                && resource.equals(Optional.ofNullable(thread.owner().resourceId()));
        ThreadRecord copy = isWhole
                ? threads.of(call).copy(thread.owner(), thread.threadId(), Long.MAX_VALUE, changes(body))
                : copy(call, thread, resource, body);
        threads.note(call, copy);
        String id = threads.idOf(call, copy);
        List<ThreadMessage> copied = pages.all(copy, call);
        return Reply.ok(Map.of(
                "thread", view(call, copy),
                "clonedMessages",
                        threads.visible(call, copy, copied).stream()
                                .map(each -> ThreadViews.message(each, copy, id, ThreadViews.results(copied)))
                                .toList()));
    }

    /**
     * Copy messages to a thread with an id that the client chooses, or to one of another resource. They get ids of their own, since its client
     * deletes a message by its id alone.
     */
    private ThreadRecord copy(Call call, ThreadRecord thread, Optional<String> resource, Body body) {
        Consumer<ThreadChange> changes = changes(body);
        List<Message> messages =
                pages.selected(call, thread, body.object("options").orElse(Body.of(Json.of(Map.of())))).stream()
                        .map(each -> each.message().withId(""))
                        .toList();
        if (messages.size() > MOST) {
            throw body.problem("options", "must leave at most " + MOST + " messages, with the results of tools");
        }
        String id = body.id("newThreadId")
                .map(text -> runs.thread(call.principal(), resource, text))
                .orElseGet(() -> Owners.mapped(
                        call.principal(), resource, UUID.randomUUID().toString()));
        ThreadOwner owner = Owners.owner(resource);
        if (threads.of(call).find(owner, id).isPresent()) {
            throw Problem.THREAD_EXISTS.of("There is a thread with the id 'newThreadId' already.");
        }
        Consumer<ThreadChange> asBefore = change ->
                change.metadata(ReservedNames.without(thread.metadata()).fields());
        Consumer<ThreadChange> named = body.id("newThreadId")
                .filter(text -> !text.equals(id))
                .map(CallerThreads::named)
                .orElse(change -> {});
        ThreadRecord made = threads.of(call).copy(thread.owner(), thread.threadId(), how -> how.before(0)
                .toOwner(owner)
                .threadId(id)
                .changes(asBefore.andThen(changes).andThen(named)));
        return messages.isEmpty() ? made : threads.of(call).append(owner, id, messages);
    }
}
