package dev.chargehand.server.internal.api;

import dev.chargehand.Agent;
import dev.chargehand.ForkBuilder;
import dev.chargehand.RunHandle;
import dev.chargehand.RunOptions;
import dev.chargehand.TenantRuntime;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Operation;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.shape.RunShapes;
import dev.chargehand.server.internal.shape.Shape;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.RunSummary;
import dev.chargehand.version.Version;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** The route that starts a run from a step of another. */
final class ForkRoutes {

    private static final int MESSAGE_LENGTH = 1024 * 1024;

    private static final Shape OF_AGENT = Shape.onlyFields()
            .always("afterStep", Shape.whole(0, 999_999), "The last step that is copied; 0 for the start of the run.")
            .maybe("input", RunShapes.INPUT, "Replaces the input of the source run.")
            .maybe("message", Shape.text(MESSAGE_LENGTH), "What the user says after the copied steps.")
            .maybe("agent", RunShapes.ID, "The agent that continues; default: that of the source run.")
            .maybe(
                    "model",
                    RunShapes.ID,
                    "The model that is called in place of the agent's own; one that the server offers for that.")
            .maybe("options", RunShapes.OPTIONS)
            .maybe("metadata", RunShapes.METADATA)
            .named("ForkOfAgent");

    private static final Shape OF_WORKFLOW = Shape.onlyFields()
            .always("before", Shape.text(1_000), "The entry before which the fork continues.")
            .maybe("outputs", Shape.OBJECT, "Other outputs of copied steps, by their paths.")
            .maybe("input", Shape.ANY, "Replaces the input of the source run.")
            .maybe("state", Shape.ANY, "Replaces the state of the workflow.")
            .named("ForkOfWorkflow");

    private final ServerState state;
    private final Owners owners;
    private final EventRoutes events;

    ForkRoutes(ServerState state, Owners owners, EventRoutes events) {
        this.state = state;
        this.owners = owners;
        this.events = events;
    }

    List<Route> routes() {
        Operation operation = StartRoutes.operation(Shape.anyOf(OF_AGENT, OF_WORKFLOW))
                .problems(
                        Problem.RUN_UNKNOWN,
                        Problem.TOO_MANY_RUNS,
                        Problem.AGENT_UNKNOWN,
                        Problem.WORKFLOW_UNKNOWN,
                        Problem.ROLE_NOT_ALLOWED,
                        Problem.INVALID_SCHEMA,
                        Problem.LIMIT_NOT_LOWERED,
                        Problem.VERSION_UNKNOWN,
                        Problem.VERSION_NOT_SELECTABLE,
                        Problem.MODEL_NOT_SELECTABLE,
                        Problem.THREAD_UNKNOWN,
                        Problem.THREAD_BUSY);
        return List.of(new Route(
                "POST",
                "/api/v1/runs/{id}/fork",
                Route.Access.of(Scope.RUNS_WRITE),
                "Start a run from a step of another",
                operation,
                this::fork));
    }

    private Reply fork(Call call) {
        RunRecord run = owners.root(call);
        TenantRuntime runtime = state.runtime(call.principal());
        boolean ofWorkflow =
                run.summary().map(RunSummary::kind).filter("workflow"::equals).isPresent();
        Consumer<RunOptions.Builder> identity = RunKey.options(call, run.resourceId());
        RunHandle handle = ofWorkflow ? workflow(runtime, run, call, identity) : agent(runtime, run, call, identity);
        return StartRoutes.answer(events, call, handle);
    }

    private RunHandle agent(TenantRuntime runtime, RunRecord run, Call call, Consumer<RunOptions.Builder> identity) {
        Fields body = Fields.of(call.body(), OF_AGENT);
        int afterStep = body.json("afterStep")
                .map(value -> value.text().matches("[0-9]{1,6}") ? Integer.parseInt(value.text()) : -1)
                .filter(step -> step >= 0)
                .orElseThrow(() -> body.problem("afterStep", "must be a whole number, 0 for the start of the run"));
        Optional<String> message = body.text("message", MESSAGE_LENGTH);
        Optional<Agent> other = body.text("agent").map(id -> AgentRoutes.require(runtime, id));
        Optional<String> model = body.text("model");
        model.ifPresent(this::requireSelectable);
        Agent agent = other.orElseGet(() -> AgentRoutes.require(runtime, run.agentId()));
        StartRequest request = new StartRequest(state, agent, body);
        Map<String, Version> below = new LinkedHashMap<>(request.versions());
        Optional<Version> own = Optional.ofNullable(below.remove(agent.id()));
        Optional<Version> executed = own.or(() -> run.summary()
                .filter(it -> other.isEmpty())
                .flatMap(RunSummary::version)
                .map(Version::id));
        Consumer<RunOptions.Builder> options =
                request.options(runtime, below, executed).andThen(identity);
        Consumer<ForkBuilder> changes = fork -> {
            body.json("input").ifPresent(input -> fork.input(request.input()));
            message.ifPresent(fork::addMessage);
            other.ifPresent(fork::agent);
            own.ifPresent(fork::version);
            model.ifPresent(fork::model);
            fork.options(options);
        };
        return state.slots()
                .startHere(call, StartRoutes.wantsStream(call), () -> runtime.fork(run.runId(), afterStep, changes));
    }

    private void requireSelectable(String model) {
        if (!state.choices().models().contains(model)) {
            Set<String> may = new TreeSet<>(state.choices().models());
            throw Problem.MODEL_NOT_SELECTABLE.of(
                    "Callers may select these models only: " + (may.isEmpty() ? "none" : String.join(", ", may)) + ".");
        }
    }

    private RunHandle workflow(TenantRuntime runtime, RunRecord run, Call call, Consumer<RunOptions.Builder> identity) {
        Fields body = Fields.of(call.body(), OF_WORKFLOW);
        String before = body.required("before");
        return state.slots()
                .startHere(
                        call,
                        StartRoutes.wantsStream(call),
                        () -> runtime.fork(run.runId(), fork -> {
                            fork.before(before).options(identity);
                            body.map("outputs").forEach(fork::output);
                            body.json("input").ifPresent(fork::input);
                            body.json("state").ifPresent(fork::state);
                        }));
    }
}
