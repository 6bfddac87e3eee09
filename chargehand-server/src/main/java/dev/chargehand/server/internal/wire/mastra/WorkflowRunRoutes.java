package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.WireAnswers;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.server.internal.wire.WireStream;
import dev.chargehand.server.internal.wire.mastra.workflow.RunViews;
import dev.chargehand.server.internal.wire.mastra.workflow.StepPlaces;
import dev.chargehand.server.internal.wire.mastra.workflow.WorkflowState;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.workflow.Workflow;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** The routes that run workflows, answer their steps, and read their runs. Most have a form that streams, one that waits, and one that does not. */
final class WorkflowRunRoutes {

    /** The client reads records between separators; an empty one is no record. */
    private static final String HEARTBEAT = "\u001e";

    private static final int MOST_RUNS = 200;

    /** A store returns no more runs. */
    private static final int MOST_AT_ONCE = 1_000;

    private final WireRuns runs;
    private final WorkflowStarts starts;
    private final WorkflowForks forks;
    private final WireAnswers answers;

    WorkflowRunRoutes(WireRuns runs, WorkflowStarts starts) {
        this.runs = runs;
        this.starts = starts;
        this.forks = new WorkflowForks(runs, starts);
        this.answers = new WireAnswers(runs);
    }

    /** A run that a request has answered. */
    private record Answered(RunId root, int past) {}

    List<Route> routes() {
        return List.of(
                post(
                        "start",
                        "Start a run of a workflow",
                        call -> started(starts.start(call, false), "Workflow run started")),
                post("start-async", "Start a run of a workflow and wait for it", call -> {
                    RunId root = starts.start(call, true);
                    return whole(call, root, fromStart(call, root));
                }),
                post("stream", "Start a run of a workflow and stream it", call -> {
                    RunId root = starts.start(call, true);
                    return stream(call, runs.plan(root), fromStart(call, root));
                }),
                post("resume", "Answer a step", call -> started(answer(call).root(), "Workflow run resumed")),
                post(
                        "resume-no-wait",
                        "Answer a step",
                        call -> started(answer(call).root(), "Workflow run resumed")),
                post("resume-async", "Answer a step and wait for the run", call -> {
                    Answered answered = answerToRead(call);
                    return whole(call, answered.root(), afterAnswer(call, answered));
                }),
                post("resume-stream", "Answer a step and stream the run", call -> {
                    Answered answered = answerToRead(call);
                    return stream(call, runs.plan(answered.root()), afterAnswer(call, answered));
                }),
                post(
                        "time-travel",
                        "Repeat a run from a step on",
                        call -> started(forks.fork(call, false), "Workflow run time travel started")),
                post("time-travel-async", "Repeat a run from a step on, and wait for it", call -> {
                    RunId root = forks.fork(call, true);
                    return whole(call, root, fromStart(call, root));
                }),
                post("time-travel-stream", "Repeat a run from a step on, and stream it", call -> {
                    RunId root = forks.fork(call, true);
                    return stream(call, runs.plan(root), fromStart(call, root));
                }),
                route(
                        "POST",
                        "restart",
                        Scope.ADMIN,
                        "Resume a run that no process executes",
                        call -> started(restart(call).runId(), "Workflow run restarted")),
                route(
                        "POST",
                        "restart-async",
                        Scope.ADMIN,
                        "Resume a run that no process executes, and wait for it",
                        call -> {
                            runs.reserveReader(call, active(call).runId());
                            RunRecord run = restart(call);
                            return whole(call, run.runId(), observing(call, run, 0));
                        }),
                route("POST", "observe", Scope.RUNS_READ, "Stream a run of a workflow", this::observe),
                route("GET", "runs", Scope.RUNS_READ, "List runs of a workflow", this::list),
                route("GET", "runs/{run}", Scope.RUNS_READ, "Return a run of a workflow", this::find),
                route(
                        "DELETE",
                        "runs/{run}",
                        Scope.RUNS_WRITE,
                        "Delete a run of a workflow that has ended",
                        this::delete),
                post("runs/{run}/cancel", "Cancel a run of a workflow", this::cancel));
    }

    private static Route post(String name, String summary, Route.Handler handler) {
        return route("POST", name, Scope.RUNS_WRITE, summary, handler);
    }

    private static Route route(String method, String name, Scope scope, String summary, Route.Handler handler) {
        return new Route(
                method,
                "/api/workflows/{id}/" + name,
                Route.Access.of(scope),
                summary + ", for Mastra's client",
                handler);
    }

    private static Reply started(RunId run, String message) {
        return Reply.ok(Map.of("message", message, "runId", run.value()));
    }

