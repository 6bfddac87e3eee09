package dev.chargehand.server.internal.wire.aisdk;

import dev.chargehand.Agent;
import dev.chargehand.ForkBuilder;
import dev.chargehand.RunHandle;
import dev.chargehand.RunOptions;
import dev.chargehand.TenantRuntime;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.server.Principal;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.ClientMessages;
import dev.chargehand.server.internal.wire.ClientResults;
import dev.chargehand.server.internal.wire.ExternalTools;
import dev.chargehand.server.internal.wire.StartWish;
import dev.chargehand.server.internal.wire.WireAnswers;
import dev.chargehand.server.internal.wire.WireOptions;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.server.internal.wire.WireStream;
import dev.chargehand.server.internal.wire.content.SentImage;
import dev.chargehand.server.internal.wire.content.UserContent;
import dev.chargehand.store.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** The routes of chats: a request starts a run, answers waiting calls, or makes an answer again. */
final class ChatRoutes {

    private static final Map<String, String> HEADERS = Map.of("x-vercel-ai-ui-message-stream", "v1");

    private static final Set<String> ANSWERS = Set.of("approval-responded", "output-available", "output-error");

    private static final Set<String> READ = Set.of("text", "file");

    private static final UserContent SAID = new UserContent(Set.of("text"), List.of("text", "file"), ChatRoutes::image);

    private final WireRuns runs;
    private final WireAnswers answers;
    private final ChatThread threads;
    private final ClientResults results;

    ChatRoutes(WireRuns runs) {
        this.runs = runs;
        this.answers = new WireAnswers(runs);
        this.threads = new ChatThread(runs);
        this.results = new ClientResults(runs);
    }

    List<Route> routes() {
        return List.of(
                start("", "Start or continue a run for a chat of the AI SDK", call -> post(call, false)),
                start(
                        "/network",
                        "Start or continue a run as a network for a chat of the AI SDK",
                        call -> post(call, true)),
                resumed("", "Stream the message of a chat that is being written"),
                resumed("/network", "Stream the message of a chat that a network is writing"));
    }

    private static Route start(String form, String summary, Route.Handler handler) {
        return new Route("POST", "/ai-sdk/{agent}" + form, Route.Access.of(Scope.RUNS_WRITE), summary, handler);
    }

    private Route resumed(String form, String summary) {
        return new Route(
                "GET",
                "/ai-sdk/{agent}" + form + "/{chat}/stream",
                Route.Access.of(Scope.RUNS_READ),
                summary,
                this::resume);
    }

    private Reply post(Call call, boolean network) {
        Agent agent = runs.agent(call.principal(), call.parameter("agent"));
        Body body = Body.of(call.body());
        String chat = body.requiredId("id");
        List<Body> messages = messages(body);
        List<Body> parts = messages.isEmpty() ? List.of() : partsOfAnswer(messages.getLast());
        ExternalTools tools = ExternalTools.of(agent, body, "tools", tools(body));
        return switch (body.id("trigger").orElse("submit-message")) {
            case "submit-message" ->
                parts.isEmpty()
                        ? submit(call, body, new StartWish(agent, input(body)).network(network), tools)
                        : answer(call, chat, parts, tools);
            case "regenerate-message" -> regenerate(call, agent, body, tools);
            default -> throw body.problem("trigger", "must be 'submit-message' or 'regenerate-message'");
        };
    }

    /** Return what a chat sends: its messages, or the newest alone as {@code message}. */
    private static List<Body> messages(Body body) {
        List<Body> messages = body.objects("messages");
        return messages.isEmpty() ? body.object("message").stream().toList() : messages;
    }

    /** Return the tools that the client executes besides those of the agent: an object with an object for each. */
    private static List<ExternalTools.Sent> tools(Body body) {
        List<ExternalTools.Sent> sent = new ArrayList<>();
        body.object("tools").ifPresent(tools -> tools.names().forEach(name -> tools.object(name)
                .ifPresent(tool -> sent.add(new ExternalTools.Sent(
                        tool,
                        name,
                        tool.text("description").orElse(""),
                        tool.json("inputSchema").or(() -> tool.json("parameters")))))));
        return sent;
    }

    private Reply submit(Call call, Body body, StartWish wish, ExternalTools tools) {
        Principal principal = call.principal();
        String thread = threads.of(principal, body.requiredId("id"));
        RequestContext context =
                WireOptions.requestContext(body, runs.state().choices().contextKeys());
        Consumer<RunOptions.Builder> values =
                context.equals(RequestContext.empty()) ? options -> {} : options -> options.requestContext(context);
        wish.keepsThread().options(tools.with(values, context));
        List<Body> messages = messages(body);
        Optional<String> copy = isEdited(body, messages)
                ? threads.branches(principal).after(thread, lastAnswer(messages))
                : Optional.empty();
        RunHandle run = copy.map(next -> replace(call, wish, thread, next))
                .orElseGet(() -> runs.start(call, wish.thread(Optional.of(thread))));
        return stream(call, run.runId(), AiSdkEncoder.From.START, tools);
    }

