package dev.chargehand.server.internal.records;

import dev.chargehand.error.ModelException;
import dev.chargehand.json.Json;
import dev.chargehand.memory.Forgotten;
import dev.chargehand.memory.FoundMessage;
import dev.chargehand.memory.MemoryApi;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.api.Fields;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.api.ServerState;
import dev.chargehand.server.internal.api.Views;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Operation;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.shape.RecordShapes;
import dev.chargehand.server.internal.shape.RunShapes;
import dev.chargehand.server.internal.shape.Shape;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import dev.chargehand.thread.ThreadRecord;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** The routes of what agents remember. */
final class MemoryRoutes {

    private static final String THREAD = "/api/v1/memory/threads/{id}/working";
    private static final String RESOURCE = "/api/v1/memory/resource/working";
    private static final int WORDS = 10_000;

    private final ServerState state;
    private final Owners owners;

    MemoryRoutes(ServerState state, Owners owners) {
        this.state = state;
        this.owners = owners;
    }

    List<Route> routes() {
        Route.Access read = Route.Access.of(Scope.THREADS_READ);
        Route.Access write = Route.Access.of(Scope.THREADS_WRITE);
        Operation working = owned(Operation.ok(RecordShapes.WORKING));
        Operation changed = working.body(RecordShapes.WORKING_CHANGE).problems(Problem.MEMORY_CONFLICT);
        return List.of(
                new Route(
                        "GET",
                        THREAD,
                        read,
                        "Return the working memory of a thread",
                        working.problems(Problem.THREAD_UNKNOWN),
                        call -> working(call, this::thread)),
                new Route(
                        "PATCH",
                        THREAD,
                        write,
                        "Change the working memory of a thread",
                        changed.problems(Problem.THREAD_UNKNOWN),
                        call -> change(call, this::thread)),
                new Route(
                        "GET",
                        RESOURCE,
                        read,
                        "Return the working memory of a resource",
                        working,
                        call -> working(call, this::resource)),
                new Route(
                        "PATCH",
                        RESOURCE,
                        write,
                        "Change the working memory of a resource",
                        changed,
                        call -> change(call, this::resource)),
                new Route(
                        "GET",
                        "/api/v1/memory/search",
                        read,
                        "Search messages by their meaning",
                        owned(Operation.ok(RecordShapes.FOUND))
                                .requiredQuery("agent", RunShapes.ID, "An agent with semantic recall.")
                                .requiredQuery("q", Shape.text(WORDS), "What to search for.")
                                .query("thread", RunShapes.ID, "The thread; default: all of the resource.")
                                .query("limit", Shape.whole(1, 50), "How many at most; default 4.")
                                .problems(Problem.AGENT_UNKNOWN, Problem.THREAD_UNKNOWN, Problem.MODEL_UNAVAILABLE),
                        this::search),
                new Route(
                        "DELETE",
                        "/api/v1/memory",
                        Route.Access.of(Scope.RESOURCES_FORGET),
                        "Delete everything that belongs to a resource, for good",
                        owned(Operation.ok(RecordShapes.FORGOTTEN))
                                .query(
                                        "cancel",
                                        Shape.words("true", "false"),
                                        "Whether its open runs are cancelled; default false.")
                                .problems(Problem.RESOURCE_BUSY),
                        this::forget));
    }

    private static Operation owned(Operation operation) {
        return operation
                .query("resource", RunShapes.ID, "The owner; default: the resource of the caller.")
                .problems(Problem.NOT_AVAILABLE);
    }

    private MemoryApi memory(Call call) {
        return state.runtime(call.principal()).memory();
    }

    private static String owner(Call call) {
        return Owners.resource(call.principal(), call.query("resource").orElse(null))
                .orElseThrow(() -> Problem.BAD_REQUEST.of("Name the resource with the parameter 'resource'."));
    }

    private ScopeRef resource(Call call) {
        return ScopeRef.resource(owner(call));
    }

    private ScopeRef thread(Call call) {
        return thread(call, call.parameter("id"));
    }

