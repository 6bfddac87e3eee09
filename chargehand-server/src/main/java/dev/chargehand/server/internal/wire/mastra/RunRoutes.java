package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.Agent;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.server.Principal;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.ClientResults;
import dev.chargehand.server.internal.wire.Encoder;
import dev.chargehand.server.internal.wire.ExternalCalls;
import dev.chargehand.server.internal.wire.FinishReasons;
import dev.chargehand.server.internal.wire.Outcome;
import dev.chargehand.server.internal.wire.RootCalls;
import dev.chargehand.server.internal.wire.StartWish;
import dev.chargehand.server.internal.wire.WireAnswers;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.server.internal.wire.WireStream;
import dev.chargehand.server.internal.wire.mastra.memory.CallerThreads;
import dev.chargehand.server.internal.wire.mastra.memory.ListQuery;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.RunSummary;
import dev.chargehand.thread.ThreadChange;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The routes that start runs of agents and answer their calls. Each has a form that streams and one that waits. */
final class RunRoutes {

    private static final int MOST = 1_000;

    private final WireRuns runs;
    private final WireAnswers answers;
    private final CallerThreads threads;
    private final ClientResults results;

    RunRoutes(WireRuns runs, CallerThreads threads) {
        this.runs = runs;
        this.threads = threads;
        this.results = new ClientResults(runs);
        this.answers = new WireAnswers(runs);
    }

    List<Route> routes() {
        return List.of(
                post("generate", "Start a run and wait for it", call -> whole(call, start(call))),
                post("stream", "Start a run and stream it", this::startStream),
                post("stream-until-idle", "Start a run and stream it until it ends", this::startStream),
                post("network", "Start a run as a network and stream it", this::network),
                post("approve-network-tool-call", "Approve a call of a network", call -> streamAnswer(call, true)),
                post("decline-network-tool-call", "Decline a call of a network", call -> streamAnswer(call, false)),
                post("approve-tool-call", "Approve a call", call -> streamAnswer(call, true)),
                post("decline-tool-call", "Decline a call", call -> streamAnswer(call, false)),
                post("approve-tool-call-generate", "Approve a call and wait", call -> wholeAnswer(call, true)),
                post("decline-tool-call-generate", "Decline a call and wait", call -> wholeAnswer(call, false)),
                post("resume-stream", "Give a call its data", this::resume),
                post("resume-stream-until-idle", "Give a call its data, until the run ends", this::resume),
                new Route(
                        "POST",
                        "/api/agents/{id}/observe",
                        Route.Access.of(Scope.RUNS_READ),
                        "Stream a run, for Mastra's client",
                        this::observe),
                new Route(
                        "POST",
                        "/api/agents/{id}/recover",
                        Route.Access.of(Scope.ADMIN),
                        "Resume a run that no process executes, and stream it, for Mastra's client",
                        this::recover),
                new Route(
                        "GET",
                        "/api/agents/{id}/suspended-runs",
                        Route.Access.of(Scope.RUNS_READ),
                        "List the runs that wait, for Mastra's client",
                        this::suspended));
    }

    private static Route post(String name, String summary, Route.Handler handler) {
        return new Route(
                "POST",
                "/api/agents/{id}/" + name,
                Route.Access.of(Scope.RUNS_WRITE),
                summary + ", for Mastra's client",
                handler);
    }

    /**
     * A run that a request has started, with its messages, or that it has continued by answering calls.
     *
     * @param before the run as it was before the answers; a run that has just started may not be stored yet
     */
    private record Started(
            RunId root, Optional<RunRecord> before, List<PendingApproval> answered, List<Message> asked) {

        private static Started continued(ClientResults.Answered run) {
            return new Started(run.root(), run.before(), run.calls(), List.of());
        }
    }

    /** Start a run, or continue the one that waits for the results with which the messages end. */
    private Started start(Call call) {
        Principal principal = call.principal();
        Agent agent = runs.agent(principal, call.parameter("id"));
        StartBody body = StartBody.of(call.body());
        Map<String, Json> given = body.results();
        if (!given.isEmpty()) {
            return Started.continued(results.answer(call, body.thread(runs, principal), agent.id(), given));
        }
        StartWish wish = body.wish(runs, principal, agent);
        return new Started(start(call, body, wish), Optional.empty(), List.of(), wish.input());
    }

    private RunId start(Call call, StartBody body, StartWish wish) {
        Consumer<ThreadChange> values = body.threadValues(); // all is checked before the run starts
        RunId root = runs.start(call, wish).runId();
        body.keepThread(call, wish, threads, values);
        return root;
    }

    private Reply network(Call call) {
        Principal principal = call.principal();
        Agent agent = runs.agent(principal, call.parameter("id"));
        StartBody body = StartBody.of(call.body());
        StartWish wish = body.wish(runs, principal, agent).network(true);
        RunId root = start(call, body, wish);
        return stream(
                call,
                root,
                new NetworkEncoder(root, List.of(), wish.input().getLast().text()));
    }