    /** Start a run in a copy of the thread of a chat, which continues there. */
    private RunHandle replace(Call call, StartWish wish, String thread, String copy) {
        RunHandle run = threads.branches(call.principal())
                .started(copy, () -> runs.start(call, wish.thread(Optional.of(copy))));
        threads.continueIn(call.principal(), thread, copy);
        return run;
    }

    /** Return whether the last message of a chat replaces one that had the same id, and all that followed. */
    private static boolean isEdited(Body body, List<Body> messages) {
        return body.id("messageId").isPresent()
                && body.id("messageId").equals(messages.getLast().id("id"));
    }

    /** Return the run of the last answer that a chat shows. */
    private static Optional<RunId> lastAnswer(List<Body> messages) {
        return messages.reversed().stream()
                .filter(ChatRoutes::isAnswer)
                .findFirst()
                .flatMap(message -> message.id("id"))
                .flatMap(ChatRoutes::answered);
    }

    private static boolean isAnswer(Body message) {
        return message.requiredId("role").equals("assistant");
    }

    /** Return the run that has written a message; empty if it is one of the user. */
    private static Optional<RunId> answered(String messageId) {
        return Optional.of(messageId)
                .filter(id -> id.length() > AiSdkEncoder.PREFIX.length() && id.startsWith(AiSdkEncoder.PREFIX))
                .map(id -> new RunId(id.substring(AiSdkEncoder.PREFIX.length())));
    }

    /** Return the run that has answered the message of the user with which the messages end. */
    private Optional<RunId> answering(Principal principal, String thread, Body body) {
        List<Body> messages = messages(body);
        int said = 0;
        while (said < messages.size() && !isAnswer(messages.get(messages.size() - 1 - said))) {
            said++;
        }
        return said == 0 ? Optional.empty() : threads.after(principal, thread, lastAnswer(messages), said);
    }

    private static List<Message> input(Body body) {
        ClientMessages messages = new ClientMessages();
        for (Body message : messages(body)) {
            switch (message.requiredId("role")) {
                case "user" -> messages.user(shown(message));
                case "system" -> messages.instructions(text(message));
                case "assistant" -> messages.assistant("."); // what it said is in the thread
                default -> throw message.role("Messages may have the roles 'user', 'assistant' and 'system'.");
            }
        }
        List<Message> input = messages.input(true);
        if (input.isEmpty()) {
            throw body.problem(
                    "messages", "must end with a message of the user that has a text or a file in its 'parts'");
        }
        return input;
    }

    private static List<Part> shown(Body message) {
        return SAID.of(message.objects("parts").stream()
                .filter(part -> READ.contains(part.requiredId("type"))) // others are what clients keep for themselves
                .toList());
    }

    private static String text(Body message) {
        return shown(message).stream()
                .filter(Part.Text.class::isInstance)
                .map(part -> ((Part.Text) part).text())
                .collect(Collectors.joining());
    }

    private static Optional<Part.Image> image(Body part) {
        return part.text("type").equals(Optional.of("file"))
                ? Optional.of(SentImage.of(part, "url", part))
                : Optional.empty();
    }

    /** Return the parts of a message that may answer waiting calls: decisions, and results of tools. */
    private static List<Body> partsOfAnswer(Body message) {
        return message.id("role").orElse("").equals("assistant")
                ? message.objects("parts").stream()
                        .filter(part -> ANSWERS.contains(part.id("state").orElse("")))
                        .toList()
                : List.of();
    }

    private Reply answer(Call call, String chat, List<Body> parts, ExternalTools tools) {
        Principal principal = call.principal();
        String thread = threads.of(principal, chat);
        Map<String, PendingApproval> external = results.waiting(principal, thread);
        Map<String, PendingApproval> data = data(principal, thread, parts);
        Map<PendingApproval, ApprovalAnswer> given = new LinkedHashMap<>();
        for (Body part : parts) {
            if (part.requiredId("state").equals("approval-responded")) {
                Body approval = approval(part);
                given.put(
                        answers.require(principal, approval.requiredId("id")),
                        WireAnswers.decision(principal, approval.flag("approved"), approval.text("reason")));
            } else { // results of other calls are those of the agent's tools, and of earlier answers
                String id = part.id("toolCallId").orElse("");
                Optional.ofNullable(external.get(id))
                        .ifPresent(waiting -> given.put(waiting, WireAnswers.data(principal, result(part))));
                Optional.ofNullable(data.get(id)).ifPresent(waiting -> given.put(waiting, dataOf(principal, part)));
            }
        }
        if (given.isEmpty()) {
            throw Problem.ALREADY_DECIDED.of("The message answers no call that waits.");
        }
        List<PendingApproval> waiting = List.copyOf(given.keySet());
        PendingApproval first = waiting.getFirst();
        if (!waiting.stream().allMatch(each -> each.rootRunId().equals(first.rootRunId()))) {
            throw Problem.BAD_REQUEST.of("The answers of a request must belong to one run.");
        }
        int past = suspensions(principal, first.rootRunId());
        answers.answerToRead(call, first.rootRunId(), given);
        return stream(call, first.rootRunId(), new AiSdkEncoder.From(past, waiting), tools);
    }

