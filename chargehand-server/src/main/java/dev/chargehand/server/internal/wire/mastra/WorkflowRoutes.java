package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.run.RunStatus;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.server.internal.wire.mastra.workflow.WorkflowViews;
import dev.chargehand.store.RunFilter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The routes that list workflows. */
final class WorkflowRoutes {

    private static final int MOST = 1_000;

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
                        "/api/workflows/run-counts",
                        Route.Access.of(Scope.RUNS_READ),
                        "Count the runs of workflows that have not ended, for Mastra's client",
                        this::counts),
                new Route(
                        "GET",
                        "/api/workflows/{id}",
                        read,
                        "Describe a workflow, for Mastra's client",
                        call -> Reply.ok(WorkflowViews.workflow(starts.workflow(call)))),
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
                .forEach(workflow -> workflows.put(workflow.id(), WorkflowViews.workflow(workflow)));
        return Reply.ok(workflows);
    }

    private Reply counts(Call call) {
        Map<String, Object> counts = new LinkedHashMap<>();
        runs.runtime(call.principal())
                .workflows()
                .forEach(workflow -> counts.put(
                        workflow.id(),
                        Map.of(
                                "running", count(call, workflow.id(), RunStatus.RUNNING),
                                "suspended", count(call, workflow.id(), RunStatus.SUSPENDED))));
        return Reply.ok(counts);
    }

    /** Count the caller's runs of a workflow, up to a thousand. */
    private int count(Call call, String workflow, RunStatus status) {
        RunFilter filter = RunFilter.ROOTS.agent(workflow).statuses(status).limit(MOST);
        Optional<String> resource = Owners.resource(call.principal(), null);
        return runs.runtime(call.principal())
                .runs(resource.map(filter::resource).orElse(filter))
                .size();
    }

    private Reply createRun(Call call) {
        var unused = starts.workflow(call);
        String id = call.query("runId").orElseGet(() -> UUID.randomUUID().toString());
        return Reply.ok(Map.of("runId", id));
    }
}