    private Reply startStream(Call call) {
        return stream(call, start(call));
    }

    private Reply stream(Call call, Started run) {
        Encoder encoder = run.before()
                .filter(RunRoutes::isNetwork)
                .<Encoder>map(before -> new NetworkEncoder(run.root(), run.answered(), task(before)))
                .orElseGet(() -> new MastraEncoder(run.root(), run.answered(), run.asked()));
        return stream(call, run.root(), encoder);
    }

    private Reply stream(Call call, RunId root, Encoder encoder) {
        return new WireStream(runs.state(), call, runs.plan(root), encoder);
    }

    /** Return what a stored run is to do, as far as its summary has it. */
    static String task(RunRecord run) {
        return run.summary().map(RunSummary::firstWords).orElse("");
    }

    private static boolean isNetwork(RunRecord run) {
        return run.summary().filter(it -> it.kind().equals("network")).isPresent();
    }

    /** Stream a run from its start, or after the chunks that the client has. */
    private Reply observe(Call call) {
        return observe(
                call, named(call), Body.of(call.body()).number("offset", 0).orElse(0));
    }

    /** Resume a run that its process has left, and stream it; one that is executed, or waits, is streamed only. */
    private Reply recover(Call call) {
        runs.state().requireStarts();
        RunRecord run = named(call);
        if (run.status().isEnded()) {
            throw Problem.ENDED.of("The run has ended; observe it.");
        }
        var unused = runs.runtime(call.principal()).resume(run.runId(), options -> {});
        return observe(call, run, 0);
    }

    private RunRecord named(Call call) {
        Principal principal = call.principal();
        Agent agent = runs.agent(principal, call.parameter("id"));
        RunRecord run = runs.root(principal, runId(call, agent));
        if (!run.agentId().equals(agent.id())) {
            throw Problem.RUN_UNKNOWN.of("There is no run with this id.");
        }
        return run;
    }

    /** Return the id of the run that a request names by its id or by that which the client gave it. */
    private String runId(Call call, Agent agent) {
        return runs.idOf(call, agent, StartBody.RUN, Body.of(call.body()).requiredId("runId"));
    }

    private Reply observe(Call call, RunRecord run, int offset) {
        int past = runs.suspensions(call.principal(), run);
        Encoder encoder = isNetwork(run)
                ? NetworkEncoder.observing(run.runId(), task(run), past, offset)
                : MastraEncoder.observing(run.runId(), past, offset);
        return new WireStream(runs.state(), call, WireStream.Plan.ofReader(run.runId()), encoder);
    }

    private Reply whole(Call call, Started run) {
        RunId root = run.root();
        MastraEncoder encoder = new MastraEncoder(root, run.answered(), run.asked());
        runs.encode(call, root, encoder);
        RunEvent last = encoder.last();
        if (last instanceof RunEvent.RunSuspend suspend && ExternalCalls.areIn(suspend)) {
            Map<String, Object> fields = fields(encoder, root);
            fields.put("text", "");
            fields.put("finishReason", "tool-calls");
            fields.put("toolCalls", Chunks.external(root, suspend));
            usage(fields, suspend.totalUsage());
            fields.put("response", Map.of("messages", List.of()));
            return Reply.ok(fields);
        }
        if (last instanceof RunEvent.RunSuspend suspend) {
            return Reply.ok(waiting(call.principal(), encoder, suspend));
        }
        if (!(last instanceof RunEvent.RunFinish finish)) {
            throw Outcome.released(root);
        }
        Outcome.problem(finish).ifPresent(problem -> {
            throw problem;
        });
        return Reply.ok(result(encoder, finish));
    }

    private Map<String, Object> result(MastraEncoder encoder, RunEvent.RunFinish finish) {
        Map<String, Object> fields = fields(encoder, finish.runId());
        fields.put("text", finish.text());
        fields.put("finishReason", FinishReasons.of(finish.stopReason()));
        fields.put("stopReason", finish.stopReason().code());
        usage(fields, finish.totalUsage());
        return fields;
    }

    private Map<String, Object> waiting(Principal principal, MastraEncoder encoder, RunEvent.RunSuspend suspend) {
        Map<String, Object> fields = fields(encoder, suspend.runId());
        fields.put("text", "");
        fields.put("finishReason", "suspended");
        usage(fields, suspend.totalUsage());
        RootCalls callers = callers(principal, suspend.runId());
        suspend.pending().stream()
                .findFirst()
                .ifPresent(pending -> fields.put(
                        "suspendPayload",
                        Chunks.waiting(pending, callers.of(pending.runId()).orElse(pending.callId()))));
        return fields;
    }

