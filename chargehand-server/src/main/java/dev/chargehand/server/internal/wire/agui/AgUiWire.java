package dev.chargehand.server.internal.wire.agui;

import dev.chargehand.Agent;
import dev.chargehand.RunOptions;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.server.Principal;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.ClientMessages;
import dev.chargehand.server.internal.wire.ClientResults;
import dev.chargehand.server.internal.wire.ExternalTools;
import dev.chargehand.server.internal.wire.StartWish;
import dev.chargehand.server.internal.wire.Wire;
import dev.chargehand.server.internal.wire.WireAnswers;
import dev.chargehand.server.internal.wire.WireOptions;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.server.internal.wire.WireStream;
import dev.chargehand.server.internal.wire.content.SentImage;
import dev.chargehand.server.internal.wire.content.UserContent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The wire of AG-UI's clients: one route, whose requests start a run or answer its interrupts. */
public final class AgUiWire implements Wire {

    private static final Set<String> SAID = Set.of("user", "system", "developer");

    private static final Set<String> SOURCES = Set.of("data", "url");

    private static final UserContent SAID_OR_SHOWN =
            new UserContent(Set.of("text"), List.of("text", "image"), AgUiWire::image);

    private final WireRuns runs;
    private final WireAnswers answers;
    private final ClientResults results;
    private final ThreadHistory history;

    /** Make it. */
    public AgUiWire(WireRuns runs) {
        this.runs = runs;
        this.answers = new WireAnswers(runs);
        this.results = new ClientResults(runs);
        this.history = new ThreadHistory(runs);
    }

    @Override
    public String name() {
        return "ag-ui";
    }

    @Override
    public String prefix() {
        return "/ag-ui";
    }

    @Override
    public List<Route> routes() {
        return List.of(
                route("/ag-ui/{agent}", "Start or continue a run for a client of AG-UI", call -> post(call, false)),
                route(
                        "/ag-ui/{agent}/network",
                        "Start or continue a run as a network for a client of AG-UI",
                        call -> post(call, true)),
                connected("", "Connect a client of AG-UI to a thread"),
                connected("/network", "Connect a client of AG-UI to a thread of a network"));
    }

    private Route connected(String form, String summary) {
        return new Route(
                "POST", "/ag-ui/{agent}" + form + "/connect", Route.Access.of(Scope.RUNS_READ), summary, this::connect);
    }

    private static Route route(String template, String summary, Route.Handler handler) {
        return new Route("POST", template, Route.Access.of(Scope.RUNS_WRITE), summary, handler);
    }

    /** Its clients read JSON under this media type only. */
    @Override
    public Reply.Whole rejected(ProblemException problem) {
        Reply.Whole reply = problem.reply();
        return new Reply.Whole(reply.status(), reply.headers(), "application/json", reply.body());
    }

    private Reply post(Call call, boolean network) {
        Agent agent = runs.agent(call.principal(), call.parameter("agent"));
        Body body = Body.of(call.body());
        String thread = body.requiredId("threadId");
        String run = body.requiredId("runId");
        List<Body> resumed = body.objects("resume");
        Map<String, Json> given = given(body);
        if (!resumed.isEmpty()) {
            return resume(call, body, given);
        }
        if (!given.isEmpty()) {
            return answer(call, body, agent, given, List.of());
        }
        Map<String, Json> before = resultsBefore(body);
        if (!before.isEmpty() && areWaiting(call, thread, before.keySet())) {
            return answer(call, body, agent, before, input(body));
        }
        if (saysNothingNew(body)) {
            return connect(call);
        }
        StartWish wish = wish(call, agent, body, thread).key(run).network(network);
        return stream(call, body, runs.start(call, wish).runId(), List.of());
    }

    /** Return whether a request has no message, or ends with one of the agent: then it only asks what the thread has. */
    private static boolean saysNothingNew(Body body) {
        List<Body> messages = body.objects("messages");
        return messages.isEmpty()
                || Set.of("assistant", "reasoning", "activity")
                        .contains(messages.getLast().requiredId("role"));
    }