    /** Return the calls of the newest run of a chat that wait for data, by the calls that the chat shows; none if it gives no output. */
    private Map<String, PendingApproval> data(Principal principal, String thread, List<Body> parts) {
        Optional<RunId> run = threads.newest(principal, thread).map(RunRecord::runId);
        if (run.isEmpty()
                || parts.stream().allMatch(part -> part.requiredId("state").equals("approval-responded"))) {
            return Map.of();
        }
        List<PendingApproval> waiting = answers.waiting(principal, run.get());
        return waiting.stream().anyMatch(WaitingData::isAsked)
                ? WaitingData.byRootCall(
                        run.get(), waiting, runs.runtime(principal).history(run.get()))
                : Map.of();
    }

    private static ApprovalAnswer dataOf(Principal principal, Body part) {
        return part.requiredId("state").equals("output-error")
                ? WireAnswers.decision(principal, false, part.text("errorText"))
                : WireAnswers.data(principal, part.json("output").orElse(Json.of(null)));
    }

    private static Json result(Body part) {
        return part.requiredId("state").equals("output-error")
                ? Json.of(Map.of("error", part.text("errorText").orElse("The tool has failed.")))
                : part.json("output").orElse(Json.of(null));
    }

    private static Body approval(Body part) {
        return part.object("approval").orElseThrow(() -> part.problem("approval", "is missing"));
    }

    private int suspensions(Principal principal, RunId root) {
        return (int) runs.runtime(principal).history(root).stream()
                .filter(event ->
                        event instanceof RunEvent.RunSuspend && event.runId().equals(root))
                .count();
    }

    private Reply regenerate(Call call, Agent agent, Body body, ExternalTools tools) {
        Principal principal = call.principal();
        String thread = threads.of(principal, body.requiredId("id"));
        RunRecord run = body.id("messageId")
                .flatMap(id -> answered(id).or(() -> answering(principal, thread, body)))
                .map(id -> runs.root(principal, id.value()))
                .or(() -> threads.newest(principal, thread))
                .orElseThrow(() -> Problem.RUN_UNKNOWN.of("The chat has no answer that could be made again."));
        TenantRuntime runtime = runs.runtime(principal);
        Consumer<ForkBuilder> changes = fork -> fork.agent(agent).options(o -> o.requester(principal.id()));
        RunHandle fork = runs.state().slots().startHere(call, true, () -> runtime.fork(run.runId(), 0, changes));
        runs.root(principal, fork.runId().value())
                .threadId()
                .filter(next -> !next.equals(thread))
                .ifPresent(next -> threads.continueIn(principal, thread, next));
        return stream(call, fork.runId(), AiSdkEncoder.From.START, tools);
    }

    private Reply resume(Call call) {
        Principal principal = call.principal();
        Agent agent = runs.agent(principal, call.parameter("agent"));
        Set<String> tools = ExternalTools.of(agent, Body.of(Json.of(Map.of())), "tools", List.of())
                .names();
        String thread = threads.of(principal, call.parameter("chat"));
        Optional<RunRecord> run = threads.newest(principal, thread).filter(found -> switch (found.status()) {
            case PENDING, RUNNING -> true;
            default -> false;
        });
        return run.<Reply>map(found -> new WireStream(
                        runs.state(),
                        call,
                        WireStream.Plan.ofReader(found.runId()).withHeaders(HEADERS),
                        new AiSdkEncoder(
                                found.runId(),
                                new AiSdkEncoder.From(runs.suspensions(principal, found), List.of()),
                                tools)))
                .orElseGet(() -> Reply.empty(204));
    }

    private Reply stream(Call call, RunId run, AiSdkEncoder.From from, ExternalTools tools) {
        AiSdkEncoder encoder = new AiSdkEncoder(run, from, tools.names());
        return new WireStream(runs.state(), call, runs.plan(run).withHeaders(HEADERS), encoder);
    }
}
