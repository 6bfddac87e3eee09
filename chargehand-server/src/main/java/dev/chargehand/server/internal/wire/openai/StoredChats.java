package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.RunOptions;
import dev.chargehand.TenantRuntime;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunStatus;
import dev.chargehand.server.Principal;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.ReservedNames;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.AnswerText;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.server.internal.wire.openai.conversation.ListPage;
import dev.chargehand.store.RunRecord;
import dev.chargehand.thread.ThreadRecord;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The routes of chat completions that are stored: runs that were started with {@code store}. Metadata that a client has replaced is in that
 * of the run's thread, since what a run has stored does not change.
 */
final class StoredChats {

    /** The name of a run's metadata that has the model, as the client sent it; only stored chat completions have it. */
    private static final String MODEL = ReservedNames.START + "chat";

    /** What the names of a thread's metadata start with that have the metadata of a chat completion; the id of the run follows. */
    private static final String REPLACED = ReservedNames.START + "chat.";

    private final WireRuns runs;
    private final AnswerTimes times;
    private final InputItems items;

    StoredChats(WireRuns runs, AnswerTimes times) {
        this.runs = runs;
        this.times = times;
        this.items = new InputItems(runs);
    }

    /** Return what a run keeps of a request that has it stored. */
    static Consumer<RunOptions.Builder> keeping(String model) {
        return options -> options.metadata(MODEL, model);
    }

    List<Route> routes() {
        Route.Access read = Route.Access.of(Scope.RUNS_READ);
        Route.Access write = Route.Access.of(Scope.RUNS_WRITE);
        String one = "/v1/chat/completions/{id}";
        return List.of(
                new Route("GET", "/v1/chat/completions", read, "List the stored chat completions", this::list),
                new Route(
                        "GET", one, read, "Return a stored chat completion", call -> Reply.ok(answer(call, run(call)))),
                new Route("POST", one, write, "Replace the metadata of a stored chat completion", this::change),
                new Route("DELETE", one, write, "Delete the run of a stored chat completion", this::delete),
                new Route(
                        "GET",
                        one + "/messages",
                        Route.Access.of(Scope.THREADS_READ),
                        "List the messages of a stored chat completion",
                        call -> Reply.ok(items.chatPage(call, run(call)))));
    }

    /** Return the run that a path names. One that is not stored as a chat completion behaves like a missing one. */
    private RunRecord run(Call call) {
        return find(call, call.parameter("id")).orElseThrow(StoredChats::unknown);
    }

    private Optional<RunRecord> find(Call call, String id) {
        if (!id.startsWith(ChatEncoder.PREFIX)) {
            return Optional.empty();
        }
        try {
            RunRecord run = runs.root(call.principal(), id.substring(ChatEncoder.PREFIX.length()));
            return Optional.of(run).filter(it -> model(call.principal(), it).isPresent());
        } catch (ProblemException e) {
            return Optional.empty();
        }
    }

    private Optional<String> model(Principal principal, RunRecord run) {
        try {
            return Optional.ofNullable(
                    runs.runtime(principal).metadata(run.runId()).get(MODEL));
        } catch (StoreException e) {
            requireDeleted(e);
            return Optional.empty();
        }
    }

    /** Throw an exception that does not say that the run, or its thread, was deleted just now. */
    private static void requireDeleted(StoreException thrown) {
        if (thrown.kind() != StoreException.Kind.NOT_FOUND) {
            throw thrown;
        }
    }

    private static ProblemException unknown() {
        return Problem.RUN_UNKNOWN.of("There is no stored chat completion with this id.");
    }

    private Map<String, @Nullable Object> answer(Call call, RunRecord run) {
        if (!run.status().isEnded() && run.status() != RunStatus.SUSPENDED) {
            throw notEnded();
        }
        TenantRuntime runtime = runs.runtime(call.principal());
        Map<String, String> kept = runtime.metadata(run.runId());
        AnswerText.Timing timing = times.again(call.principal(), run, kept);
        ChatEncoder encoder = new ChatEncoder(
                        run.runId(), kept.getOrDefault(MODEL, run.agentId()), false, timing, List.of())
                .past(runs.suspensions(call.principal(), run))
                .repeating(metadata(runtime, run, kept));
        runtime.history(run.runId()).forEach(encoder::encode);
        if (!encoder.isDone()) {
            throw notEnded(); // it continues since its record was read
        }
        return encoder.completion();
    }

    private static ProblemException notEnded() {
        return Problem.NOT_ENDED.of("The chat completion has no answer yet.");
    }

