package dev.chargehand.server.internal.api;

import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.TenantRuntime;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.error.StoreException;
import dev.chargehand.run.RunStatus;
import dev.chargehand.server.Principal;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.limit.Results;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Operation;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.shape.RunShapes;
import dev.chargehand.server.internal.shape.Shape;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/** The routes that read and change runs. */
final class RunRoutes {

    private static final Duration RESULT = Duration.ofSeconds(10);
    private static final int MESSAGE_LENGTH = 1024 * 1024;
    private static final int REASON_LENGTH = 2_000;
    private static final int KEY_LENGTH = 255;
    private static final int PATH_SHOWN = 100;

    private static final Shape CANCELLED = Shape.fields()
            .always("runId", RunShapes.ID)
            .always("cancelled", Shape.FLAG, "False if the run has ended before.")
            .build();

    private static final Shape CANCEL = Shape.onlyFields()
            .maybe("reason", Shape.text(REASON_LENGTH), "Why; it is part of the stop reason.")
            .named("CancelOfRun");

    private static final Shape MESSAGE = Shape.onlyFields()
            .always("input", Shape.text(MESSAGE_LENGTH))
            .maybe(
                    "key",
                    Shape.text(KEY_LENGTH),
                    "Identifies the message among those to the run, in visible ASCII characters: sent again with it, the message is delivered once.")
            .named("MessageToRun");

    private static final Shape TOLD = Shape.fields()
            .always("accepted", Shape.FLAG)
            .always("messageId", Shape.TEXT)
            .build();

    private final ServerState state;
    private final Owners owners;

    RunRoutes(ServerState state, Owners owners) {
        this.state = state;
        this.owners = owners;
    }

    List<Route> routes() {
        Route.Access read = Route.Access.of(Scope.RUNS_READ);
        Route.Access write = Route.Access.of(Scope.RUNS_WRITE);
        return List.of(
                new Route("GET", "/api/v1/runs", read, "List runs, newest first", listed(), this::list),
                new Route(
                        "GET",
                        "/api/v1/runs/{id}",
                        read,
                        "Return the record of a run",
                        one(Operation.ok(RunShapes.RUN)),
                        this::find),
                new Route(
                        "GET",
                        "/api/v1/runs/{id}/result",
                        read,
                        "Return the result of a run that has ended",
                        one(Operation.ok(RunShapes.RESULT)).problems(Problem.NOT_ENDED),
                        this::result),
                new Route(
                        "POST",
                        "/api/v1/runs/{id}/cancel",
                        write,
                        "Cancel a run",
                        one(accepted(CANCELLED)).optionalBody(CANCEL),
                        this::cancel),
                new Route(
                        "DELETE",
                        "/api/v1/runs/{id}",
                        write,
                        "Delete a run that has ended",
                        one(Operation.NONE.answer(204, new Operation.Answer("The run is deleted.", Map.of(), Map.of())))
                                .problems(Problem.NOT_ENDED),
                        this::delete),
                new Route(
                        "POST",
                        "/api/v1/runs/{id}/messages",
                        write,
                        "Send a message to a run",
                        one(accepted(TOLD)).body(MESSAGE).problems(Problem.ENDED, Problem.IDEMPOTENCY_MISMATCH),
                        this::tell),
                new Route(
                        "POST",
                        "/api/v1/runs/{id}/steps/{path}/wake",
                        write,
                        "End what a step of a workflow waits for",
                        one(accepted(RunShapes.RUN_ID)).problems(Problem.ENDED, Problem.NOT_SLEEPING),
                        this::wake),
                new Route(
                        "POST",
                        "/api/v1/runs/{id}/resume",
                        Route.Access.of(Scope.ADMIN),
                        "Resume a run that no process executes",
                        one(accepted(RunShapes.ACCEPTED))
                                .problems(Problem.DRAINING, Problem.VERSION_UNKNOWN, Problem.RUN_EXECUTED),
                        this::resume));
    }

    private static Operation listed() {
        return Operation.ok(RunShapes.RUNS)
                .query("status", Shape.TEXT, "How they stand, separated by commas.")
                .query("agent", Shape.TEXT, "The agent or workflow.")
                .query("thread", RunShapes.ID, "The thread of the resource.")
                .query("resource", RunShapes.ID, "On whose behalf; default: the resource of the caller.")
                .query("since", Shape.TIME, "Started at this time or later.")
                .query("until", Shape.TIME, "Started before this time.")
                .query("nested", Shape.words("true", "false"), "Whether nested runs are listed; default false.")
                .query("limit", Shape.whole(1, 200), "How many a page has; default 50.")
                .query("after", RunShapes.ID, "The run after which the page starts.")
                .problems(Problem.RUN_UNKNOWN);
    }

    private static Operation one(Operation operation) {
        return operation.problems(Problem.RUN_UNKNOWN);
    }

    private static Operation accepted(Shape body) {
        return Operation.NONE.answer(202, "It is stored.", body);
    }

    private Reply list(Call call) {
        Principal principal = call.principal();
        int limit = call.query("limit", 1, 200, 50);
        boolean nested = call.query("nested").filter("true"::equals).isPresent();
        RunFilter filter = (nested ? RunFilter.ALL : RunFilter.ROOTS).limit(limit + 1); // tells whether a page follows
        filter = with(filter, call.query("status"), (before, names) -> before.statuses(statuses(names)));
        filter = with(filter, call.query("agent"), RunFilter::agent);
        filter = with(filter, call.instant("since"), RunFilter::startedFrom);
        filter = with(filter, call.instant("until"), RunFilter::startedBefore);
        filter = with(
                filter,
                call.query("after"),
                (before, id) -> before.before(owners.run(principal, id).runId()));
        Optional<String> resource =
                Owners.resource(principal, call.query("resource").orElse(null));
        filter = with(filter, resource, RunFilter::resource);
        filter = with(
                filter, call.query("thread"), (before, id) -> before.thread(owners.thread(principal, resource, id)));
        List<RunRecord> found = state.runtime(principal).runs(filter);
        List<RunRecord> runs = found.subList(0, Math.min(limit, found.size()));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("runs", runs.stream().map(Views::run).toList());
        if (found.size() > limit) {
            fields.put("next", runs.getLast().runId().value());
        }
        return Reply.ok(fields);
    }