    private static Map<String, Object> fields(MastraEncoder encoder, RunId run) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("runId", run.value());
        fields.put("toolCalls", encoder.calls());
        fields.putAll(encoder.answer());
        return fields;
    }

    private static void usage(Map<String, Object> fields, Usage usage) {
        fields.put("usage", Chunks.usage(usage));
        fields.put("totalUsage", Chunks.usage(usage));
    }

    private RootCalls callers(Principal principal, RunId root) {
        RootCalls callers = new RootCalls(root);
        runs.runtime(principal).history(root).forEach(callers::note);
        return callers;
    }

    private Reply streamAnswer(Call call, boolean approved) {
        return stream(call, decide(call, approved));
    }

    private Reply wholeAnswer(Call call, boolean approved) {
        return whole(call, decide(call, approved));
    }

    private Started decide(Call call, boolean approved) {
        PendingApproval pending = pending(call);
        Optional<String> reason = Body.of(call.body()).text("reason");
        return answer(call, pending, WireAnswers.decision(call.principal(), approved, reason));
    }

    private Reply resume(Call call) {
        PendingApproval pending = pending(call);
        Body body = Body.of(call.body());
        Json data = body.json("resumeData").orElseThrow(() -> body.problem("resumeData", "is missing"));
        ApprovalAnswer answer = pending.kind() == PendingApproval.Kind.DATA
                ? WireAnswers.data(call.principal(), data)
                : WireAnswers.decision(
                        call.principal(), body.object("resumeData").orElseThrow());
        return stream(call, answer(call, pending, answer));
    }

    private Started answer(Call call, PendingApproval pending, ApprovalAnswer answer) {
        RunRecord before = answers.answerToRead(call, pending.rootRunId(), Map.of(pending, answer));
        return Started.continued(ClientResults.Answered.continued(before, List.of(pending)));
    }

    /** Find the waiting call that a request names: by the run that makes it or the root run, and by its id or that of the delegation. */
    private PendingApproval pending(Call call) {
        Principal principal = call.principal();
        Agent agent = runs.agent(principal, call.parameter("id"));
        Body body = Body.of(call.body());
        RunRecord run = runs.owners().run(principal, runId(call, agent));
        Optional<String> callId = body.id("toolCallId");
        RootCalls callers = callers(principal, run.rootRunId());
        List<PendingApproval> found = answers.waiting(principal, run.rootRunId()).stream()
                .filter(pending -> run.isRoot() || pending.runId().equals(run.runId()))
                .filter(pending -> callId.isEmpty()
                        || callId.get().equals(pending.callId())
                        || callId.equals(callers.of(pending.runId())))
                .toList();
        if (found.isEmpty()) {
            throw Problem.ALREADY_DECIDED.of("The call waits for no answer, or was answered before.");
        }
        if (callId.isEmpty() && found.size() > 1) {
            throw body.problem("toolCallId", "is missing: several calls wait");
        }
        return found.getFirst();
    }

    private Reply suspended(Call call) {
        Principal principal = call.principal();
        Agent agent = runs.agent(principal, call.parameter("id"));
        int perPage = call.query("perPage", 1, MOST, 100);
        int page = call.query("page", 0, MOST, 0);
        RunFilter filter =
                RunFilter.ROOTS.statuses(RunStatus.SUSPENDED).agent(agent.id()).limit(MOST);
        Optional<String> resource =
                Owners.resource(principal, call.query("resourceId").orElse(null));
        filter = resource.isPresent() ? filter.resource(resource.get()) : filter;
        Optional<String> thread = call.query("threadId").map(id -> threads.storedId(call, resource, id));
        filter = thread.isPresent() ? filter.thread(thread.get()) : filter;
        Instant from = ListQuery.time(call, "fromDate").orElse(Instant.MIN);
        Instant to = ListQuery.time(call, "toDate").orElse(Instant.MAX);
        List<RunRecord> found = runs.runtime(principal).runs(filter).stream()
                .filter(run ->
                        !run.updatedAt().isBefore(from) && !run.updatedAt().isAfter(to))
                .toList();
        return Reply.ok(Map.of(
                "runs",
                found.stream()
                        .skip((long) page * perPage)
                        .limit(perPage)
                        .map(run -> suspended(call, run))
                        .toList(),
                "total",
                found.size()));
    }

    private Map<String, Object> suspended(Call call, RunRecord run) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("runId", run.runId().value());
        fields.put("agentId", run.agentId());
        fields.put("status", "suspended");
        run.threadId().ifPresent(id -> fields.put("threadId", threads.idOf(call, run.resourceId(), id)));
        run.resourceId().ifPresent(id -> fields.put("resourceId", id));
        fields.put("suspendedAt", run.updatedAt().toString());
        fields.put(
                "toolCalls",
                answers.waiting(call.principal(), run.runId()).stream()
                        .map(pending -> {
                            Map<String, Object> waiting = Chunks.waiting(pending, pending.callId());
                            waiting.put(
                                    "requiresApproval",
                                    !pending.isExternal() && pending.kind() != PendingApproval.Kind.DATA);
                            return waiting;
                        })
                        .toList());
        return fields;
    }
}
