package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.RunHandle;
import dev.chargehand.RunOptions;
import dev.chargehand.TenantRuntime;
import dev.chargehand.json.Json;
import dev.chargehand.run.RequestContext;
import dev.chargehand.run.RunId;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.api.RunKey;
import dev.chargehand.server.internal.api.Slots;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ReservedNames;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.WireOptions;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.store.RunRecord;
import dev.chargehand.workflow.Workflow;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Starts runs of workflows and finds them again. Its client asks for the id of a run first and starts it then; this id is the key with which a
 * repeated start, and what follows, find the same run for 24 hours. The id of the run itself names it too.
 */
final class WorkflowStarts {

    /** The name of a run's metadata that has the digest of its request context. */
    private static final String CONTEXT = ReservedNames.START + "requestContext";

    private final WireRuns runs;

    WorkflowStarts(WireRuns runs) {
        this.runs = runs;
    }

    /** Return the workflow that the path names. */
    Workflow<?, ?> workflow(Call call) {
        return runs.runtime(call.principal()).workflows().stream()
                .filter(workflow -> workflow.id().equals(call.parameter("id")))
                .findFirst()
                .orElseThrow(() -> Problem.WORKFLOW_UNKNOWN.of("There is no workflow with this id."));
    }

    /**
     * Start a run.
     *
     * @param read whether the request reads its events
     */
    @SuppressWarnings("unchecked") // JSON is an input of every workflow, if it fits the schema
    RunId start(Call call, boolean read) {
        TenantRuntime runtime = runs.runtime(call.principal());
        Workflow<Object, ?> workflow = (Workflow<Object, ?>) workflow(call);
        Body body = Body.of(call.body());
        rejectWhatIsNotOffered(body);
        Json input = body.json("inputData").orElse(Json.of(Map.of()));
        Consumer<RunOptions.Builder> options =
                runs.state().workflowOptions().andThen(sent(body)).andThen(identity(call));
        RunHandle run = runs.state()
                .slots()
                .start(
                        call,
                        new Slots.Start(
                                () -> runtime.findStarted(workflow, options),
                                () -> runtime.start(workflow, input, options),
                                () -> runtime.enqueue(workflow, input, options),
                                read));
        return run.runId();
    }

    private static void rejectWhatIsNotOffered(Body body) {
        rejectPauses(body);
        if (body.json("closeOnSuspend").isPresent() && !body.flag("closeOnSuspend")) {
            throw body.problem("closeOnSuspend", "must not be false: the stream ends where the run waits");
        }
    }

    /** Reject the wish that a run pauses after a step. */
    static void rejectPauses(Body body) {
        if (body.flag("perStep")) {
            throw body.problem("perStep", "must not be true: the run does not pause after a step");
        }
    }

    /** Reject what a request that continues a run would change about it; its client may send again what the run was started with. */
    void rejectChanges(Call call, RunRecord run) {
        Body body = Body.of(call.body());
        rejectPauses(body);
        RequestContext sent = context(body);
        if (!sent.equals(RequestContext.empty())
                && !digest(sent)
                        .equals(runs.runtime(call.principal())
                                .metadata(run.runId())
                                .get(CONTEXT))) {
            throw body.problem(
                    "requestContext", "must be empty, or as the run was started: the run keeps its values to its end");
        }
    }

    /** Return options with values of a request, and what compares them with those of later requests. */
    static Consumer<RunOptions.Builder> values(RequestContext context) {
        return context.equals(RequestContext.empty())
                ? options -> {}
                : options -> options.requestContext(context).metadata(CONTEXT, digest(context));
    }

    private static String digest(RequestContext context) {
        return Owners.digest(Json.of(context.stored()).canonical().text());
    }

    /** Return the options that a body sets; a repeated start with other values is not the same. */
    private Consumer<RunOptions.Builder> sent(Body body) {
        RequestContext context = context(body);
        Optional<Json> state = body.object("initialState").flatMap(ignored -> body.json("initialState"));
        return options -> {
            state.ifPresent(options::initialState);
            if (!context.equals(RequestContext.empty())) {
                values(context).accept(options);
                options.idempotencyDigest(digest(context));
            }
        };
    }

    /** Return the request context of a body. */
    RequestContext context(Body body) {
        return WireOptions.requestContext(body, runs.state().choices().contextKeys());
    }

    /** Return the options that say for whom and by whom a run is started, and under which id, or under which key of the request. */
    private static Consumer<RunOptions.Builder> identity(Call call) {
        Optional<String> resource = call.principal().resourceId();
        return identity(call, call.query("runId").map(id -> named(call, id)).or(() -> RunKey.of(call, resource)));
    }

    private static String named(Call call, String id) {
        return RunKey.of(call, call.principal().resourceId(), "run of a workflow", id);
    }

    private static Consumer<RunOptions.Builder> identity(Call call, Optional<String> key) {
        Optional<String> resource = call.principal().resourceId();
        return options -> {
            options.requester(call.principal().id());
            resource.ifPresent(options::resource);
            key.ifPresent(options::idempotencyKey);
        };
    }

    /** Return the run that the query names. */
    RunRecord require(Call call) {
        return require(
                call,
                call.query("runId").orElseThrow(() -> Problem.BAD_REQUEST.of("The parameter 'runId' is missing.")));
    }

    /** Return the run of the workflow in the path with an id: that with which it was started, or its own. */
    RunRecord require(Call call, String id) {
        Workflow<?, ?> workflow = workflow(call);
        TenantRuntime runtime = runs.runtime(call.principal());
        boolean isKey = id.length() <= 255 && id.chars().allMatch(c -> c > 0x20 && c < 0x7f);
        Optional<RunId> started =
                isKey ? runtime.findStarted(workflow, identity(call, Optional.of(named(call, id)))) : Optional.empty();
        RunRecord run = runs.root(call.principal(), started.map(RunId::value).orElse(id));
        if (!run.agentId().equals(workflow.id())) {
            throw Problem.RUN_UNKNOWN.of("There is no run with this id.");
        }
        return run;
    }
}
