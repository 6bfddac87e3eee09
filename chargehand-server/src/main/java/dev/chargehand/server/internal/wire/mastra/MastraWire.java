package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.json.Json;
import dev.chargehand.server.internal.route.ProblemException;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.Wire;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.server.internal.wire.mastra.memory.CallerThreads;
import dev.chargehand.server.internal.wire.mastra.memory.MemoryRoutes;
import dev.chargehand.server.internal.wire.mastra.memory.MessageRoutes;
import dev.chargehand.server.internal.wire.mastra.memory.RecallRoutes;
import dev.chargehand.server.internal.wire.mastra.memory.SettingsRoutes;
import dev.chargehand.server.internal.wire.mastra.task.TaskRoutes;
import dev.chargehand.server.internal.wire.mastra.tool.DirectTools;
import dev.chargehand.server.internal.wire.mastra.tool.ToolRoutes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The wire of Mastra's client for JavaScript. A route that it does not offer is missing. */
public final class MastraWire implements Wire {

    private final List<Route> routes;

    /**
     * Make it.
     *
     * @param tools those that callers may execute
     */
    public MastraWire(WireRuns runs, DirectTools tools) {
        CallerThreads threads = new CallerThreads(runs);
        WorkflowStarts starts = new WorkflowStarts(runs);
        routes = Stream.of(
                        new CatalogRoutes(runs, tools).routes(),
                        new ToolRoutes(runs, tools).routes(),
                        new RunRoutes(runs, threads).routes(),
                        new ThreadRoutes(runs, threads).routes(),
                        new MemoryRoutes(runs, threads).routes(),
                        new MessageRoutes(threads).routes(),
                        new RecallRoutes(runs, threads).routes(),
                        new SettingsRoutes(runs, threads).routes(),
                        new TaskRoutes(runs, threads).routes(),
                        new EmptyRoutes(runs).routes(),
                        new WorkflowRoutes(runs, starts).routes(),
                        new WorkflowRunRoutes(runs, starts).routes())
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public String name() {
        return "mastra";
    }

    @Override
    public String prefix() {
        return "/api";
    }

    @Override
    public List<Route> routes() {
        return routes;
    }

    @Override
    public Reply.Whole rejected(ProblemException problem) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("error", problem.getMessage());
        fields.put("code", problem.field("error").orElse(problem.problem().code()));
        problem.field("runId").ifPresent(id -> fields.put("runId", id));
        return new Reply.Whole(problem.problem().status(), problem.headers(), "application/json", Json.of(fields));
    }
}
