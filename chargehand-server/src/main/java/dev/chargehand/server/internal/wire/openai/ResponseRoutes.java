package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.RunHandle;
import dev.chargehand.RunOptions;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.run.RequestContext;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.AnswerText;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.ClientMessages;
import dev.chargehand.server.internal.wire.ClientResults;
import dev.chargehand.server.internal.wire.StartWish;
import dev.chargehand.server.internal.wire.WireOptions;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.server.internal.wire.WireStream;
import dev.chargehand.server.internal.wire.openai.conversation.Content;
import dev.chargehand.store.RunRecord;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The routes of responses: a response is a run. */
final class ResponseRoutes {

    private static final Set<String> ECHOES = Set.of("function_call", "function_call_output", "reasoning");

    private static final String REFERENCE = "item_reference";

    /** How many answers a request may name: the events of the run of each are read. */
    private static final int MOST_NAMED = 100;

    /** The id of an item with an answer, as {@link ResponseEncoder} makes it. */
    private static final Pattern ANSWER = Pattern.compile("msg_(.+)_[0-9]{1,9}");

    private final WireRuns runs;
    private final AnswerTimes times;
    private final ClientResults results;
    private final InputItems items;

    ResponseRoutes(WireRuns runs, AnswerTimes times) {
        this.runs = runs;
        this.times = times;
        this.results = new ClientResults(runs);
        this.items = new InputItems(runs);
    }

    List<Route> routes() {
        Route.Access write = Route.Access.of(Scope.RUNS_WRITE);
        return List.of(
                new Route("POST", "/v1/responses", write, "Start a run as a response", this::create),
                new Route(
                        "GET",
                        "/v1/responses/{id}",
                        Route.Access.of(Scope.RUNS_READ),
                        "Return a run as a response, or its events",
                        this::find),
                new Route("DELETE", "/v1/responses/{id}", write, "Delete the run of a response", this::delete),
                new Route(
                        "GET",
                        "/v1/responses/{id}/input_items",
                        Route.Access.of(Scope.THREADS_READ),
                        "List what was given to the run of a response",
                        call -> Reply.ok(items.page(call, run(call, call.parameter("id"))))),
                new Route("POST", "/v1/responses/{id}/cancel", write, "Cancel the run of a response", this::cancel));
    }

    private Reply create(Call call) {
        Body body = Body.of(call.body());
        Wanted wanted = Wanted.of(runs, call.principal(), body);
        NotOffered.rejectInResponse(body);
        Consumer<RunOptions.Builder> options = wanted.tools(runs, call.principal(), body, false)
                .with(
                        Wanted.options(body, body.number("max_output_tokens"), Formats.ofResponse(body)),
                        RequestContext.empty());
        boolean background = body.flag("background");
        boolean stream = body.flag("stream");
        ClientResults.Given given = given(call, body);
        AnswerText.Timing wish = times.of(call.principal(), wanted, options);
        Optional<RunHandle> started = given.results().isEmpty()
                ? Optional.of(start(call, body, wanted, options.andThen(AnswerTimes.keeping(wish))))
                : Optional.empty();
        ClientResults.Answered run = started.map(it -> ClientResults.Answered.started(it.runId()))
                .orElseGet(() -> results.answer(call, given));
        AnswerText.Timing timing = times.executed(call.principal(), started, run.root(), wish);
        ResponseEncoder encoder =
                new ResponseEncoder(run.root(), body.requiredId("model"), background, timing, run.calls());
        var unused = encoder.madeAt(Instant.now()).repeating(ResponseFields.of(body, conversation(body)));
        if (stream) {
            WireStream.Plan plan = background ? WireStream.Plan.ofReader(run.root()) : runs.plan(run.root());
            return new WireStream(runs.state(), call, plan, encoder);
        }
        if (!background) {
            runs.encode(call, run.root(), encoder);
            encoder.problem().ifPresent(problem -> {
                throw problem;
            });
        }
        return Reply.ok(encoder.response());
    }