    private Reply whole(Call call, RunId root, WorkflowEncoder encoder) {
        runs.encode(call, root, encoder);
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("runId", encoder.last().runId().value());
        fields.putAll(RunViews.result(encoder.state(), starts.workflow(call)));
        return Reply.ok(fields);
    }

    private Reply stream(Call call, WireStream.Plan plan, WorkflowEncoder encoder) {
        Map<String, String> headers = Map.of("Content-Type", "text/plain; charset=utf-8");
        return new WireStream(runs.state(), call, plan.withHeaders(headers).withHeartbeat(HEARTBEAT), encoder);
    }

    private Reply observe(Call call) {
        RunRecord run = starts.require(call);
        int offset = call.query("offset", 0, Integer.MAX_VALUE, 0);
        return stream(call, WireStream.Plan.ofReader(run.runId()), observing(call, run, offset));
    }

    private WorkflowEncoder observing(Call call, RunRecord run, int offset) {
        return WorkflowEncoder.observing(run.runId(), places(call), suspensions(call, run, true), offset);
    }

    private WorkflowEncoder fromStart(Call call, RunId root) {
        return WorkflowEncoder.fromStart(root, places(call));
    }

    private WorkflowEncoder afterAnswer(Call call, Answered answered) {
        return WorkflowEncoder.afterAnswer(answered.root(), places(call), answered.past());
    }

    private StepPlaces places(Call call) {
        return StepPlaces.of(starts.workflow(call));
    }

    private RunRecord active(Call call) {
        RunRecord run = starts.require(call);
        if (run.status().isEnded()) {
            throw Problem.ENDED.of(
                    "The run has ended. Repeat it from one of its steps on: travel in time to the step.");
        }
        return run;
    }

    /** Resume a run that its process has left; one that is executed here, or waits, is left alone. */
    private RunRecord restart(Call call) {
        runs.state().requireStarts();
        RunRecord run = active(call);
        starts.rejectChanges(call, run);
        var unused = runs.runtime(call.principal()).resume(run.runId(), options -> {});
        return run;
    }

    /** Return how often a run has waited for answers; without the last time, if it waits now and that is where a stream ends. */
    private int suspensions(Call call, RunRecord run, boolean before) {
        WireRuns.Stored stored = runs.stored(call.principal(), run);
        long all = stored.events().stream()
                .filter(event -> WorkflowEncoder.waits(event, run.runId()))
                .count();
        boolean waits = before
                && stored.run().status() == RunStatus.SUSPENDED
                && !answers.waiting(call.principal(), run.runId()).isEmpty();
        return (int) (waits ? all - 1 : all);
    }

    private Answered answerToRead(Call call) {
        return answer(call, (root, given) -> {
            var unused = answers.answerToRead(call, root, given);
        });
    }

    private Answered answer(Call call) {
        return answer(call, (root, given) -> answers.answer(call.principal(), given));
    }

    private Answered answer(Call call, BiConsumer<RunId, Map<PendingApproval, ApprovalAnswer>> storing) {
        RunRecord run = starts.require(call);
        starts.rejectChanges(call, run);
        PendingApproval pending = pending(call, run);
        int past = suspensions(call, run, false);
        storing.accept(run.runId(), Map.of(pending, answer(call, pending)));
        return new Answered(run.runId(), past);
    }

    private static ApprovalAnswer answer(Call call, PendingApproval pending) {
        Body body = Body.of(call.body());
        Optional<Json> data = body.json("resumeData");
        if (pending.kind() == PendingApproval.Kind.APPROVAL) {
            Body decision = body.object("resumeData")
                    .orElseThrow(() -> body.problem(
                            "resumeData", "must be an object with 'approved': the step waits for an approval"));
            return WireAnswers.decision(call.principal(), decision);
        }
        return WireAnswers.data(call.principal(), data.orElse(Json.of(null)));
    }

    /** Return the waiting call of the step that a request names; without a step, the only one. */
    private PendingApproval pending(Call call, RunRecord run) {
        WorkflowState state = new WorkflowState(run.runId());
        runs.runtime(call.principal()).history(run.runId()).forEach(state::note);
        Body body = Body.of(call.body());
        Optional<String> step = step(body);
        List<PendingApproval> waiting = answers.waiting(call.principal(), run.runId());
        List<PendingApproval> found = waiting.stream()
                .filter(each -> step.isEmpty() || isAt(each, step.get(), body.number("forEachIndex", 0)))
                .toList();
        if (found.isEmpty()
                && step.isPresent()
                && waiting.size() == 1
                && state.waiting().isEmpty()) {
            return waiting.getFirst(); // below a step: a call of the agent that does its work
        }
        if (found.isEmpty()) {
            throw Problem.ALREADY_DECIDED.of(
                    "No step of the run with this id waits for an answer, or it was answered before.");
        }
        if (found.size() > 1) {
            throw body.problem("step", "must name one of the steps that wait, with 'forEachIndex' for one of a list");
        }
        return found.getFirst();
    }