    private static <T> RunFilter with(RunFilter filter, Optional<T> value, BiFunction<RunFilter, T, RunFilter> change) {
        return value.map(given -> change.apply(filter, given)).orElse(filter);
    }

    private static RunStatus[] statuses(String names) {
        return Arrays.stream(names.split(",", -1))
                .map(name -> Arrays.stream(RunStatus.values())
                        .filter(status -> Views.status(status).equals(name))
                        .findFirst()
                        .orElseThrow(() -> Problem.BAD_REQUEST.of("The parameter 'status' must be one of "
                                + String.join(
                                        ", ",
                                        Arrays.stream(RunStatus.values())
                                                .map(Views::status)
                                                .toList())
                                + ", or several with commas.")))
                .toArray(RunStatus[]::new);
    }

    private Reply find(Call call) {
        RunRecord run = owners.run(call);
        Map<String, Object> fields = Views.run(run);
        if (run.isRoot() && !run.status().isEnded()) {
            fields.put(
                    "pending",
                    Views.approvals(
                            state.runtime(call.principal()).handle(run.runId()).pendingApprovals()));
        }
        return Reply.ok(fields);
    }

    private Reply result(Call call) {
        RunRecord run = owners.root(call);
        if (!run.status().isEnded()) {
            throw notEnded(run.status());
        }
        RunHandle handle = state.runtime(call.principal()).handle(run.runId());
        RunResult result = Results.read(handle, RESULT).orElseThrow(() -> notEnded(handle.status()));
        return Reply.ok(Views.result(result));
    }

    private static RuntimeException notEnded(RunStatus status) {
        return Problem.NOT_ENDED.of("The run has no result yet.").with("runStatus", Views.status(status));
    }

    private Reply cancel(Call call) {
        RunRecord run = owners.run(call);
        Fields body = Fields.of(call.body(), CANCEL);
        TenantRuntime runtime = state.runtime(call.principal());
        boolean cancelled = body.text("reason", REASON_LENGTH)
                .map(reason -> runtime.cancel(run.runId(), reason))
                .orElseGet(() -> runtime.cancel(run.runId()));
        return Reply.of(202, Map.of("runId", run.runId().value(), "cancelled", cancelled));
    }

    private Reply delete(Call call) {
        RunRecord run = owners.root(call);
        if (!run.status().isEnded()) {
            throw Problem.NOT_ENDED
                    .of("The run has not ended, and is not deleted; cancel it, or wait for its end.")
                    .with("runStatus", Views.status(run.status()));
        }
        if (!state.runtime(call.principal()).handle(run.runId()).delete()) {
            throw Problem.RUN_UNKNOWN.of("There is no run with this id.");
        }
        return Reply.empty(204);
    }

    private Reply tell(Call call) {
        RunRecord run = owners.run(call);
        Fields body = Fields.of(call.body(), MESSAGE);
        String input = body.text("input", MESSAGE_LENGTH).orElseThrow(() -> body.problem("input", "is missing"));
        TenantRuntime runtime = state.runtime(call.principal());
        return body.text("key", KEY_LENGTH)
                .map(key -> runtime.tell(run.runId(), input, key))
                .orElseGet(() -> runtime.tell(run.runId(), input))
                .map(id -> Reply.of(202, Map.of("accepted", true, "messageId", id)))
                .orElseThrow(() -> Problem.ENDED.of("The run has ended and receives no messages."));
    }

    private Reply wake(Call call) {
        RunRecord run = owners.root(call);
        try {
            state.runtime(call.principal()).wake(run.runId(), call.parameter("path"));
        } catch (ApprovalException e) { // its words are those of callers in Java
            throw notSleeping(call, e.kind());
        }
        return Reply.of(202, Map.of("runId", run.runId().value()));
    }

    private ProblemException notSleeping(Call call, ApprovalException.Kind kind) {
        RunStatus status = owners.root(call).status();
        if (status.isEnded()) {
            return Problem.ENDED
                    .of("The run has ended, so nothing in it waits for a time.")
                    .with("runStatus", Views.status(status));
        }
        String path = call.parameter("path");
        String shown = path.length() > PATH_SHOWN ? path.substring(0, PATH_SHOWN) + "…" : path;
        return Problem.NOT_SLEEPING.of(
                kind == ApprovalException.Kind.ALREADY_DECIDED
                        ? "What '" + shown + "' may have waited for is over."
                        : "Nothing at '" + shown + "' waits for a time. The events 'workflow-step-waiting' and "
                                + "'workflow-step-retry' of GET /api/v1/runs/{id}/events name what does; a step that asks is "
                                + "answered with POST /api/v1/approvals/{id}/answer.");
    }

    private Reply resume(Call call) {
        state.requireStarts();
        RunRecord run = owners.root(call);
        try {
            RunHandle handle = state.runtime(call.principal()).resume(run.runId(), options -> {});
            return Reply.of(202, Map.of("runId", run.runId().value(), "status", Views.status(handle.status())));
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.FENCED) {
                throw Problem.RUN_EXECUTED.of("A process executes the run, so it is not resumed; read its events,"
                        + " or cancel it. One that has died loses its runs within a minute.");
            }
            throw e;
        }
    }
}
