package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.RunHandle;
import dev.chargehand.RunOptions;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.run.RequestContext;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.AnswerText;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.ClientMessages;
import dev.chargehand.server.internal.wire.ClientResults;
import dev.chargehand.server.internal.wire.StartWish;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.server.internal.wire.WireStream;
import dev.chargehand.server.internal.wire.openai.conversation.Content;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The route that makes chat completions. */
final class ChatRoutes {

    private static final Set<String> NOT_SAID = Set.of("assistant", "tool");

    private final WireRuns runs;
    private final AnswerTimes times;
    private final ClientResults results;

    ChatRoutes(WireRuns runs, AnswerTimes times) {
        this.runs = runs;
        this.times = times;
        this.results = new ClientResults(runs);
    }

    List<Route> routes() {
        return List.of(new Route(
                "POST",
                "/v1/chat/completions",
                Route.Access.of(Scope.RUNS_WRITE),
                "Start a run and return its answer as a chat completion",
                this::create));
    }

    private Reply create(Call call) {
        Body body = Body.of(call.body());
        Wanted wanted = Wanted.of(runs, call.principal(), body);
        NotOffered.rejectInChat(body);
        Optional<Integer> formerly = body.number("max_tokens");
        Optional<Integer> tokens = body.number("max_completion_tokens").or(() -> formerly);
        Consumer<RunOptions.Builder> options = wanted.tools(runs, call.principal(), body, true)
                .with(Wanted.options(body, tokens, Formats.ofChat(body)), RequestContext.empty());
        boolean stream = body.flag("stream");
        boolean usage = body.object("stream_options")
                .map(more -> more.flag("include_usage"))
                .orElse(false);
        ClientResults.Given given = given(call, body);
        AnswerText.Timing wish = times.of(call.principal(), wanted, options);
        Optional<RunHandle> started = given.results().isEmpty()
                ? Optional.of(start(call, body, wanted, options.andThen(AnswerTimes.keeping(wish))))
                : Optional.empty();
        ClientResults.Answered run = started.map(it -> ClientResults.Answered.started(it.runId()))
                .orElseGet(() -> results.answer(call, given));
        AnswerText.Timing timing = times.executed(call.principal(), started, run.root(), wish);
        ChatEncoder encoder = new ChatEncoder(run.root(), body.requiredId("model"), usage, timing, run.calls())
                .repeating(body.object("metadata").map(Body::texts).orElse(Map.of()));
        if (stream) {
            return new WireStream(runs.state(), call, runs.plan(run.root()), encoder);
        }
        runs.encode(call, run.root(), encoder);
        return Reply.ok(encoder.completion());
    }

    private RunHandle start(Call call, Body body, Wanted wanted, Consumer<RunOptions.Builder> options) {
        Optional<String> thread = wanted.thread().map(id -> runs.thread(call.principal(), Optional.empty(), id));
        StartWish wish = wanted.wish(input(body, wanted)).thread(thread);
        return runs.start(
                call,
                body.flag("store")
                        ? wish.keepsThread().options(options.andThen(StoredChats.keeping(body.requiredId("model"))))
                        : wish.options(options));
    }

    /** Return the results after the last answer, and what the user says after them; results before an answer are history. */
    private ClientResults.Given given(Call call, Body body) {
        List<Body> messages = body.objects("messages");
        int last = messages.size() - 1;
        while (last >= 0 && !NOT_SAID.contains(messages.get(last).requiredId("role"))) {
            last--;
        }
        Map<String, Json> given = new LinkedHashMap<>();
        for (int i = last; i >= 0 && messages.get(i).requiredId("role").equals("tool"); i--) {
            Body message = messages.get(i);
            given.putIfAbsent(message.requiredId("tool_call_id"), Json.of(Content.CHAT.text(message)));
        }
        if (given.size() > ClientResults.MOST) {
            throw body.problem("messages", "may have at most " + ClientResults.MOST + " results");
        }
        List<Message> said = read(messages.subList(last + 1, messages.size())).input(false);
        return results.given(call.principal(), given, said);
    }

    private static ClientMessages read(List<Body> sent) {
        ClientMessages messages = new ClientMessages();
        for (Body message : sent) {
            String role = message.requiredId("role");
            switch (role) {
                case "user" -> messages.user(Content.CHAT.ofUser(message));
                case "assistant" -> messages.assistant(Content.CHAT.ofAssistant(message));
                case "tool" -> {} // its call has its result
                case "system", "developer" -> messages.instructions(Content.CHAT.text(message));
                default ->
                    throw message.role(
                            "Messages may have the roles 'user', 'assistant', 'tool', 'system' and 'developer'.");
            }
        }
        return messages;
    }

    private static List<Message> input(Body body, Wanted wanted) {
        List<Message> input =
                read(body.objects("messages")).input(wanted.thread().isPresent());
        if (input.isEmpty()) {
            throw body.problem("messages", ClientMessages.END + ", or with results of tools");
        }
        return input;
    }
}