    private Reply connect(Call call) {
        Principal principal = call.principal();
        var unused = runs.agent(principal, call.parameter("agent"));
        Body body = Body.of(call.body());
        String thread = body.requiredId("threadId");
        return history.connect(
                call, runs.thread(principal, Optional.empty(), thread), thread, body.requiredId("runId"), state(body));
    }

    /** Return the results of the client's tools with which the messages end, by the ids of their calls. */
    private static Map<String, Json> given(Body body) {
        return given(body, body.objects("messages"));
    }

    private static Map<String, Json> given(Body body, List<Body> messages) {
        Map<String, Json> given = new LinkedHashMap<>();
        for (Body message : messages.reversed()) {
            if (!message.requiredId("role").equals("tool")) {
                break;
            }
            given.putIfAbsent(
                    message.requiredId("toolCallId"),
                    Json.of(message.text("error")
                            .<Object>map(error -> Map.of("error", error))
                            .orElseGet(() -> text(message))));
        }
        if (given.size() > ClientResults.MOST) {
            throw body.problem("messages", "may have at most " + ClientResults.MOST + " results");
        }
        return given;
    }

    /** Return the results after which the user says something. */
    private static Map<String, Json> resultsBefore(Body body) {
        List<Body> messages = body.objects("messages");
        int last = messages.size() - 1;
        while (last >= 0 && SAID.contains(messages.get(last).requiredId("role"))) {
            last--;
        }
        return given(body, messages.subList(0, last + 1));
    }

    private boolean areWaiting(Call call, String thread, Set<String> calls) {
        String stored = runs.thread(call.principal(), Optional.empty(), thread);
        return !Collections.disjoint(results.waiting(call.principal(), stored).keySet(), calls);
    }

    private Reply answer(Call call, Body body, Agent agent, Map<String, Json> given, List<Message> said) {
        Principal principal = call.principal();
        Optional<String> stored = Optional.of(runs.thread(principal, Optional.empty(), body.requiredId("threadId")));
        ClientResults.Answered answered = results.answer(call, stored, agent.id(), given, said);
        return stream(call, body, answered.root(), answered.calls());
    }

    private static ExternalTools tools(Agent agent, Body body) {
        List<ExternalTools.Sent> sent = new ArrayList<>();
        for (Body tool : body.objects("tools")) {
            sent.add(new ExternalTools.Sent(
                    tool, tool.requiredId("name"), tool.text("description").orElse(""), tool.json("parameters")));
        }
        return ExternalTools.of(agent, body, "tools", sent);
    }

    private StartWish wish(Call call, Agent agent, Body body, String thread) {
        return new StartWish(agent, input(body))
                .thread(Optional.of(runs.thread(call.principal(), Optional.empty(), thread)))
                .keepsThread()
                .options(options(agent, body));
    }

    private Reply stream(Call call, Body body, RunId root, List<PendingApproval> answered) {
        AgUiEncoder encoder = new AgUiEncoder(root, body.requiredId("threadId"), body.requiredId("runId"), answered);
        return new WireStream(runs.state(), call, runs.plan(root), encoder.keeping(state(body)));
    }

    /** Return the fields of the client's state; none if it is not an object. */
    private static Map<String, Json> state(Body body) {
        return body.json("state").filter(Json::isObject).map(Json::fields).orElse(Map.of());
    }

    private static List<Message> input(Body body) {
        ClientMessages messages = new ClientMessages();
        List<Body> sent = body.objects("messages");
        for (int i = 0; i < sent.size(); i++) {
            Body message = sent.get(i);
            if (i == sent.size() - 1) {
                context(body).ifPresent(messages::instructions);
            }
            switch (message.requiredId("role")) {
                case "user" -> messages.user(SAID_OR_SHOWN.of(message, "content"));
                case "system", "developer" -> messages.instructions(text(message));
                case "assistant", "tool" -> messages.assistant("."); // what was said is in the thread
                case "reasoning", "activity" -> {}
                default -> throw message.role("The message has a role that AG-UI does not have.");
            }
        }
        List<Message> input = messages.input(true);
        if (input.isEmpty()) {
            throw body.problem("messages", ClientMessages.END + ", or with results of tools");
        }
        return input;
    }

