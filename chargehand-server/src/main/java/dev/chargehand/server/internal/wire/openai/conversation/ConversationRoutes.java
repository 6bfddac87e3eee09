package dev.chargehand.server.internal.wire.openai.conversation;

import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.ReservedNames;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import dev.chargehand.thread.Threads;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The routes of conversations. A conversation is a thread of the caller, under the id with which {@code conversation} of a response names it. */
public final class ConversationRoutes {

    private static final String ONE = "/v1/conversations/{id}";
    private static final String ITEMS = ONE + "/items";

    private final WireRuns runs;

    /** Make it. */
    public ConversationRoutes(WireRuns runs) {
        this.runs = runs;
    }

    /** Return the routes. */
    public List<Route> routes() {
        return List.of(
                write("POST", "/v1/conversations", "Create a conversation, which is a thread", this::create),
                read(ONE, "Return a conversation", call -> Reply.ok(view(call, thread(call)))),
                write("POST", ONE, "Replace the metadata of a conversation", this::change),
                write("DELETE", ONE, "Delete a conversation without its runs", this::delete),
                read(
                        ITEMS,
                        "List the messages of a conversation",
                        call -> Reply.ok(
                                ListPage.of(call, "desc").of(ConversationItems.of(threads(call), thread(call))))),
                write("POST", ITEMS, "Add messages to a conversation", this::add),
                read(
                        ITEMS + "/{item}",
                        "Return a message of a conversation",
                        call -> Reply.ok(ConversationItems.of(threads(call), thread(call), call.parameter("item")))),
                write("DELETE", ITEMS + "/{item}", "Delete a message of a conversation", this::deleteItem));
    }

    private static Route read(String path, String summary, Route.Handler handler) {
        return new Route("GET", path, Route.Access.of(Scope.THREADS_READ), summary, handler);
    }

    private static Route write(String method, String path, String summary, Route.Handler handler) {
        return new Route(method, path, Route.Access.of(Scope.THREADS_WRITE), summary, handler);
    }

    private Threads threads(Call call) {
        return runs.runtime(call.principal()).threads();
    }

    private static ThreadOwner owner(Call call) {
        return Owners.owner(Owners.resource(call.principal(), null));
    }

    private ThreadRecord thread(Call call) {
        String id = runs.thread(call.principal(), Optional.empty(), call.parameter("id"));
        return threads(call).find(owner(call), id).orElseThrow(ConversationRoutes::unknown);
    }

    private static ProblemException unknown() {
        return Problem.THREAD_UNKNOWN.of("There is no thread with this id.");
    }

    private Reply create(Call call) {
        Body body = Body.of(call.body());
        Map<String, String> metadata = Metadata.of(body);
        List<Message> items = ConversationItems.read(body);
        ThreadRecord thread = threads(call).create(owner(call), change -> metadata.forEach(change::addMetadata));
        if (!items.isEmpty()) {
            var unused = threads(call).append(thread.owner(), thread.threadId(), items);
        }
        return Reply.ok(view(thread.threadId(), thread));
    }

    private Reply change(Call call) {
        ThreadRecord thread = thread(call);
        Map<String, String> metadata = Metadata.of(Body.of(call.body()));
        ThreadRecord changed = threads(call).change(thread.owner(), thread.threadId(), change -> {
            visible(thread).fields().keySet().forEach(name -> change.addMetadata(name, null));
            metadata.forEach(change::addMetadata);
        });
        return Reply.ok(view(call, changed));
    }

    private Reply delete(Call call) {
        ThreadRecord thread = thread(call);
        if (!threads(call).delete(thread.owner(), thread.threadId())) {
            throw unknown();
        }
        return Reply.ok(Map.of("id", call.parameter("id"), "object", "conversation.deleted", "deleted", true));
    }

    private Reply add(Call call) {
        ThreadRecord thread = thread(call);
        Body body = Body.of(call.body());
        List<Message> items = ConversationItems.read(body);
        if (items.isEmpty()) {
            throw body.problem("items", "must have an item");
        }
        ThreadRecord after = threads(call).append(thread.owner(), thread.threadId(), items);
        return Reply.ok(new ListPage(Optional.empty(), items.size(), true)
                .fields(ConversationItems.added(threads(call), thread, after)));
    }

    private Reply deleteItem(Call call) {
        ThreadRecord thread = thread(call);
        String item = call.parameter("item");
        int deleted = threads(call).deleteMessages(thread.owner(), thread.threadId(), List.of(item));
        if (deleted == 0) {
            throw Problem.THREAD_UNKNOWN.of("There is no item with this id.");
        }
        return Reply.ok(view(call, thread));
    }

    private static Map<String, Object> view(Call call, ThreadRecord thread) {
        return view(call.parameter("id"), thread);
    }

    private static Map<String, Object> view(String id, ThreadRecord thread) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", id);
        fields.put("object", "conversation");
        fields.put("created_at", thread.createdAt().getEpochSecond());
        fields.put("metadata", visible(thread));
        return fields;
    }

    private static Json visible(ThreadRecord thread) {
        return ReservedNames.without(thread.metadata());
    }
}