    private RunHandle start(Call call, Body body, Wanted wanted, Consumer<RunOptions.Builder> options) {
        Optional<RunRecord> previous = body.id("previous_response_id").map(id -> previous(call, body, id));
        Optional<String> resource = previous.flatMap(RunRecord::resourceId);
        Optional<String> thread =
                wanted.thread().or(() -> conversation(body)).map(id -> runs.thread(call.principal(), resource, id));
        StartWish wish = wanted.wish(input(
                        call,
                        body,
                        thread.or(() -> previous.flatMap(RunRecord::threadId)).isPresent()))
                .thread(thread)
                .resource(resource)
                .keepsThread()
                .background(body.flag("background"))
                .streamed(body.flag("stream"))
                .options(options.andThen(keeping(ResponseFields.kept(body, previous, conversation(body)))));
        return thread.isPresent() || previous.isEmpty()
                ? runs.start(call, wish)
                : new Continuation(runs, call, previous.get()).start(wish);
    }

    private static Consumer<RunOptions.Builder> keeping(Map<String, String> values) {
        return options -> values.forEach(options::metadata);
    }

    /** Return the results after the last answer, and what the user says after them; results before an answer are history. */
    private ClientResults.Given given(Call call, Body body) {
        List<Body> items = isText(body) ? List.of() : body.objects("input");
        int last = items.size() - 1;
        while (last >= 0 && isSaid(items.get(last))) {
            last--;
        }
        Map<String, Json> given = new LinkedHashMap<>();
        for (int i = last; i >= 0 && type(items.get(i)).equals("function_call_output"); i--) {
            Body item = items.get(i);
            given.putIfAbsent(
                    item.requiredId("call_id"),
                    Json.of(WireOptions.text(item, "output", Set.of("input_text", "output_text"))));
        }
        if (given.size() > ClientResults.MOST) {
            throw body.problem("input", "may have at most " + ClientResults.MOST + " results");
        }
        ClientMessages after = new ClientMessages();
        items.subList(last + 1, items.size()).forEach(item -> read(item, after));
        List<Message> said = after.input(false);
        return results.given(call.principal(), given, said);
    }

    private static boolean isText(Body body) {
        return body.json("input").flatMap(Json::string).isPresent();
    }

    private static String type(Body item) {
        boolean isNamed = item.json("id").isPresent() && item.json("role").isEmpty();
        return item.text("type").orElse(isNamed ? REFERENCE : "message");
    }

    private static boolean isReference(Body item) {
        return type(item).equals(REFERENCE);
    }

    private static boolean isSaid(Body item) {
        return type(item).equals("message") && !item.requiredId("role").equals("assistant");
    }

    /** Return the run that a response continues. Its thread has what was said. */
    private RunRecord previous(Call call, Body body, String id) {
        RunRecord run;
        try {
            run = run(call, id);
        } catch (ProblemException e) {
            throw e.with("param", "previous_response_id");
        }
        if (!run.status().isEnded()) {
            throw body.problem("previous_response_id", "must name a response that has ended");
        }
        return run;
    }

    private RunRecord run(Call call, String id) {
        if (!id.startsWith(ResponseEncoder.PREFIX)) {
            throw unknown();
        }
        return runs.root(call.principal(), id.substring(ResponseEncoder.PREFIX.length()));
    }

    private static ProblemException unknown() {
        return Problem.RUN_UNKNOWN.of("There is no response with this id.");
    }

    private static Optional<String> conversation(Body body) {
        return body.json("conversation").isEmpty()
                ? Optional.empty()
                : body.json("conversation").filter(Json::isObject).isPresent()
                        ? body.object("conversation").map(it -> it.requiredId("id"))
                        : body.id("conversation");
    }

    private List<Message> input(Call call, Body body, boolean inThread) {
        ClientMessages messages = new ClientMessages();
        body.text("instructions").ifPresent(messages::instructions);
        if (isText(body)) {
            messages.user(body.text("input").orElseThrow());
        } else {
            List<Body> items = body.objects("input");
            if (items.stream().filter(ResponseRoutes::isReference).count() > MOST_NAMED) {
                throw body.problem("input", "may name at most " + MOST_NAMED + " items by 'item_reference'");
            }
            items.forEach(item -> {
                if (isReference(item)) {
                    refer(call, item, messages);
                } else {
                    read(item, messages);
                }
            });
        }
        List<Message> input = messages.input(inThread);
        if (input.isEmpty()) {
            throw body.problem(
                    "input",
                    "must be a text, or items that end with a message of the user that has a text or an image in its"
                            + " 'content', or with results of calls");
        }
        return input;
    }

    /** Add an answer that a client names by its item; of other items nothing is said. */
    private void refer(Call call, Body item, ClientMessages messages) {
        String id = item.requiredId("id");
        if (!id.startsWith("rs_") && !id.startsWith("fc_")) {
            messages.assistant(answer(call, id).orElseThrow(() -> Problem.RUN_UNKNOWN
                    .of("There is no item with this id.")
                    .with("param", "input")));
        }
    }