    private ScopeRef thread(Call call, String id) {
        Optional<String> resource =
                Owners.resource(call.principal(), call.query("resource").orElse(null));
        String stored = owners.thread(call.principal(), resource, id);
        ThreadRecord thread = state.runtime(call.principal())
                .threads()
                .find(Owners.owner(resource), stored)
                .orElseThrow(() -> Problem.THREAD_UNKNOWN.of("There is no thread with this id."));
        return ScopeRef.thread(thread.owner(), thread.threadId());
    }

    private Reply working(Call call, Function<Call, ScopeRef> where) {
        return Reply.ok(view(memory(call).workingMemory(where.apply(call))));
    }

    private Reply change(Call call, Function<Call, ScopeRef> where) {
        ScopeRef scope = where.apply(call);
        Fields body = Fields.of(call.body(), RecordShapes.WORKING_CHANGE);
        String text = body.json("text")
                .flatMap(Json::string)
                .orElseThrow(() -> body.problem("text", "must be a text, which may be empty"));
        Optional<Long> replaced = body.json("revision").map(value -> revision(body, value));
        MemoryApi memory = memory(call);
        Optional<WorkingMemoryRevision> newest = memory.workingMemory(scope);
        if (replaced.filter(number -> number != number(newest)).isPresent()) {
            throw conflict();
        }
        String before = newest.map(WorkingMemoryRevision::text).orElse("");
        WorkingMemoryRevision stored = memory.editWorkingMemory(
                scope,
                now -> {
                    if (replaced.isPresent() && !now.equals(before)) {
                        throw conflict();
                    }
                    return text;
                },
                "http-" + UUID.randomUUID());
        return Reply.ok(view(Optional.of(stored)));
    }

    private static long revision(Fields body, Json value) {
        if (!value.text().matches("[0-9]{1,18}")) {
            throw body.problem("revision", "must be a whole number from 0");
        }
        return Long.parseLong(value.text());
    }

    private static long number(Optional<WorkingMemoryRevision> revision) {
        return revision.map(WorkingMemoryRevision::revision).orElse(0L);
    }

    private static RuntimeException conflict() {
        return Problem.MEMORY_CONFLICT.of("The memory has another revision now; read it again.");
    }

    private static Map<String, Object> view(Optional<WorkingMemoryRevision> revision) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("text", revision.map(WorkingMemoryRevision::text).orElse(""));
        fields.put("revision", number(revision));
        revision.ifPresent(it -> fields.put("at", it.at().toString()));
        return fields;
    }

    private Reply search(Call call) {
        String agent = call.query("agent")
                .orElseThrow(() -> Problem.BAD_REQUEST.of("Name the agent with the parameter 'agent'."));
        String words = call.query("q")
                .filter(text -> !text.isBlank() && text.length() <= WORDS)
                .orElseThrow(() ->
                        Problem.BAD_REQUEST.of("The parameter 'q' must be a text of 1 to " + WORDS + " characters."));
        if (state.runtime(call.principal()).agents().stream()
                .noneMatch(each -> each.id().equals(agent))) {
            throw Problem.AGENT_UNKNOWN.of("There is no agent with this id.");
        }
        int limit = call.query("limit", 1, 50, 4);
        ScopeRef where = call.query("thread").map(id -> thread(call, id)).orElseGet(() -> resource(call));
        try {
            List<FoundMessage> found = memory(call).search(agent, where, words, limit);
            return Reply.ok(
                    Map.of("messages", found.stream().map(MemoryRoutes::view).toList()));
        } catch (ModelException e) {
            throw Problem.MODEL_UNAVAILABLE.of("The model that searches did not answer. Try again.");
        }
    }

    private static Map<String, Object> view(FoundMessage found) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("thread", found.threadId());
        fields.put("score", found.score());
        fields.putAll(Views.messages(List.of(found.message())).getFirst());
        return fields;
    }

    private Reply forget(Call call) {
        String resource = owner(call);
        boolean cancels = call.query("cancel").filter("true"::equals).isPresent();
        Forgotten forgotten = memory(call).forget(resource, how -> cancels ? how.cancelRuns() : how);
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("runs", forgotten.runs());
        fields.put("threads", forgotten.threads());
        fields.put("workingMemories", forgotten.workingMemories());
        return Reply.ok(fields);
    }
}
