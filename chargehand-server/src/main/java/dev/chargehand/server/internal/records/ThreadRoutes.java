package dev.chargehand.server.internal.records;

import dev.chargehand.json.Json;
import dev.chargehand.server.Principal;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.api.Fields;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.api.ServerState;
import dev.chargehand.server.internal.api.Views;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Operation;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.ReservedNames;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.shape.ApiShapes;
import dev.chargehand.server.internal.shape.RunShapes;
import dev.chargehand.server.internal.shape.Shape;
import dev.chargehand.thread.ThreadChange;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import dev.chargehand.thread.Threads;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/** The routes of conversations. */
final class ThreadRoutes {

    /** Under this name the metadata of a thread has the id that its creator chose. */
    private static final String CLIENT_ID = "clientId";

    private final ServerState state;
    private final Owners owners;

    ThreadRoutes(ServerState state, Owners owners) {
        this.state = state;
        this.owners = owners;
    }

    List<Route> routes() {
        Route.Access read = Route.Access.of(Scope.THREADS_READ);
        Route.Access write = Route.Access.of(Scope.THREADS_WRITE);
        return List.of(
                new Route(
                        "GET",
                        "/api/v1/threads",
                        read,
                        "List the threads of a resource",
                        paged(owned(Operation.ok(ApiShapes.THREADS))),
                        this::list),
                new Route(
                        "POST",
                        "/api/v1/threads",
                        write,
                        "Create a thread",
                        created().body(ApiShapes.NEW_THREAD).problems(Problem.THREAD_EXISTS),
                        this::create),
                new Route(
                        "GET",
                        "/api/v1/threads/{id}",
                        read,
                        "Return a thread",
                        one(Operation.ok(ApiShapes.THREAD)),
                        this::find),
                new Route(
                        "PATCH",
                        "/api/v1/threads/{id}",
                        write,
                        "Change title and metadata of a thread",
                        one(Operation.ok(ApiShapes.THREAD)).body(ApiShapes.THREAD_CHANGE),
                        this::change),
                new Route(
                        "DELETE",
                        "/api/v1/threads/{id}",
                        write,
                        "Delete a thread",
                        one(Operation.NONE.answer(
                                        204, new Operation.Answer("The thread is deleted.", Map.of(), Map.of())))
                                .problems(Problem.THREAD_BUSY),
                        this::delete),
                new Route(
                        "GET",
                        "/api/v1/threads/{id}/messages",
                        read,
                        "Read the messages of a thread",
                        one(Operation.ok(ApiShapes.MESSAGES))
                                .query("limit", Shape.whole(1, 200), "How many a page has; default 50.")
                                .query(
                                        "before",
                                        Shape.from(0),
                                        "The position before which the page ends; default: the newest page."),
                        this::messages),
                new Route(
                        "POST",
                        "/api/v1/threads/{id}/clone",
                        write,
                        "Copy a thread",
                        one(created()).optionalBody(ApiShapes.THREAD_COPY),
                        this::copy),
                new Route(
                        "GET",
                        "/api/v1/threads/{id}/copies",
                        read,
                        "List the copies of a thread",
                        paged(one(Operation.ok(ApiShapes.THREADS))),
                        this::copies),
                new Route(
                        "GET",
                        "/api/v1/threads/{id}/lineage",
                        read,
                        "List what a thread was copied from",
                        one(Operation.ok(ApiShapes.LINEAGE)),
                        this::lineage));
    }

    private static Operation paged(Operation operation) {
        return operation
                .query("limit", Shape.whole(1, 200), "How many a page has; default 50.")
                .query("offset", Shape.from(0), "How many to leave out; default 0.");
    }

    private static Operation owned(Operation operation) {
        return operation.query("resource", RunShapes.ID, "The owner; default: the resource of the caller.");
    }

    private static Operation one(Operation operation) {
        return owned(operation).problems(Problem.THREAD_UNKNOWN);
    }

    private static Operation created() {
        return Operation.NONE.answer(
                201,
                new Operation.Answer(
                        "The new thread.",
                        Map.of("application/json", ApiShapes.THREAD),
                        Map.of("Location", "The path of the thread.")));
    }

    private Optional<String> resource(Call call) {
        return Owners.resource(call.principal(), call.query("resource").orElse(null));
    }

    private Threads threads(Principal principal) {
        return state.runtime(principal).threads();
    }

    private ThreadRecord require(Call call) {
        Optional<String> resource = resource(call);
        String id = owners.thread(call.principal(), resource, call.parameter("id"));
        return threads(call.principal()).find(Owners.owner(resource), id).orElseThrow(ThreadRoutes::unknown);
    }

    private Reply list(Call call) {
        String resource = resource(call)
                .orElseThrow(() -> Problem.BAD_REQUEST.of("Name the resource with the parameter 'resource'."));
        return page(call, (offset, limit) -> threads(call.principal()).list(resource, offset, limit));
    }

