package dev.chargehand.server.internal.api;

import dev.chargehand.RunHandle;
import dev.chargehand.RunOptions;
import dev.chargehand.TenantRuntime;
import dev.chargehand.json.Json;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Operation;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.shape.ApiShapes;
import dev.chargehand.server.internal.shape.RunShapes;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.view.WorkflowPicture;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The routes of workflows. */
final class WorkflowRoutes {

    private final ServerState state;
    private final EventRoutes events;

    WorkflowRoutes(ServerState state, EventRoutes events) {
        this.state = state;
        this.events = events;
    }

    List<Route> routes() {
        Route.Access read = Route.Access.of(Scope.AGENTS_READ);
        return List.of(
                new Route(
                        "GET",
                        "/api/v1/workflows",
                        read,
                        "List the workflows",
                        Operation.ok(ApiShapes.WORKFLOWS),
                        this::list),
                new Route(
                        "GET",
                        "/api/v1/workflows/{id}",
                        read,
                        "Describe and draw a workflow",
                        Operation.ok(ApiShapes.WORKFLOW_DETAILS).problems(Problem.WORKFLOW_UNKNOWN),
                        this::describe),
                new Route(
                        "POST",
                        "/api/v1/workflows/{id}/runs",
                        Route.Access.of(Scope.RUNS_WRITE),
                        "Start a run of a workflow",
                        StartRoutes.operation(RunShapes.START_WORKFLOW)
                                .problems(Problem.WORKFLOW_UNKNOWN, Problem.VERSION_NOT_SELECTABLE),
                        this::start));
    }

    private Reply list(Call call) {
        return Reply.ok(Map.of(
                "workflows",
                state.runtime(call.principal()).workflows().stream()
                        .map(WorkflowRoutes::view)
                        .toList()));
    }

    private Reply describe(Call call) {
        Workflow<?, ?> workflow = require(state.runtime(call.principal()), call.parameter("id"));
        Map<String, Object> fields = view(workflow);
        fields.put("input", workflow.input().json());
        fields.put("output", workflow.output().json());
        fields.put("mermaid", WorkflowPicture.of(workflow).mermaid());
        return Reply.ok(fields);
    }

    private static Map<String, Object> view(Workflow<?, ?> workflow) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", workflow.id());
        fields.put("name", workflow.name());
        fields.put("description", workflow.description());
        fields.put("version", workflow.version());
        return fields;
    }

    private static Workflow<?, ?> require(TenantRuntime runtime, String id) {
        return runtime.workflows().stream()
                .filter(workflow -> workflow.id().equals(id))
                .findFirst()
                .orElseThrow(() -> Problem.WORKFLOW_UNKNOWN.of("There is no workflow with this id."));
    }

    private Reply start(Call call) {
        TenantRuntime runtime = state.runtime(call.principal());
        Workflow<?, ?> workflow = require(runtime, call.parameter("id"));
        Fields body = Fields.of(call.body(), RunShapes.START_WORKFLOW);
        Json input = body.json("input").orElseThrow(() -> body.problem("input", "is missing"));
        Optional<String> resource =
                Owners.resource(call.principal(), body.text("resource").orElse(null));
        Consumer<RunOptions.Builder> options = state.workflowOptions()
                .andThen(StartRequest.ofWorkflow(state, body))
                .andThen(RunKey.options(call, resource))
                .andThen(own -> resource.ifPresent(own::resource));
        RunHandle handle = start(runtime, workflow, input, call, options);
        return StartRoutes.answer(events, call, handle);
    }

    @SuppressWarnings("unchecked") // JSON is an input of every workflow, if it fits the schema
    private RunHandle start(
            TenantRuntime runtime,
            Workflow<?, ?> workflow,
            Json input,
            Call call,
            Consumer<RunOptions.Builder> options) {
        Workflow<Object, ?> any = (Workflow<Object, ?>) workflow;
        return state.slots()
                .start(
                        call,
                        new Slots.Start(
                                () -> runtime.findStarted(any, options),
                                () -> runtime.start(any, input, options),
                                () -> runtime.enqueue(any, input, options),
                                StartRoutes.wantsStream(call)));
    }
}