    private static Optional<String> step(Body body) {
        if (body.json("step").flatMap(Json::string).isPresent()) {
            return body.id("step");
        }
        List<Json> path = body.list("step");
        return path.isEmpty()
                ? Optional.empty()
                : Optional.of(path.getLast()
                        .string()
                        .orElseThrow(() -> body.problem("step", "must be a text, or a list of texts")));
    }

    /** Return whether a call waits at a step: that of a path, or the one with an id, perhaps in a place of a list. */
    private static boolean isAt(PendingApproval call, String step, Optional<Integer> index) {
        String path = call.stepPath().orElse("");
        return index.isPresent()
                ? path.equals(step + "[" + index.get() + "]")
                : path.equals(step) || path.startsWith(step + "[");
    }

    private Reply list(Call call) {
        Workflow<?, ?> workflow = starts.workflow(call);
        boolean isUnlimited =
                call.query("limit").filter("false"::equals).isPresent(); // what the client sends for no limit
        int perPage =
                call.query("perPage", 1, MOST_RUNS, isUnlimited ? MOST_RUNS : call.query("limit", 1, MOST_RUNS, 100));
        int page = call.query("page", 0, 1_000, 0);
        int offset = call.query("offset", 0, 100_000, page * perPage);
        RunFilter filter = RunFilter.ROOTS.agent(workflow.id());
        filter = changed(filter, call, "fromDate", filter::startedFrom);
        filter = changed(filter, call, "toDate", filter::startedBefore);
        Optional<String> resource =
                Owners.resource(call.principal(), call.query("resourceId").orElse(null));
        filter = resource.isPresent() ? filter.resource(resource.get()) : filter;
        Optional<RunStatus[]> statuses = call.query("status").map(RunViews::statuses);
        filter = statuses.isPresent() ? filter.statuses(statuses.get()) : filter;
        boolean isAny = statuses.isEmpty() || statuses.get().length > 0;
        List<RunRecord> found = isAny ? newest(call, filter, offset + perPage + 1) : List.of();
        List<Map<String, Object>> shown = found.stream()
                .skip(offset)
                .limit(perPage)
                .map(run -> RunViews.listed(run, workflow))
                .toList();
        return Reply.ok(Map.of("runs", shown, "total", found.size()));
    }

    /** Return so many of the newest runs, or all. */
    private List<RunRecord> newest(Call call, RunFilter filter, int most) {
        List<RunRecord> found = new ArrayList<>();
        RunFilter from = filter;
        while (found.size() < most) {
            int wanted = Math.min(MOST_AT_ONCE, most - found.size());
            List<RunRecord> more = runs.runtime(call.principal()).runs(from.limit(wanted));
            found.addAll(more);
            if (more.size() < wanted) {
                break;
            }
            from = filter.before(more.getLast().runId());
        }
        return found;
    }

    private static RunFilter changed(RunFilter filter, Call call, String name, Function<Instant, RunFilter> change) {
        try {
            return call.query(name).map(Instant::parse).map(change).orElse(filter);
        } catch (DateTimeParseException e) {
            throw Problem.BAD_REQUEST.of("The parameter '" + name + "' must be a time, such as 2026-01-31T00:00:00Z.");
        }
    }

    private Reply find(Call call) {
        RunRecord run = starts.require(call, call.parameter("run"));
        Workflow<?, ?> workflow = starts.workflow(call);
        WorkflowState state = new WorkflowState(run.runId(), StepPlaces.of(workflow));
        runs.runtime(call.principal()).history(run.runId()).forEach(state::note);
        Map<String, Object> fields = RunViews.read(run, state, workflow);
        if (call.query("withNestedWorkflows").filter("false"::equals).isEmpty()) {
            fields.put("steps", state.allSteps());
        }
        call.query("fields").map(names -> Set.of(names.split(","))).ifPresent(names -> RunViews.keep(fields, names));
        return Reply.ok(fields);
    }

    private Reply cancel(Call call) {
        RunRecord run = starts.require(call, call.parameter("run"));
        var unused = runs.runtime(call.principal()).cancel(run.runId());
        return Reply.ok(Map.of("message", "Workflow run canceled"));
    }

    private Reply delete(Call call) {
        RunRecord run = starts.require(call, call.parameter("run"));
        if (!run.status().isEnded()) {
            throw Problem.NOT_ENDED.of("The run has not ended, and is not deleted; cancel it, or wait for its end.");
        }
        var unused = runs.runtime(call.principal()).handle(run.runId()).delete();
        return Reply.ok(Map.of("message", "Workflow run deleted"));
    }
}
