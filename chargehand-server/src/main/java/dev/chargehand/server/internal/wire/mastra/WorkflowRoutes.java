package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.RunHandle;
import dev.chargehand.RunOptions;
import dev.chargehand.TenantRuntime;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.api.RunKey;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.Outcome;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.view.WorkflowPicture;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The routes that list workflows and run them as a whole. Its client asks for the id of a run first and starts it then; the id is the key with
 * which a repeated start finds the same run.
 */
final class WorkflowRoutes {

    private final WireRuns runs;

    WorkflowRoutes(WireRuns runs) {
        this.runs = runs;
    }

    List<Route> routes() {
        Route.Access read = Route.Access.of(Scope.AGENTS_READ);
        Route.Access write = Route.Access.of(Scope.RUNS_WRITE);
        return List.of(
                new Route("GET", "/api/workflows", read, "List the workflows, for Mastra's client", this::list),
                new Route(
                        "GET",
                        "/api/workflows/{id}",
                        read,
                        "Describe a workflow, for Mastra's client",
                        call -> Reply.ok(described(require(call)))),
                new Route(
                        "POST",
                        "/api/workflows/{id}/create-run",
                        write,
                        "Return an id for a run of a workflow, for Mastra's client",
                        this::createRun),
                new Route(
                        "POST",
                        "/api/workflows/{id}/start-async",
                        write,
                        "Start a run of a workflow and wait for it, for Mastra's client",
                        this::start));
    }

    private Reply list(Call call) {
        Map<String, Object> workflows = new LinkedHashMap<>();
        runs.runtime(call.principal())
                .workflows()
                .forEach(workflow -> workflows.put(workflow.id(), described(workflow)));
        return Reply.ok(workflows);
    }

    private Workflow<?, ?> require(Call call) {
        return runs.runtime(call.principal()).workflows().stream()
                .filter(workflow -> workflow.id().equals(call.parameter("id")))
                .findFirst()
                .orElseThrow(() -> Problem.WORKFLOW_UNKNOWN.of("There is no workflow with this id."));
    }

    private static Map<String, Object> described(Workflow<?, ?> workflow) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", workflow.name());
        fields.put("description", workflow.description());
        fields.put("steps", Map.of());
        fields.put("allSteps", Map.of());
        fields.put("stepGraph", List.of());
        fields.put("mermaid", WorkflowPicture.of(workflow).mermaid());
        fields.put("inputSchema", workflow.input().json().text()); // its client parses a text
        fields.put("outputSchema", workflow.output().json().text());
        return fields;
    }

    private Reply createRun(Call call) {
        var unused = require(call);
        String id = call.query("runId").orElseGet(() -> UUID.randomUUID().toString());
        return Reply.ok(Map.of("runId", id));
    }

    @SuppressWarnings("unchecked") // JSON is an input of every workflow, if it fits the schema
    private Reply start(Call call) {
        runs.state().requireStarts();
        if (!call.principal().actsForAnyResource()) {
            throw Problem.NOT_ALLOWED
                    .of("A run of a workflow belongs to no resource; to start one, the caller needs the scope '"
                            + Scope.RESOURCES_ANY.text() + "'.")
                    .with("scope", Scope.RESOURCES_ANY.text());
        }
        TenantRuntime runtime = runs.runtime(call.principal());
        Workflow<Object, ?> workflow = (Workflow<Object, ?>) require(call);
        Body body = Body.of(call.body());
        Json input = body.json("inputData").orElse(Json.of(Map.of()));
        Optional<String> key = call.query("runId").map(id -> RunKey.of(call, Optional.empty(), id));
        Consumer<RunOptions.Builder> options = runs.state().workflowOptions().andThen(own -> {
            own.requester(call.principal().id());
            key.ifPresent(own::idempotencyKey);
        });
        RunHandle run = runs.state()
                .slots()
                .start(
                        call.principal(),
                        () -> runtime.start(workflow, input, options),
                        () -> runtime.enqueue(workflow, input, options));
        LastEvent last = new LastEvent(run.runId());
        runs.encode(call.principal(), run.runId(), last);
        return Reply.ok(result(last));
    }

    private static Map<String, Object> result(LastEvent events) {
        Map<String, Object> fields = new LinkedHashMap<>();
        RunEvent last = events.last();
        fields.put("runId", last.runId().value());
        fields.put("steps", Map.of());
        events.input().ifPresent(input -> fields.put("input", input));
        if (last instanceof RunEvent.RunSuspend) {
            fields.put("status", "suspended");
        } else if (Outcome.problem(last).isPresent()) {
            fields.put("status", "failed");
            fields.put("error", Map.of("message", Outcome.problem(last).get().getMessage()));
        } else {
            fields.put("status", "success");
            events.output().ifPresent(output -> fields.put("result", output));
        }
        return fields;
    }
}
