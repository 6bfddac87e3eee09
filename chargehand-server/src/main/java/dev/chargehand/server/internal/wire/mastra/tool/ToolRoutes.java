package dev.chargehand.server.internal.wire.mastra.tool;

import dev.chargehand.Agent;
import dev.chargehand.RunHandle;
import dev.chargehand.RunOptions;
import dev.chargehand.TenantRuntime;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.run.RequestContext;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.api.RunKey;
import dev.chargehand.server.internal.api.Slots;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.HttpWords;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.WireOptions;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.workflow.Workflow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The routes that execute tools: each execution is a run, and its answer is what the tool gives. */
public final class ToolRoutes {

    private final WireRuns runs;
    private final DirectTools tools;

    /** Make it. */
    public ToolRoutes(WireRuns runs, DirectTools tools) {
        this.runs = runs;
        this.tools = tools;
    }

    /** Return the routes. */
    public List<Route> routes() {
        Route.Access write = Route.Access.of(Scope.RUNS_WRITE);
        return List.of(
                new Route(
                        "POST",
                        "/api/tools/{tool}/execute",
                        write,
                        "Execute a tool, for Mastra's client",
                        call -> execute(call, require(call))),
                new Route(
                        "POST",
                        "/api/agents/{id}/tools/{tool}/execute",
                        write,
                        "Execute a tool of an agent, for Mastra's client",
                        call -> execute(call, requireOfAgent(call))));
    }

    private DirectTool require(Call call) {
        return tools.find(call.parameter("tool")).orElseThrow(ToolRoutes::unknown);
    }

    private static ProblemException unknown() {
        return Problem.TOOL_UNKNOWN.of("There is no tool with this id that callers may execute.");
    }

    /** The tool of an agent may have the same name as another one that callers may execute. */
    @SuppressWarnings("ReferenceEquality") // tools with the same name may do different things
    private DirectTool requireOfAgent(Call call) {
        Agent agent = runs.agent(call.principal(), call.parameter("id"));
        DirectTool tool = require(call);
        if (agent.isDynamic()
                || agent.toolsFor(RequestContext.empty()).stream().noneMatch(each -> each == tool.tool())) {
            throw unknown();
        }
        RunOptions ofVersion = runs.runtime(call.principal()).effectiveOptions(agent, options -> {});
        if (ofVersion.changed().containsKey("requireToolApproval")) {
            throw Problem.NOT_ALLOWED.of("The calls of this agent's tools may need an approval, which only a run of the"
                    + " agent asks for.");
        }
        return tool;
    }

    private Reply execute(Call call, DirectTool tool) {
        RunHandle run = start(call, tool.workflow());
        ToolEnd end = new ToolEnd(run.runId());
        runs.encode(call, run.runId(), end);
        if (end.waits()) {
            var unused = runs.runtime(call.principal()).cancel(run.runId());
        }
        end.problem().ifPresent(problem -> {
            throw problem;
        });
        return Reply.ok(end.output());
    }

    private RunHandle start(Call call, Workflow<Json, Json> workflow) {
        TenantRuntime runtime = runs.runtime(call.principal());
        Json arguments = Body.of(call.body()).json("data").orElse(Json.of(Map.of()));
        Consumer<RunOptions.Builder> options = runs.state().workflowOptions().andThen(options(call));
        try {
            return runs.state()
                    .slots()
                    .start(
                            call,
                            new Slots.Start(
                                    () -> runtime.findStarted(workflow, options),
                                    () -> runtime.start(workflow, arguments, options),
                                    () -> runtime.enqueue(workflow, arguments, options),
                                    true));
        } catch (ConfigurationException e) {
            String input = "Workflow '" + workflow.id() + "': its input ";
            throw Problem.BAD_REQUEST.of(HttpWords.of(e).replace(input, "The field 'data' of the body "));
        }
    }

    /** Return the options of a run: with the same key, the arguments and the values of the context must be the same. */
    private Consumer<RunOptions.Builder> options(Call call) {
        Body body = Body.of(call.body());
        Optional<String> resource = call.principal().resourceId();
        Optional<String> key = call.query("runId")
                .or(() -> body.id("runId"))
                .map(text -> RunKey.of(call, resource, text))
                .or(() -> RunKey.of(call, resource));
        RequestContext context =
                WireOptions.requestContext(body, runs.state().choices().contextKeys());
        String digest = Owners.digest(Json.of(context.stored()).canonical().text());
        return options -> {
            options.requester(call.principal().id());
            options.requestContext(context);
            resource.ifPresent(options::resource);
            key.ifPresent(text -> options.idempotencyKey(text).idempotencyDigest(digest));
        };
    }
}