    private Optional<String> answer(Call call, String itemId) {
        Matcher name = ANSWER.matcher(itemId);
        if (!name.matches()) {
            return Optional.empty();
        }
        RunRecord run;
        try {
            run = runs.root(call.principal(), name.group(1));
        } catch (ProblemException e) {
            return Optional.empty();
        }
        ResponseEncoder encoder = reading(call, run);
        runs.runtime(call.principal()).history(run.runId()).forEach(encoder::encode);
        return Body.of(Json.of(encoder.response())).objects("output").stream()
                .filter(item -> item.id("id").equals(Optional.of(itemId)))
                .map(Content.RESPONSES::ofAssistant)
                .findFirst();
    }

    private static void read(Body item, ClientMessages messages) {
        if (ECHOES.contains(type(item))) {
            return; // what the server has sent, and the results of calls that have them
        }
        if (!type(item).equals("message")) {
            throw item.problem("type", "must be 'message' or 'function_call_output'");
        }
        switch (item.requiredId("role")) {
            case "user" -> messages.user(Content.RESPONSES.ofUser(item));
            case "assistant" -> messages.assistant(Content.RESPONSES.ofAssistant(item));
            case "system", "developer" -> messages.instructions(Content.RESPONSES.text(item));
            default -> throw item.role("Items may have the roles 'user', 'assistant', 'system' and 'developer'.");
        }
    }

    private Reply find(Call call) {
        RunRecord run = run(call, call.parameter("id"));
        for (String name : List.of("include", "include[]")) {
            if (!NotOffered.areIncludable(call.query(name).stream().toList())) {
                throw Problem.BAD_REQUEST
                        .of("The parameter 'include' " + NotOffered.INCLUDES + ".")
                        .with("param", "include");
            }
        }
        boolean stream = isStreamed(call);
        ResponseEncoder encoder = reading(call, run);
        if (stream) {
            encoder.skipTo(after(call));
            return new WireStream(runs.state(), call, WireStream.Plan.ofReader(run.runId()), encoder);
        }
        runs.runtime(call.principal()).history(run.runId()).forEach(encoder::encode);
        return Reply.ok(encoder.response());
    }

    private static boolean isStreamed(Call call) {
        return switch (call.query("stream").orElse("false")) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw Problem.BAD_REQUEST
                        .of("The parameter 'stream' must be 'true' or 'false'.")
                        .with("param", "stream");
        };
    }

    /** Make the encoder of a run that is read again. */
    private ResponseEncoder reading(Call call, RunRecord run) {
        int past = runs.suspensions(call.principal(), run);
        Map<String, String> metadata = runs.runtime(call.principal()).metadata(run.runId());
        AnswerText.Timing timing = times.again(call.principal(), run, metadata);
        return new ResponseEncoder(run.runId(), run.agentId(), false, timing, List.of())
                .past(past)
                .madeAt(run.startedAt())
                .repeating(ResponseFields.of(metadata));
    }

    private static long after(Call call) {
        String text = call.query("starting_after").orElse("-1");
        if (!text.matches("-1|[0-9]{1,16}")) {
            throw Problem.BAD_CURSOR
                    .of("The parameter 'starting_after' must be the 'sequence_number' of an event of this response.")
                    .with("param", "starting_after");
        }
        return Long.parseLong(text);
    }

    private Reply delete(Call call) {
        RunRecord run = run(call, call.parameter("id"));
        if (!run.status().isEnded()) {
            throw Problem.NOT_ENDED.of(
                    "The response has not ended, and is not deleted; cancel it, or wait for its end.");
        }
        if (!runs.runtime(call.principal()).handle(run.runId()).delete()) {
            throw unknown();
        }
        return Reply.ok(Map.of("id", ResponseEncoder.PREFIX + run.runId(), "object", "response", "deleted", true));
    }

    private Reply cancel(Call call) {
        RunRecord run = run(call, call.parameter("id"));
        boolean cancelled = runs.runtime(call.principal()).cancel(run.runId());
        ResponseEncoder encoder = reading(call, run);
        runs.runtime(call.principal()).history(run.runId()).forEach(encoder::encode);
        if (cancelled) {
            encoder.cancelled();
        }
        return Reply.ok(encoder.response());
    }
}
