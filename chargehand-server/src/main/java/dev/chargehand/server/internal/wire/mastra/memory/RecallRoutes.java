package dev.chargehand.server.internal.wire.mastra.memory;

import dev.chargehand.Agent;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.ModelException;
import dev.chargehand.json.Json;
import dev.chargehand.memory.Scope;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.HttpWords;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import dev.chargehand.thread.ThreadMessage;
import dev.chargehand.thread.ThreadRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The routes of working memory and of the search in messages. */
public final class RecallRoutes {

    private static final String WORKING = "/api/memory/threads/{id}/working-memory";
    private static final int WORDS = 10_000;
    private static final int THREADS_SEARCHED = 20;
    private static final int MESSAGES_SEARCHED = 200;

    private final WireRuns runs;
    private final CallerThreads threads;

    /** Make it. */
    public RecallRoutes(WireRuns runs, CallerThreads threads) {
        this.runs = runs;
        this.threads = threads;
    }

    /** Return the routes. */
    public List<Route> routes() {
        return List.of(
                MemoryRoutes.read(WORKING, "Return a working memory", this::working),
                MemoryRoutes.write("POST", WORKING, "Change a working memory", this::change),
                MemoryRoutes.read("/api/memory/search", "Search messages", this::search));
    }

    /** The working memory that a request means: of the thread, or of its resource if the agent keeps one for all threads of that. */
    private record Place(Optional<WorkingMemory> settings, Optional<ThreadRecord> thread, Optional<ScopeRef> scope) {

        String source() {
            return scope.isPresent() && scope.get().threadId() == null ? "resource" : "thread";
        }
    }

    private Place place(Call call, Optional<String> resource) {
        Optional<Agent> agent = call.query("agentId").map(id -> runs.agent(call.principal(), id));
        Optional<WorkingMemory> settings = agent.flatMap(each -> each.memory().workingMemory());
        Optional<ThreadRecord> thread = threads.find(call, resource, call.parameter("id"));
        Optional<String> owner =
                resource.or(() -> thread.map(each -> each.owner().resourceId()));
        boolean ofResource =
                settings.filter(each -> each.scope() == Scope.RESOURCE).isPresent();
        Optional<ScopeRef> scope = ofResource
                ? owner.map(ScopeRef::resource)
                : thread.map(each -> ScopeRef.thread(each.owner(), each.threadId()));
        return new Place(settings, thread, scope);
    }

    private Reply working(Call call) {
        Place place = place(call, CallerThreads.resource(call));
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put(
                "workingMemory",
                place.scope()
                        .flatMap(
                                scope -> runs.runtime(call.principal()).memory().workingMemory(scope))
                        .map(WorkingMemoryRevision::text)
                        .orElse(null));
        fields.put("source", place.source());
        fields.put(
                "workingMemoryTemplate",
                place.settings().map(RecallRoutes::template).orElse(null));
        fields.put("threadExists", place.thread().isPresent());
        return Reply.ok(fields);
    }

    private static Map<String, String> template(WorkingMemory settings) {
        return settings.schema()
                .map(schema -> Map.of("format", "json", "content", schema.json().text()))
                .orElseGet(() -> Map.of(
                        "format", "markdown", "content", settings.markdown().orElse("")));
    }

    private Reply change(Call call) {
        Body body = Body.of(call.body());
        Optional<String> resource = body.id("resourceId")
                .map(id -> Owners.resource(call.principal(), id))
                .orElseGet(() -> CallerThreads.resource(call));
        ScopeRef scope = place(call, resource)
                .scope()
                .orElseThrow(() -> Problem.THREAD_UNKNOWN.of("There is no thread with this id."));
        String text = body.text("workingMemory").orElseThrow(() -> body.problem("workingMemory", "is missing"));
        var unused = runs.runtime(call.principal())
                .memory()
                .editWorkingMemory(scope, before -> text, "http-" + UUID.randomUUID());
        return Reply.ok(Map.of("success", true));
    }

