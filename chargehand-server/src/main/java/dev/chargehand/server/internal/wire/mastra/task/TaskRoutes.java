package dev.chargehand.server.internal.wire.mastra.task;

import dev.chargehand.TenantRuntime;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.server.internal.wire.mastra.memory.CallerThreads;
import dev.chargehand.server.internal.wire.mastra.memory.ListQuery;
import dev.chargehand.store.RunRecord;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** The routes of background tasks. A task belongs to the resource of the run that has started it. */
public final class TaskRoutes {

    private static final int MOST = 1_000;

    private final WireRuns runs;
    private final CallerThreads threads;

    /** Make it. */
    public TaskRoutes(WireRuns runs, CallerThreads threads) {
        this.runs = runs;
        this.threads = threads;
    }

    /** Return the routes. */
    public List<Route> routes() {
        Route.Access read = Route.Access.of(Scope.RUNS_READ);
        return List.of(
                new Route(
                        "GET", "/api/background-tasks", read, "List background tasks, for Mastra's client", this::list),
                new Route(
                        "GET",
                        "/api/background-tasks/{id}",
                        read,
                        "Return a background task, for Mastra's client",
                        this::find));
    }

    private Reply list(Call call) {
        ListQuery.Page page = ListQuery.Page.of(call, 100, MOST);
        List<TaskView> found = selected(call).stream()
                .flatMap(task -> view(call, task).stream())
                .filter(wanted(call))
                .sorted(order(call))
                .toList();
        Map<RunId, Map<String, RunEvent.ToolCall>> calls = new HashMap<>();
        Optional<String> tool = call.query("toolName");
        List<TaskView> named = found.stream()
                .filter(view -> tool.isEmpty()
                        || tool.get().equals(fields(call, view, calls).get("toolName")))
                .toList();
        return Reply.ok(Map.of(
                "tasks",
                page.of(named).stream().map(view -> whole(call, view, calls)).toList(),
                "total",
                named.size()));
    }

    private Reply find(Call call) {
        return Reply.ok(Optional.of(call.parameter("id"))
                .filter(id -> !id.isBlank())
                .flatMap(id -> runtime(call).tasks(TaskFilter.attemptsOf(new RunId(id))).stream()
                        .findFirst())
                .flatMap(task -> view(call, task))
                .map(view -> whole(call, view, new HashMap<>()))
                .orElseThrow(() -> Problem.TASK_UNKNOWN.of("There is no background task with this id.")));
    }

    private TenantRuntime runtime(Call call) {
        return runs.runtime(call.principal());
    }

    /** Return the tasks of the run or the thread that a query names, or all. */
    private List<Task> selected(Call call) {
        Optional<TaskFilter> ofRun =
                call.query("runId").filter(id -> !id.isBlank()).map(id -> TaskFilter.of(new RunId(id)));
        return runtime(call)
                .tasks(ofRun.or(() -> call.query("threadId")
                                .map(id ->
                                        TaskFilter.ofThread(threads.storedId(call, CallerThreads.resource(call), id))))
                        .orElse(TaskFilter.ALL));
    }

    /** Return a task with its runs; empty if the caller does not own them. */
    private Optional<TaskView> view(Call call, Task task) {
        TenantRuntime runtime = runtime(call);
        Optional<RunRecord> origin = runtime.findRun(task.originRunId());
        return origin.flatMap(run -> runtime.findRun(run.rootRunId()))
                .filter(root -> runs.owners().owns(call.principal(), root))
                .map(root -> new TaskView(task, origin.orElseThrow(), root));
    }

    private static Predicate<TaskView> wanted(Call call) {
        Optional<String> resource =
                Owners.resource(call.principal(), call.query("resourceId").orElse(null));
        Optional<Instant> from = ListQuery.time(call, "fromDate");
        Optional<Instant> to = ListQuery.time(call, "toDate");
        Function<TaskView, Optional<Instant>> time = time(call, "dateFilterBy");
        Predicate<TaskView> inTime = view -> (from.isEmpty() && to.isEmpty())
                || time.apply(view)
                        .filter(it -> !it.isBefore(from.orElse(Instant.MIN)) && !it.isAfter(to.orElse(Instant.MAX)))
                        .isPresent();
        return inTime.and(view -> resource.isEmpty() || view.root().resourceId().equals(resource))
                .and(has(call, "agentId", view -> view.origin().agentId()))
                .and(has(call, "status", TaskView::status))
                .and(has(call, "toolCallId", view -> view.task().originCallId()));
    }

    private static Predicate<TaskView> has(Call call, String parameter, Function<TaskView, String> value) {
        Optional<String> wanted = call.query(parameter);
        return view -> wanted.isEmpty() || wanted.get().equals(value.apply(view));
    }

    private static Comparator<TaskView> order(Call call) {
        Function<TaskView, Optional<Instant>> time = time(call, "orderBy");
        Comparator<TaskView> ascending =
                Comparator.comparing(view -> time.apply(view).orElse(Instant.MAX));
        return switch (call.query("orderDirection").orElse("desc")) {
            case "asc" -> ascending;
            case "desc" -> ascending.reversed();
            default -> throw Problem.BAD_REQUEST.of("The parameter 'orderDirection' must be 'asc' or 'desc'.");
        };
    }

    /** Return which time of tasks a parameter names; the time at which a task started to wait is not known. */
    private static Function<TaskView, Optional<Instant>> time(Call call, String parameter) {
        return switch (call.query(parameter).orElse("createdAt")) {
            case "createdAt", "startedAt" -> view -> Optional.of(view.task().startedAt());
            case "completedAt" -> TaskView::completedAt;
            default ->
                throw Problem.BAD_REQUEST.of(
                        "The parameter '" + parameter + "' must be 'createdAt', 'startedAt' or 'completedAt'.");
        };
    }

    /** Return what the client reads of a task; the calls of each root run are read once. */
    private Map<String, Object> fields(Call call, TaskView view, Map<RunId, Map<String, RunEvent.ToolCall>> calls) {
        RunId root = view.root().runId();
        Map<String, RunEvent.ToolCall> ofRoot = calls.computeIfAbsent(root, id -> calls(call, id));
        Optional<String> thread =
                view.root().threadId().map(id -> threads.idOf(call, view.root().resourceId(), id));
        return view.fields(Optional.ofNullable(ofRoot.get(view.task().originCallId())), thread);
    }

    /** Return the fields of a task that is shown, with its result or why it has none, as far as the store still has them. */
    private Map<String, Object> whole(Call call, TaskView view, Map<RunId, Map<String, RunEvent.ToolCall>> calls) {
        Map<String, Object> fields = fields(call, view, calls);
        if (view.completedAt().isPresent()) {
            end(call, view.task().id()).ifPresent(end -> fields.putAll(TaskView.outcome(end)));
        }
        return fields;
    }

    private Optional<RunEvent.RunFinish> end(Call call, RunId task) {
        try {
            return runtime(call).history(task).stream()
                    .filter(event -> event.runId().equals(task))
                    .filter(RunEvent.RunFinish.class::isInstance)
                    .map(RunEvent.RunFinish.class::cast)
                    .findFirst();
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.NOT_FOUND) {
                return Optional.empty(); // it was deleted just now
            }
            throw e;
        }
    }

    private Map<String, RunEvent.ToolCall> calls(Call call, RunId root) {
        Map<String, RunEvent.ToolCall> calls = new HashMap<>();
        runtime(call).history(root).forEach(event -> {
            if (event instanceof RunEvent.ToolCall made) {
                calls.put(made.callId(), made);
            }
        });
        return calls;
    }
}
