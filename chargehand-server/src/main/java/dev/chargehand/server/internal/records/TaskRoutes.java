package dev.chargehand.server.internal.records;

import dev.chargehand.TenantRuntime;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.run.RunId;
import dev.chargehand.server.Principal;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.api.ServerState;
import dev.chargehand.server.internal.api.Views;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Operation;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.shape.RunShapes;
import dev.chargehand.server.internal.shape.Shape;
import dev.chargehand.store.RunRecord;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The routes of background tasks. A task is a run: its events, its result and its cancel are those of the run. */
final class TaskRoutes {

    private final ServerState state;
    private final Owners owners;

    TaskRoutes(ServerState state, Owners owners) {
        this.state = state;
        this.owners = owners;
    }

    List<Route> routes() {
        Route.Access read = Route.Access.of(Scope.RUNS_READ);
        String resource = "The owner of the thread; default: the resource of the caller.";
        return List.of(
                new Route(
                        "GET",
                        "/api/v1/tasks",
                        read,
                        "List background tasks, newest first: those of a run, of a thread, or all",
                        Operation.ok(RunShapes.TASKS)
                                .query("run", RunShapes.ID, "The run that has started them.")
                                .query("thread", RunShapes.ID, "The thread that receives their results.")
                                .query("resource", RunShapes.ID, resource)
                                .query("limit", Shape.whole(1, 200), "How many at most; default 50.")
                                .problems(Problem.RUN_UNKNOWN, Problem.THREAD_UNKNOWN),
                        this::list),
                new Route(
                        "GET",
                        "/api/v1/tasks/{id}",
                        read,
                        "Return a background task",
                        Operation.ok(RunShapes.TASK).problems(Problem.TASK_UNKNOWN),
                        this::find),
                new Route(
                        "GET",
                        "/api/v1/threads/{id}/tasks",
                        read,
                        "List the background tasks whose results a thread receives, newest first",
                        Operation.ok(RunShapes.TASKS)
                                .query("resource", RunShapes.ID, resource)
                                .query("limit", Shape.whole(1, 200), "How many at most; default 50.")
                                .problems(Problem.THREAD_UNKNOWN),
                        call -> tasks(call, ofThread(call, call.parameter("id")))));
    }

    private Reply list(Call call) {
        Optional<RunRecord> run = call.query("run").map(id -> owners.run(call.principal(), id));
        if (run.isPresent()) {
            return tasks(call, TaskFilter.of(run.get().runId()));
        }
        return tasks(call, call.query("thread").map(id -> ofThread(call, id)).orElse(TaskFilter.ALL));
    }

    private Reply tasks(Call call, TaskFilter filter) {
        Principal principal = call.principal();
        Optional<String> resource =
                Owners.resource(principal, call.query("resource").orElse(null));
        TenantRuntime runtime = state.runtime(principal);
        return Reply.ok(Map.of(
                "tasks",
                runtime.tasks(filter).stream()
                        .filter(task -> !filter.equals(TaskFilter.ALL) || isOf(runtime, resource, task))
                        .limit(call.query("limit", 1, 200, 50))
                        .map(TaskRoutes::view)
                        .toList()));
    }

    /** A task belongs to the resource of the run that has started it. */
    private static boolean isOf(TenantRuntime runtime, Optional<String> resource, Task task) {
        return resource.isEmpty()
                || runtime.findRun(task.originRunId())
                        .flatMap(run -> runtime.findRun(run.rootRunId()))
                        .flatMap(RunRecord::resourceId)
                        .equals(resource);
    }

    private TaskFilter ofThread(Call call, String thread) {
        Principal principal = call.principal();
        Optional<String> resource =
                Owners.resource(principal, call.query("resource").orElse(null));
        String id = owners.thread(principal, resource, thread);
        return state.runtime(principal)
                .threads()
                .find(Owners.owner(resource), id)
                .map(found -> TaskFilter.ofThread(found.threadId()))
                .orElseThrow(() -> Problem.THREAD_UNKNOWN.of("There is no thread with this id."));
    }

    private Reply find(Call call) {
        Principal principal = call.principal();
        TenantRuntime runtime = state.runtime(principal);
        return Reply.ok(Optional.of(call.parameter("id"))
                .filter(id -> !id.isBlank())
                .flatMap(id -> runtime.tasks(TaskFilter.attemptsOf(new RunId(id))).stream()
                        .findFirst())
                .filter(task -> runtime.findRun(task.originRunId())
                        .filter(run -> owners.owns(principal, run))
                        .isPresent())
                .map(TaskRoutes::view)
                .orElseThrow(() -> Problem.TASK_UNKNOWN.of("There is no background task with this id.")));
    }

    private static Map<String, Object> view(Task task) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", task.id().value());
        fields.put("runId", task.runId().value());
        fields.put("attempt", task.attempt());
        fields.put("agent", task.agentId());
        fields.put("status", Views.status(task.status()));
        fields.put("originRunId", task.originRunId().value());
        fields.put("originCallId", task.originCallId());
        fields.put("startedAt", task.startedAt().toString());
        fields.put("changedAt", task.changedAt().toString());
        task.readBy().ifPresent(run -> fields.put("readBy", run.value()));
        return fields;
    }
}