    private Reply search(Call call) {
        String words = call.query("searchQuery")
                .filter(text -> !text.isBlank() && text.length() <= WORDS)
                .orElseThrow(() -> Problem.BAD_REQUEST.of(
                        "The parameter 'searchQuery' must be a text of 1 to " + WORDS + " characters."));
        Agent agent = runs.agent(
                call.principal(),
                call.query("agentId").orElseThrow(() -> Problem.BAD_REQUEST.of("The parameter 'agentId' is missing.")));
        int most = most(call);
        Optional<String> resource = CallerThreads.resource(call);
        Optional<ThreadRecord> thread = call.query("threadId").map(id -> threads.find(call, resource, id)
                .orElseThrow(() -> Problem.THREAD_UNKNOWN.of("There is no thread with this id.")));
        boolean byMeaning = agent.memory().semanticRecall().isPresent();
        List<Map<String, Object>> found = byMeaning
                ? byMeaning(call, agent.id(), scope(thread, resource), words, most)
                : byWords(call, thread, resource, words, most);
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("results", found);
        fields.put("count", found.size());
        fields.put("query", words);
        fields.put("searchType", byMeaning ? "semantic" : "text");
        fields.put("searchScope", thread.isPresent() ? "thread" : "resource");
        return Reply.ok(fields);
    }

    /** Return how many messages are wanted at most: {@code semanticRecall.topK} of the settings in the query. */
    private static int most(Call call) {
        try {
            return call.query("memoryConfig")
                    .map(text -> Json.parse(text).at("/semanticRecall/topK"))
                    .flatMap(number -> number)
                    .map(number -> number.as(Integer.class))
                    .map(number -> Math.max(1, Math.min(50, number)))
                    .orElse(10);
        } catch (RuntimeException e) {
            throw Problem.BAD_REQUEST.of(
                    "The parameter 'memoryConfig' must be JSON, with a whole number as" + " 'semanticRecall.topK'.");
        }
    }

    private static ScopeRef scope(Optional<ThreadRecord> thread, Optional<String> resource) {
        return thread.map(each -> ScopeRef.thread(each.owner(), each.threadId()))
                .or(() -> resource.map(ScopeRef::resource))
                .orElseThrow(() -> Problem.BAD_REQUEST.of("The parameter 'resourceId' is missing."));
    }

    private List<Map<String, Object>> byMeaning(Call call, String agent, ScopeRef where, String words, int most) {
        try {
            return runs.runtime(call.principal()).memory().search(agent, where, words, most).stream()
                    .flatMap(found -> threads.of(call).find(where.owner(), found.threadId()).stream()
                            .map(thread -> ThreadViews.found(
                                    found.message(), thread, threads.idOf(call, threads.note(call, thread)))))
                    .toList();
        } catch (ModelException e) {
            throw Problem.MODEL_UNAVAILABLE.of("The model that searches did not answer. Try again.");
        } catch (ConfigurationException e) {
            throw Problem.BAD_REQUEST.of(HttpWords.of(e));
        }
    }

    /** Search for a text, among the newest messages of the newest threads. */
    private List<Map<String, Object>> byWords(
            Call call, Optional<ThreadRecord> thread, Optional<String> resource, String words, int most) {
        String wanted = words.toLowerCase(Locale.ROOT);
        List<ThreadRecord> searched = thread.map(List::of).orElseGet(() -> threads.of(call)
                .list(
                        resource.orElseThrow(() -> Problem.BAD_REQUEST.of("The parameter 'resourceId' is missing.")),
                        0,
                        THREADS_SEARCHED));
        List<Map<String, Object>> found = new ArrayList<>();
        for (ThreadRecord each : searched) {
            List<ThreadMessage> messages =
                    threads.of(call).lastMessages(each.owner(), each.threadId(), MESSAGES_SEARCHED);
            threads.visible(call, each, messages).reversed().stream()
                    .filter(message -> message.text().toLowerCase(Locale.ROOT).contains(wanted))
                    .limit(most - found.size())
                    .map(message -> ThreadViews.found(message, each, threads.idOf(call, each)))
                    .forEach(found::add);
        }
        return found;
    }
}
