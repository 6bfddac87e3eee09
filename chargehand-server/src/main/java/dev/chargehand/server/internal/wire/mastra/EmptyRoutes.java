package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.server.internal.wire.mastra.memory.ListQuery;
import java.util.List;
import java.util.Map;

/**
 * The lists of what this server keeps nothing of: voices, logs, traces and scores. Interfaces of Mastra ask for them, and an empty list is
 * what is true. Routes that change or need one of them are missing.
 */
final class EmptyRoutes {

    private final WireRuns runs;

    EmptyRoutes(WireRuns runs) {
        this.runs = runs;
    }

    List<Route> routes() {
        return List.of(
                ofAgent("speakers", List.of()),
                ofAgent("listener", Map.of("enabled", false)),
                list("/api/logs/transports", "transports of logs", call -> Map.of("transports", List.of())),
                list("/api/logs", "logs", EmptyRoutes::logs),
                list("/api/logs/{run}", "logs of a run", EmptyRoutes::logs),
                list("/api/observability/traces", "traces", call -> paged(call, "spans")),
                list("/api/observability/traces/light", "traces", call -> paged(call, "spans")),
                list("/api/observability/scores", "scores", call -> paged(call, "scores")),
                list("/api/scores/scorers", "scorers", call -> Map.of()),
                list("/api/scores/run/{run}", "scores of a run", call -> paged(call, "scores")),
                list("/api/scores/scorer/{scorer}", "scores of a scorer", call -> paged(call, "scores")),
                list("/api/scores/entity/{type}/{entity}", "scores of an entity", call -> paged(call, "scores")));
    }

    private interface Answer {
        Object of(Call call);
    }

    private static Route list(String path, String what, Answer answer) {
        return new Route(
                "GET",
                path,
                Route.Access.of(Scope.RUNS_READ),
                "List " + what + ", of which there are none, for Mastra's client",
                call -> Reply.ok(answer.of(call)));
    }

    private Route ofAgent(String name, Object answer) {
        return new Route(
                "GET",
                "/api/agents/{id}/voice/" + name,
                Route.Access.of(Scope.AGENTS_READ),
                "Return the " + name + " of a voice, which no agent has, for Mastra's client",
                call -> {
                    var unused = runs.agent(call.principal(), call.parameter("id"));
                    return Reply.ok(answer);
                });
    }

    private static Map<String, Object> logs(Call call) {
        Map<String, Object> fields = ListQuery.Page.of(call, 100, 1_000).fields(0);
        fields.put("logs", List.of());
        return fields;
    }

    private static Map<String, Object> paged(Call call, String name) {
        return Map.of("pagination", ListQuery.Page.of(call, 10, 1_000).fields(0), name, List.of());
    }
}