    private static Map<String, String> metadata(TenantRuntime runtime, RunRecord run, Map<String, String> kept) {
        return thread(runtime, run)
                .flatMap(
                        thread -> Optional.ofNullable(thread.metadata().fields().get(REPLACED + run.runId())))
                .map(replaced -> Body.of(replaced).texts())
                .orElseGet(() -> {
                    Map<String, String> own = new TreeMap<>(kept);
                    own.keySet().removeIf(name -> name.startsWith(ReservedNames.START));
                    return own;
                });
    }

    private static Optional<ThreadRecord> thread(TenantRuntime runtime, RunRecord run) {
        return run.threadId().flatMap(id -> runtime.threads().find(Owners.owner(run.resourceId()), id));
    }

    private Reply change(Call call) {
        RunRecord run = run(call);
        Body body = Body.of(call.body());
        if (!body.names().contains("metadata")) {
            throw body.problem("metadata", "is missing");
        }
        Map<String, String> values = Wanted.metadata(body);
        var unused = answer(call, run); // it has one
        TenantRuntime runtime = runs.runtime(call.principal());
        ThreadRecord thread = thread(runtime, run)
                .orElseThrow(() -> Problem.THREAD_UNKNOWN.of(
                        "The thread of the chat completion was deleted, and its metadata cannot be replaced."));
        try {
            replace(runtime, thread, run, values);
        } catch (ConfigurationException e) {
            throw body.problem(
                    "metadata", "is too long: the metadata of a thread and of its chat completions is kept together");
        }
        if (runtime.findRun(run.runId()).isEmpty()) { // its deletion may not have seen what is replaced
            clear(runtime, run);
            throw unknown();
        }
        return Reply.ok(answer(call, run));
    }

    /** Delete what was replaced from the thread of a run that is deleted. */
    private static void clear(TenantRuntime runtime, RunRecord run) {
        thread(runtime, run)
                .filter(it -> it.metadata().fields().containsKey(REPLACED + run.runId()))
                .ifPresent(it -> replace(runtime, it, run, null));
    }

    private static void replace(
            TenantRuntime runtime, ThreadRecord thread, RunRecord run, @Nullable Map<String, String> values) {
        var unused = runtime.threads()
                .change(thread.owner(), thread.threadId(), it -> it.addMetadata(REPLACED + run.runId(), values));
    }

    private Reply delete(Call call) {
        RunRecord run = run(call);
        if (!run.status().isEnded()) {
            throw Problem.NOT_ENDED.of(
                    "The run of the chat completion has not ended, and is not deleted; cancel it, or wait for its end.");
        }
        TenantRuntime runtime = runs.runtime(call.principal());
        if (!runtime.handle(run.runId()).delete()) {
            throw unknown();
        }
        clear(runtime, run);
        return Reply.ok(
                Map.of("id", ChatEncoder.PREFIX + run.runId(), "object", "chat.completion.deleted", "deleted", true));
    }

    private Reply list(Call call) {
        ListPage page = ListPage.of(call, "asc");
        Optional<RunRecord> after = page.after().map(id -> find(call, id).orElseThrow(ListPage::unknownAfter));
        Map<String, String> wanted = wantedMetadata(call);
        Optional<String> model = call.query("model");
        Stream<RunRecord> found = new StoredRunSearch(runs, call.principal(), model.map(Wanted::agentId))
                .after(after, page.ascending())
                .filter(run -> model(call.principal(), run)
                        .filter(name -> model.isEmpty() || model.get().equals(name))
                        .isPresent());
        List<Map<String, @Nullable Object>> chats = new ArrayList<>();
        Iterator<RunRecord> each = found.iterator();
        while (chats.size() <= page.limit() && each.hasNext()) {
            add(call, each.next(), wanted, chats);
        }
        return Reply.ok(page.fields(chats));
    }

    private void add(Call call, RunRecord run, Map<String, String> wanted, List<Map<String, @Nullable Object>> chats) {
        try {
            Map<String, @Nullable Object> chat = answer(call, run);
            if (has(chat, wanted)) {
                chats.add(chat);
            }
        } catch (ProblemException e) {
            // it has no answer
        } catch (StoreException e) {
            requireDeleted(e);
        }
    }

    private static Map<String, String> wantedMetadata(Call call) {
        Map<String, String> wanted = new TreeMap<>();
        call.query().forEach((name, value) -> {
            if (name.startsWith("metadata[") && name.endsWith("]")) {
                wanted.put(name.substring("metadata[".length(), name.length() - 1), value);
            }
        });
        return wanted;
    }

    private static boolean has(Map<String, @Nullable Object> chat, Map<String, String> wanted) {
        Map<String, Json> metadata = Json.of(chat.get("metadata")).fields();
        return wanted.entrySet().stream()
                .allMatch(each -> Json.of(each.getValue()).equals(metadata.get(each.getKey())));
    }
}
