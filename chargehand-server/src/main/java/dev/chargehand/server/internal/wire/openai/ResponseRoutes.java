package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.RunHandle;
import dev.chargehand.RunOptions;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.ClientMessages;
import dev.chargehand.server.internal.wire.StartWish;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.server.internal.wire.WireStream;
import dev.chargehand.store.RunRecord;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The routes of responses: a response is a run. */
final class ResponseRoutes {

    private final WireRuns runs;

    ResponseRoutes(WireRuns runs) {
        this.runs = runs;
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
                new Route("POST", "/v1/responses/{id}/cancel", write, "Cancel the run of a response", this::cancel));
    }

    private Reply create(Call call) {
        Body body = Body.of(call.body());
        Wanted wanted = Wanted.of(runs, call.principal(), body);
        Wanted.rejectTools(body);
        if (body.json("store").isPresent() && !body.flag("store")) {
            throw body.problem("store", "must be true: the runs of the server are stored");
        }
        Optional<RunRecord> previous = body.id("previous_response_id").map(id -> previous(call, body, id));
        Optional<String> resource = previous.flatMap(RunRecord::resourceId);
        Optional<String> thread = wanted.thread()
                .or(() -> conversation(body))
                .map(id -> runs.thread(call.principal(), resource, id))
                .or(() -> previous.flatMap(RunRecord::threadId));
        Optional<Body> format = body.object("text")
                .flatMap(text -> text.object("format"))
                .filter(it -> !it.text("type").orElse("text").equals("text"));
        format.filter(it -> !it.text("type").orElse("").equals("json_schema")).ifPresent(it -> {
            throw it.problem("type", "must be 'text' or 'json_schema'");
        });
        Consumer<RunOptions.Builder> options = Wanted.options(body, body.number("max_output_tokens"), format);
        boolean background = body.flag("background");
        List<Message> input = input(body, thread.isPresent());
        StartWish wish = new StartWish(wanted.agent(), input)
                .thread(thread)
                .resource(resource)
                .keepsThread()
                .background(background)
                .options(options);
        RunHandle run = runs.start(call, wish);
        ResponseEncoder encoder =
                new ResponseEncoder(run.runId(), body.requiredId("model"), background, wanted.isLive(options));
        if (body.flag("stream")) {
            WireStream.Plan plan = background ? WireStream.Plan.ofReader(run.runId()) : runs.plan(run.runId());
            return new WireStream(runs.state(), call.principal(), plan, encoder);
        }
        if (!background) {
            runs.encode(call.principal(), run.runId(), encoder);
            encoder.problem().ifPresent(problem -> {
                throw problem;
            });
        }
        return Reply.ok(encoder.response());
    }

    /** Return the run that a response continues. Its thread has what was said. */
    private RunRecord previous(Call call, Body body, String id) {
        RunRecord run = run(call, id);
        if (!run.status().isEnded()) {
            throw body.problem("previous_response_id", "must name a response that has ended");
        }
        return run;
    }

    private RunRecord run(Call call, String id) {
        if (!id.startsWith(ResponseEncoder.PREFIX)) {
            throw Problem.RUN_UNKNOWN.of("There is no response with this id.");
        }
        return runs.root(call.principal(), id.substring(ResponseEncoder.PREFIX.length()));
    }

    private static Optional<String> conversation(Body body) {
        return body.json("conversation").isEmpty()
                ? Optional.empty()
                : body.json("conversation").filter(Json::isObject).isPresent()
                        ? body.object("conversation").map(it -> it.requiredId("id"))
                        : body.id("conversation");
    }

    private static List<Message> input(Body body, boolean inThread) {
        ClientMessages messages = new ClientMessages();
        body.text("instructions").ifPresent(messages::instructions);
        if (body.json("input").flatMap(Json::string).isPresent()) {
            messages.user(body.text("input").orElseThrow());
        } else {
            for (Body item : body.objects("input")) {
                if (!item.text("type").orElse("message").equals("message")) {
                    throw item.problem("type", "must be 'message': other items are not accepted");
                }
                switch (item.requiredId("role")) {
                    case "user" -> messages.user(Content.text(item));
                    case "assistant" -> messages.assistant(Content.text(item));
                    case "system", "developer" -> messages.instructions(Content.text(item));
                    default ->
                        throw item.role("Items may have the roles 'user', 'assistant', 'system' and 'developer'.");
                }
            }
        }
        List<Message> input = messages.input(inThread);
        if (input.isEmpty()) {
            throw body.problem("input", "must be a text, or items that end with a message of the user");
        }
        return input;
    }

    private Reply find(Call call) {
        RunRecord run = run(call, call.parameter("id"));
        ResponseEncoder encoder = new ResponseEncoder(run.runId(), run.agentId(), false, true);
        if (call.query("stream").filter("true"::equals).isPresent()) {
            encoder.skipTo(after(call));
            return new WireStream(runs.state(), call.principal(), WireStream.Plan.ofReader(run.runId()), encoder);
        }
        runs.runtime(call.principal()).history(run.runId()).forEach(encoder::encode);
        return Reply.ok(encoder.response());
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

    private Reply cancel(Call call) {
        RunRecord run = run(call, call.parameter("id"));
        boolean cancelled = runs.runtime(call.principal()).cancel(run.runId());
        ResponseEncoder encoder = new ResponseEncoder(run.runId(), run.agentId(), false, true);
        runs.runtime(call.principal()).history(run.runId()).forEach(encoder::encode);
        if (cancelled) {
            encoder.cancelled();
        }
        return Reply.ok(encoder.response());
    }
}
