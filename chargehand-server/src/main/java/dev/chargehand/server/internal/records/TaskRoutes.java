package dev.chargehand.server.internal.records;

import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
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
        return List.of(new Route(
                "GET",
                "/api/v1/tasks",
                Route.Access.of(Scope.RUNS_READ),
                "List the background tasks of a run or a thread",
                Operation.ok(RunShapes.TASKS)
                        .query("run", RunShapes.ID, "The run that has started them.")
                        .query("thread", RunShapes.ID, "The thread that receives their results.")
                        .query(
                                "resource",
                                RunShapes.ID,
                                "The owner of the thread; default: the resource of the caller.")
                        .problems(Problem.RUN_UNKNOWN, Problem.THREAD_UNKNOWN),
                this::list));
    }

    private Reply list(Call call) {
        return Reply.ok(Map.of(
                "tasks",
                state.runtime(call.principal()).tasks(filter(call)).stream()
                        .map(TaskRoutes::view)
                        .toList()));
    }

    private TaskFilter filter(Call call) {
        Principal principal = call.principal();
        Optional<RunRecord> run = call.query("run").map(id -> owners.run(principal, id));
        if (run.isPresent()) {
            return TaskFilter.of(run.get().runId());
        }
        String thread = call.query("thread")
                .orElseThrow(() ->
                        Problem.BAD_REQUEST.of("Name the run with the parameter 'run', or the thread with 'thread'."));
        Optional<String> resource =
                Owners.resource(principal, call.query("resource").orElse(null));
        String id = owners.thread(principal, resource, thread);
        return state.runtime(principal)
                .threads()
                .find(Owners.owner(resource), id)
                .map(found -> TaskFilter.ofThread(found.threadId()))
                .orElseThrow(() -> Problem.THREAD_UNKNOWN.of("There is no thread with this id."));
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