    /** Return what the client knows about its user and its page; it belongs to the newest message. */
    private static Optional<String> context(Body body) {
        List<String> entries = body.objects("context").stream()
                .map(entry -> entry.text("description").orElse("") + ": "
                        + entry.text("value").orElse(""))
                .toList();
        return entries.isEmpty() ? Optional.empty() : Optional.of(String.join("\n", entries));
    }

    /** Return the image of a part; {@code binary} is what clients before version 1.0 call it. */
    private static Optional<Part.Image> image(Body part) {
        return switch (part.text("type").orElse("")) {
            case "image" -> {
                Body source = part.object("source").orElseThrow(() -> part.problem("source", "is missing"));
                if (!SOURCES.contains(source.requiredId("type"))) {
                    throw source.problem("type", "must be 'data' or 'url': other sources are not offered");
                }
                yield Optional.of(SentImage.of(source, "value", source));
            }
            case "binary" -> Optional.of(SentImage.of(part, part.json("url").isPresent() ? "url" : "data", part));
            default -> Optional.empty();
        };
    }

    private static String text(Body message) {
        return WireOptions.text(message, "content", Set.of("text"));
    }

    /** The state of the client is request context, as far as the server lets callers set it. */
    private Consumer<RunOptions.Builder> options(Agent agent, Body body) {
        RequestContext context =
                WireOptions.context(body.json("state"), runs.state().choices().contextKeys());
        Consumer<RunOptions.Builder> own =
                context.equals(RequestContext.empty()) ? options -> {} : options -> options.requestContext(context);
        return tools(agent, body).with(own, context);
    }

    /** Answer the interrupts, and the calls of the same run that the client has executed meanwhile. */
    private Reply resume(Call call, Body body, Map<String, Json> executed) {
        Principal principal = call.principal();
        Map<PendingApproval, ApprovalAnswer> given = new LinkedHashMap<>();
        for (Body entry : body.objects("resume")) {
            PendingApproval pending = answers.require(principal, entry.requiredId("interruptId"));
            given.put(pending, decision(principal, pending, entry));
        }
        List<PendingApproval> waiting = List.copyOf(given.keySet());
        RunId root = waiting.getFirst().rootRunId();
        if (!waiting.stream().allMatch(each -> each.rootRunId().equals(root))) {
            throw Problem.BAD_REQUEST.of("The answers of a request must belong to one run.");
        }
        List<Message> said = saidAfter(body, waiting);
        given.putAll(results.given(principal, root, executed));
        answers.answerToRead(call, root, given, said);
        return stream(call, body, root, List.copyOf(given.keySet()));
    }

    /**
     * Return what the user says after the calls that wait. If the client does not show these calls, its last message may be the one that has
     * started the run, and is not read.
     */
    private static List<Message> saidAfter(Body body, List<PendingApproval> waiting) {
        List<Body> messages = body.objects("messages");
        int first = messages.size();
        while (first > 0 && SAID.contains(messages.get(first - 1).requiredId("role"))) {
            first--;
        }
        Set<String> calls = waiting.stream().map(PendingApproval::callId).collect(Collectors.toSet());
        boolean areShown = messages.subList(0, first).stream()
                .flatMap(message -> message.objects("toolCalls").stream())
                .anyMatch(call -> call.id("id").filter(calls::contains).isPresent());
        boolean saysMore =
                first < messages.size() && messages.getLast().requiredId("role").equals("user");
        return areShown && saysMore ? input(body) : List.of();
    }

    private static ApprovalAnswer decision(Principal principal, PendingApproval pending, Body entry) {
        String status = entry.requiredId("status");
        if (status.equals("cancelled")) {
            return WireAnswers.decision(principal, false, Optional.empty());
        }
        if (!status.equals("resolved")) {
            throw entry.problem("status", "must be 'resolved' or 'cancelled'");
        }
        if (pending.kind() == PendingApproval.Kind.DATA) {
            return WireAnswers.data(
                    principal, entry.json("payload").orElseThrow(() -> entry.problem("payload", "is missing")));
        }
        return WireAnswers.decision(
                principal, entry.object("payload").orElseThrow(() -> entry.problem("payload", "is missing")));
    }
}