    private static Reply page(Call call, BiFunction<Integer, Integer, List<ThreadRecord>> list) {
        int limit = call.query("limit", 1, 200, 50);
        int offset = call.query("offset", 0, Integer.MAX_VALUE, 0);
        List<ThreadRecord> found = list.apply(offset, limit + 1);
        List<ThreadRecord> page = found.subList(0, Math.min(limit, found.size()));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("threads", page.stream().map(Views::thread).toList());
        if (found.size() > limit) {
            fields.put("next", offset + limit);
        }
        return Reply.ok(fields);
    }

    private Reply create(Call call) {
        Fields body = Fields.of(call.body(), ApiShapes.NEW_THREAD);
        Principal principal = call.principal();
        Optional<String> resource =
                Owners.resource(principal, body.text("resource").orElse(null));
        Optional<String> clientId = body.text("id");
        String id = clientId.map(text -> owners.thread(principal, resource, text))
                .orElseGet(() ->
                        Owners.mapped(principal, resource, UUID.randomUUID().toString()));
        if (threads(principal).find(Owners.owner(resource), id).isPresent()) {
            throw Problem.THREAD_EXISTS.of(
                    "There is a thread with this id; change it with PATCH, or choose another id.");
        }
        Consumer<ThreadChange> values = changes(body, Json.of(Map.of()))
                .andThen(change -> clientId.ifPresent(text -> change.addMetadata(CLIENT_ID, text)));
        ThreadRecord thread = threads(principal).create(Owners.owner(resource), id, values);
        return Reply.of(201, Views.thread(thread), Map.of("Location", "/api/v1/threads/" + thread.threadId()));
    }

    /** Return a change as a JSON merge patch (RFC 7396), of which a value of the metadata is one part. */
    private static Consumer<ThreadChange> changes(Fields body, Json before) {
        Optional<String> title = body.text("title");
        boolean untitled = body.isNull("title");
        Set<String> removed =
                body.isNull("metadata") ? ReservedNames.without(before).fields().keySet() : Set.of();
        Map<String, Json> metadata = body.map("metadata");
        if (ReservedNames.isAmong(metadata.keySet())) {
            throw body.problem("metadata", ReservedNames.MESSAGE);
        }
        return change -> {
            title.ifPresent(change::title);
            if (untitled) {
                change.title(null);
            }
            removed.stream().filter(name -> !name.equals(CLIENT_ID)).forEach(name -> change.addMetadata(name, null));
            metadata.forEach((name, value) -> change.addMetadata(name, Fields.isNull(value) ? null : value));
        };
    }

    private Reply find(Call call) {
        return Reply.ok(Views.thread(require(call)));
    }

    private Reply change(Call call) {
        ThreadRecord thread = require(call);
        Consumer<ThreadChange> changes = changes(Fields.of(call.body(), ApiShapes.THREAD_CHANGE), thread.metadata());
        return Reply.ok(Views.thread(threads(call.principal()).change(thread.owner(), thread.threadId(), changes)));
    }

    private Reply delete(Call call) {
        ThreadRecord thread = require(call);
        if (!threads(call.principal()).delete(thread.owner(), thread.threadId(), how -> how)) {
            throw unknown();
        }
        return Reply.empty(204);
    }

    private Reply messages(Call call) {
        ThreadRecord thread = require(call);
        int limit = call.query("limit", 1, 200, 50);
        long before = call.query("before", 0, Integer.MAX_VALUE, Integer.MAX_VALUE);
        List<ThreadMessage> found =
                threads(call.principal()).messagesBefore(thread.owner(), thread.threadId(), before, limit + 1);
        List<ThreadMessage> page = found.subList(Math.max(0, found.size() - limit), found.size());
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("messages", Views.messages(page));
        if (found.size() > limit) {
            fields.put("next", page.getFirst().position());
        }
        return Reply.ok(fields);
    }

    private Reply copy(Call call) {
        ThreadRecord thread = require(call);
        Fields body = Fields.of(call.body(), ApiShapes.THREAD_COPY);
        Consumer<ThreadChange> changes = changes(body, thread.metadata());
        ThreadOwner owner = body.text("resource")
                .map(named -> Owners.owner(Owners.resource(call.principal(), named)))
                .orElse(thread.owner());
        long before = body.number("before").orElse(Long.MAX_VALUE);
        ThreadRecord copy = threads(call.principal()).copy(thread.owner(), thread.threadId(), how -> how.before(before)
                .toOwner(owner)
                .changes(changes));
        return Reply.of(201, Views.thread(copy), Map.of("Location", "/api/v1/threads/" + copy.threadId()));
    }

    private Reply copies(Call call) {
        ThreadRecord thread = require(call);
        return page(call, (offset, limit) -> threads(call.principal())
                .copies(thread.owner(), thread.threadId(), offset, limit));
    }

    private Reply lineage(Call call) {
        ThreadRecord thread = require(call);
        List<ThreadRecord> sources = threads(call.principal()).lineage(thread.owner(), thread.threadId());
        return Reply.ok(Map.of("threads", sources.stream().map(Views::thread).toList()));
    }

    /** Return the problem of a thread that is missing, or belongs to others. */
    static ProblemException unknown() {
        return Problem.THREAD_UNKNOWN.of("There is no thread with this id.");
    }
}
