package dev.chargehand.server.internal.wire.aisdk;

import dev.chargehand.Agent;
import dev.chargehand.ForkBuilder;
import dev.chargehand.RunHandle;
import dev.chargehand.TenantRuntime;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.server.Principal;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.ClientMessages;
import dev.chargehand.server.internal.wire.StartWish;
import dev.chargehand.server.internal.wire.WireAnswers;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.server.internal.wire.WireStream;
import dev.chargehand.store.RunRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The routes of chats: a request starts a run, answers waiting calls, or makes an answer again. */
final class ChatRoutes {

    private static final Map<String, String> HEADERS = Map.of("x-vercel-ai-ui-message-stream", "v1");

    private final WireRuns runs;
    private final WireAnswers answers;
    private final ChatThread threads;

    ChatRoutes(WireRuns runs) {
        this.runs = runs;
        this.answers = new WireAnswers(runs);
        this.threads = new ChatThread(runs);
    }

    List<Route> routes() {
        return List.of(
                new Route(
                        "POST",
                        "/ai-sdk/{agent}",
                        Route.Access.of(Scope.RUNS_WRITE),
                        "Start or continue a run for a chat of the AI SDK",
                        this::post),
                new Route(
                        "GET",
                        "/ai-sdk/{agent}/{chat}/stream",
                        Route.Access.of(Scope.RUNS_READ),
                        "Stream the message of a chat that is being written",
                        this::resume));
    }

    private Reply post(Call call) {
        Agent agent = runs.agent(call.principal(), call.parameter("agent"));
        Body body = Body.of(call.body());
        String chat = body.requiredId("id");
        List<Body> messages = body.objects("messages");
        List<Body> responses = messages.isEmpty() ? List.of() : responses(messages.getLast());
        return switch (body.id("trigger").orElse("submit-message")) {
            case "submit-message" -> responses.isEmpty() ? submit(call, agent, chat, body) : answer(call, responses);
            case "regenerate-message" -> regenerate(call, agent, chat, body.id("messageId"));
            default -> throw body.problem("trigger", "must be 'submit-message' or 'regenerate-message'");
        };
    }

    private Reply submit(Call call, Agent agent, String chat, Body body) {
        List<Message> input = input(body);
        StartWish wish = new StartWish(agent, input)
                .thread(Optional.of(threads.of(call.principal(), chat)))
                .keepsThread();
        RunHandle run = runs.start(call, wish);
        return stream(call, run.runId(), AiSdkEncoder.From.START);
    }

    private static List<Message> input(Body body) {
        ClientMessages messages = new ClientMessages();
        for (Body message : body.objects("messages")) {
            switch (message.requiredId("role")) {
                case "user" -> messages.user(text(message));
                case "system" -> messages.instructions(text(message));
                case "assistant" -> messages.assistant("."); // what it said is in the thread
                default -> throw message.role("Messages may have the roles 'user', 'assistant' and 'system'.");
            }
        }
        List<Message> input = messages.input(true);
        if (input.isEmpty()) {
            throw body.problem("messages", "must end with a message of the user");
        }
        return input;
    }

    private static String text(Body message) {
        StringBuilder text = new StringBuilder();
        for (Body part : message.objects("parts")) {
            switch (part.requiredId("type")) {
                case "text" -> text.append(part.text("text").orElse(""));
                case "file" -> throw part.problem("type", "must not be 'file': files are not offered");
                default -> {} // what clients keep for themselves
            }
        }
        return text.toString();
    }

    /** Return the parts of a message that answer a waiting call. */
    private static List<Body> responses(Body message) {
        if (!message.id("role").orElse("").equals("assistant")) {
            return List.of();
        }
        return message.objects("parts").stream()
                .filter(part -> part.id("state").orElse("").equals("approval-responded"))
                .toList();
    }

    private Reply answer(Call call, List<Body> responses) {
        Principal principal = call.principal();
        List<PendingApproval> waiting = new ArrayList<>();
        for (Body part : responses) {
            waiting.add(answers.require(principal, approval(part).requiredId("id")));
        }
        PendingApproval first = waiting.getFirst();
        if (!waiting.stream().allMatch(each -> each.rootRunId().equals(first.rootRunId()))) {
            throw Problem.BAD_REQUEST.of("The answers of a request must belong to one run.");
        }
        int past = suspensions(principal, first.rootRunId());
        for (int i = 0; i < responses.size(); i++) {
            Body approval = approval(responses.get(i));
            answers.answer(
                    principal,
                    waiting.get(i),
                    WireAnswers.decision(principal, approval.flag("approved"), approval.text("reason")));
        }
        return stream(call, first.rootRunId(), new AiSdkEncoder.From(past, waiting));
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

    private Reply regenerate(Call call, Agent agent, String chat, Optional<String> messageId) {
        runs.state().requireStarts();
        Principal principal = call.principal();
        String thread = threads.of(principal, chat);
        RunRecord run = messageId
                .filter(id -> id.startsWith(AiSdkEncoder.PREFIX))
                .map(id -> runs.root(principal, id.substring(AiSdkEncoder.PREFIX.length())))
                .or(() -> threads.newest(principal, thread))
                .orElseThrow(() -> Problem.RUN_UNKNOWN.of("The chat has no answer that could be made again."));
        TenantRuntime runtime = runs.runtime(principal);
        Consumer<ForkBuilder> changes = fork -> fork.agent(agent).options(o -> o.requester(principal.id()));
        RunHandle fork = runs.state().slots().startHere(principal, () -> runtime.fork(run.runId(), 0, changes));
        runs.root(principal, fork.runId().value())
                .threadId()
                .filter(next -> !next.equals(thread))
                .ifPresent(next -> threads.continueIn(principal, thread, next));
        return stream(call, fork.runId(), AiSdkEncoder.From.START);
    }

    private Reply resume(Call call) {
        Principal principal = call.principal();
        var unused = runs.agent(principal, call.parameter("agent"));
        String thread = threads.of(principal, call.parameter("chat"));
        Optional<RunRecord> run = threads.newest(principal, thread).filter(found -> switch (found.status()) {
            case PENDING, RUNNING -> true;
            default -> false;
        });
        return run.<Reply>map(found -> new WireStream(
                        runs.state(),
                        principal,
                        WireStream.Plan.ofReader(found.runId()).withHeaders(HEADERS),
                        new AiSdkEncoder(
                                found.runId(),
                                new AiSdkEncoder.From(suspensions(principal, found.runId()), List.of()))))
                .orElseGet(() -> Reply.empty(204));
    }

    private Reply stream(Call call, RunId run, AiSdkEncoder.From from) {
        return new WireStream(
                runs.state(), call.principal(), runs.plan(run).withHeaders(HEADERS), new AiSdkEncoder(run, from));
    }
}
