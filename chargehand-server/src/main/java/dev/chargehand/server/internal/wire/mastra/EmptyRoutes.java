package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.Body;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.server.internal.wire.mastra.memory.ListQuery;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The lists of what this server keeps nothing of: voices, logs, traces, scores and feedback. Interfaces of Mastra ask for them, and an empty list is
 * what is true. Routes that change or need one of them are missing.
 */
final class EmptyRoutes {

    private static final Map<String, Object> NO_PAGE = Collections.singletonMap("next", null);

    private final WireRuns runs;

    EmptyRoutes(WireRuns runs) {
        this.runs = runs;
    }

    List<Route> routes() {
        return Stream.of(kept(), observed(), found(), asked())
                .flatMap(List::stream)
                .toList();
    }

    private List<Route> kept() {
        return List.of(
                ofAgent("speakers", List.of()),
                ofAgent("listener", Map.of("enabled", false)),
                list("/api/logs/transports", "transports of logs", call -> Map.of("transports", List.of())),
                list("/api/logs", "logs", EmptyRoutes::logs),
                list("/api/logs/{run}", "logs of a run", EmptyRoutes::logs),
                list("/api/scores/scorers", "scorers", call -> Map.of()),
                list("/api/scores/run/{run}", "scores of a run", call -> paged(call, "scores")),
                list("/api/scores/scorer/{scorer}", "scores of a scorer", call -> paged(call, "scores")),
                list("/api/scores/entity/{type}/{entity}", "scores of an entity", call -> paged(call, "scores")));
    }

    private static List<Route> observed() {
        return List.of(
                list("/api/observability/traces", "traces", call -> paged(call, "spans")),
                list("/api/observability/traces/light", "traces", call -> paged(call, "spans")),
                list(
                        "/api/observability/traces/{trace}/{span}/scores",
                        "scores of a span",
                        call -> paged(call, "scores")),
                list("/api/observability/branches", "branches of traces", call -> paged(call, "branches")),
                list("/api/observability/scores", "scores", call -> paged(call, "scores")),
                list("/api/observability/logs", "logs", call -> paged(call, "logs")),
                list("/api/observability/feedback", "feedback", call -> paged(call, "feedback")));
    }

    /** What interfaces offer as filters of the lists. */
    private static List<Route> found() {
        return List.of(
                names("entity-types", "entityTypes"),
                names("entity-names", "names"),
                names("service-names", "serviceNames"),
                names("environments", "environments"),
                names("tags", "tags"),
                names("metric-names", "names"),
                names("metric-label-keys", "keys"),
                names("metric-label-values", "values"));
    }

    /** What is asked for with a body, of which only the kind of page matters. */
    private static List<Route> asked() {
        return List.of(
                asked("traces/query", EmptyRoutes::traces),
                asked(
                        "traces/query/fields",
                        body -> Map.of(
                                "canonicalFields", List.of(),
                                "observedFields", List.of(),
                                "observedFieldsTruncated", false)),
                asked("traces/query/values", body -> Map.of("values", List.of(), "valuesTruncated", false)),
                asked("threads/query", body -> Map.of("threads", List.of(), "page", NO_PAGE)));
    }

    private static Route names(String path, String name) {
        return list(
                "/api/observability/discovery/" + path,
                path.replace('-', ' ') + " to search traces for",
                call -> Map.of(name, List.of()));
    }

    private static Route asked(String path, Function<Body, Object> answer) {
        return new Route(
                "POST",
                "/api/observability/" + path,
                Route.Access.of(Scope.RUNS_READ),
                "Query traces, of which there are none, for Mastra's client",
                call -> Reply.ok(answer.apply(Body.of(call.body()))));
    }

    private static Map<String, Object> traces(Body body) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("traces", List.of());
        Optional<Body> pages = body.object("pagination");
        if (pages.isPresent()) {
            Map<String, Object> page = new LinkedHashMap<>();
            page.put("total", 0);
            page.put("page", pages.get().number("page", 0).orElse(0));
            page.put("perPage", pages.get().number("perPage", 0).orElse(10));
            page.put("hasMore", false);
            fields.put("pagination", page);
        } else if (body.text("mode").equals(Optional.of("delta"))) {
            fields.put("delta", Map.of("limit", body.number("limit").orElse(10), "hasMore", false));
            fields.put("deltaCursor", body.text("after").orElse("0"));
        } else {
            fields.put("page", NO_PAGE);
        }
        return fields;
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
