package dev.chargehand.server.internal.api;

import dev.chargehand.Agent;
import dev.chargehand.RunHandle;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.TenantRuntime;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunStatus;
import dev.chargehand.server.Principal;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.limit.RunSlot;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Operation;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.shape.RunShapes;
import dev.chargehand.server.internal.shape.Shape;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The routes that start runs of agents. */
public final class StartRoutes {

    private static final String APPLIED = "Preference-Applied";

    private final ServerState state;
    private final Owners owners;
    private final EventRoutes events;

    StartRoutes(ServerState state, Owners owners, EventRoutes events) {
        this.state = state;
        this.owners = owners;
        this.events = events;
    }

    List<Route> routes() {
        return List.of(
                route("/api/v1/agents/{id}/runs", "Start a run of an agent", call -> start(call, agent(call))),
                route(
                        "/api/v1/agents/{id}/network/runs",
                        "Start a run of an agent as a network",
                        call -> start(call, network(agent(call)))));
    }

    private static Route route(String template, String summary, Route.Handler handler) {
        return new Route(
                "POST",
                template,
                Route.Access.of(Scope.RUNS_WRITE),
                summary,
                operation(RunShapes.START)
                        .problems(
                                Problem.AGENT_UNKNOWN,
                                Problem.ROLE_NOT_ALLOWED,
                                Problem.INVALID_SCHEMA,
                                Problem.LIMIT_NOT_LOWERED,
                                Problem.VERSION_UNKNOWN,
                                Problem.VERSION_NOT_SELECTABLE,
                                Problem.THREAD_BUSY,
                                Problem.THREAD_UNKNOWN),
                handler);
    }

    private Agent agent(Call call) {
        return AgentRoutes.require(state.runtime(call.principal()), call.parameter("id"));
    }

    /** Return an agent as a network, which its callers decide, and not this server. */
    @SuppressWarnings("deprecation")
    public static Agent network(Agent agent) {
        return agent.asNetwork();
    }

    /** Return what is common to the routes that start runs. */
    static Operation operation(Shape request) {
        Map<String, String> headers = Map.of(
                "Location",
                "The path of the run.",
                RunKey.REPLAYED,
                "'true' if an earlier request with the key has started the run.",
                APPLIED,
                "What of 'Prefer' was used, such as 'wait=60' for a longer wait.");
        return EventRoutes.filtered(Operation.NONE)
                .header(
                        "Idempotency-Key",
                        Shape.text(255),
                        "The same key with the same body is the same run, for 24 hours.")
                .header("Prefer", Shape.TEXT, "With 'wait=60' the answer is the result, if the run ends in time.")
                .body(request)
                .answer(
                        200,
                        new Operation.Answer(
                                "The result, with 'Prefer: wait=…'; or the events, with 'Accept: text/event-stream'.",
                                Map.of("application/json", RunShapes.RESULT, "text/event-stream", Shape.TEXT),
                                headers))
                .answer(
                        202,
                        new Operation.Answer(
                                "The run is stored.", Map.of("application/json", RunShapes.ACCEPTED), headers))
                .problems(
                        Problem.RUN_UNKNOWN,
                        Problem.IDEMPOTENCY_MISMATCH,
                        Problem.TOO_MANY_RUNS,
                        Problem.TOO_MANY_STREAMS,
                        Problem.DRAINING);
    }

    /**
     * Return whether the answer to a start is the events of the run.
     *
     * @throws dev.chargehand.server.internal.route.ProblemException if no event is selected, before the run is started
     */
    static boolean wantsStream(Call call) {
        EventStream.Filter ignored = EventStream.Filter.of(call);
        return call.prefers("text/event-stream", "application/json");
    }

    private Reply start(Call call, Agent agent) {
        TenantRuntime runtime = state.runtime(call.principal());
        StartRequest request = new StartRequest(state, agent, call.body());
        List<Message> input = request.input();
        Consumer<RunOptions.Builder> options = options(call, runtime, request);
        RunHandle handle = state.slots()
                .start(
                        call,
                        new Slots.Start(
                                () -> runtime.findStarted(agent, options),
                                () -> runtime.start(agent, input, options),
                                () -> runtime.enqueue(agent, input, options),
                                wantsStream(call)));
        return answer(events, call, handle);
    }

    /** Return the answer to a start: the events of the run, its result if the caller waits for it, or its id. */
    static Reply answer(EventRoutes events, Call call, RunHandle handle) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Location", "/api/v1/runs/" + handle.runId());
        if (wantsStream(call)) {
            return events.stream(call, handle.runId(), null, headers);
        }
        Optional<Duration> wait = call.waitTime();
        wait.ifPresent(time -> headers.put(APPLIED, "wait=" + time.toSeconds())); // it may be shorter than the wish
        Optional<RunResult> ended = wait.flatMap(limit -> events.results().await(handle, limit));
        call.held().find(RunSlot.class).ifPresent(RunSlot::release); // before the client can start its next run
        return ended.map(result -> Reply.of(200, Views.result(result), headers))
                .orElseGet(() -> Reply.of(202, accepted(handle), headers));
    }

    private Consumer<RunOptions.Builder> options(Call call, TenantRuntime runtime, StartRequest request) {
        Principal principal = call.principal();
        Optional<String> resource =
                Owners.resource(principal, request.resource().orElse(null));
        Optional<String> key = RunKey.of(call, resource);
        Optional<String> thread = request.thread()
                .map(id -> owners.thread(principal, resource, id))
                .or(() -> resource.map(owner -> minted(principal, owner, key)));
        Consumer<RunOptions.Builder> own = request.options(runtime).andThen(RunKey.options(call, resource));
        return options -> {
            own.accept(options);
            thread.ifPresent(options::thread);
            thread.flatMap(id -> resource).ifPresent(options::resource);
        };
    }

    /** Return a thread for a run whose caller names none, so that the run belongs to the resource. */
    private static String minted(Principal principal, String resource, Optional<String> key) {
        String id = key.orElseGet(() -> java.util.UUID.randomUUID().toString());
        return Owners.mapped(principal, Optional.of(resource), "run of " + id);
    }

    private static Map<String, Object> accepted(RunHandle handle) {
        Map<String, Object> fields = new LinkedHashMap<>();
        RunStatus status = handle.status();
        fields.put("runId", handle.runId().value());
        fields.put("status", Views.status(status));
        if (status == RunStatus.SUSPENDED) {
            fields.put("pending", Views.approvals(handle.pendingApprovals()));
        }
        return fields;
    }
}
