package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.workflow.Entry;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.view.WorkflowPicture;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The routes that list workflows. */
final class WorkflowRoutes {

    private final WireRuns runs;
    private final WorkflowStarts starts;

    WorkflowRoutes(WireRuns runs, WorkflowStarts starts) {
        this.runs = runs;
        this.starts = starts;
    }

    List<Route> routes() {
        Route.Access read = Route.Access.of(Scope.AGENTS_READ);
        return List.of(
                new Route("GET", "/api/workflows", read, "List the workflows, for Mastra's client", this::list),
                new Route(
                        "GET",
                        "/api/workflows/{id}",
                        read,
                        "Describe a workflow, for Mastra's client",
                        call -> Reply.ok(described(starts.workflow(call)))),
                new Route(
                        "POST",
                        "/api/workflows/{id}/create-run",
                        Route.Access.of(Scope.RUNS_WRITE),
                        "Return an id for a run of a workflow, for Mastra's client",
                        this::createRun));
    }

    private Reply list(Call call) {
        Map<String, Object> workflows = new LinkedHashMap<>();
        runs.runtime(call.principal())
                .workflows()
                .forEach(workflow -> workflows.put(workflow.id(), described(workflow)));
        return Reply.ok(workflows);
    }

    private static Map<String, Object> described(Workflow<?, ?> workflow) {
        Map<String, Object> fields = new LinkedHashMap<>();
        Map<String, Object> steps = new LinkedHashMap<>();
        List<Map<String, Object>> graph = new ArrayList<>();
        for (Entry entry : workflow.entries()) {
            entry.steps().forEach(step -> steps.put(step.id(), described(step)));
            graph.add(Map.of(
                    "type", entry.steps().size() == 1 ? "step" : entry.kind(),
                    "id", entry.id(),
                    "steps", entry.steps().stream().map(Step::id).toList()));
        }
        fields.put("name", workflow.name());
        fields.put("description", workflow.description());
        fields.put("steps", steps);
        fields.put("allSteps", steps);
        fields.put("stepGraph", graph);
        fields.put("mermaid", WorkflowPicture.of(workflow).mermaid());
        fields.put("inputSchema", workflow.input().json().text()); // its client parses a text
        fields.put("outputSchema", workflow.output().json().text());
        return fields;
    }

    private static Map<String, Object> described(Step<?, ?> step) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", step.id());
        fields.put("inputSchema", step.input().json().text());
        fields.put("outputSchema", step.output().json().text());
        step.question()
                .ifPresent(schema -> fields.put("suspendSchema", schema.json().text()));
        step.answer()
                .ifPresent(schema -> fields.put("resumeSchema", schema.json().text()));
        return fields;
    }

    private Reply createRun(Call call) {
        var unused = starts.workflow(call);
        String id = call.query("runId").orElseGet(() -> UUID.randomUUID().toString());
        return Reply.ok(Map.of("runId", id));
    }
}
