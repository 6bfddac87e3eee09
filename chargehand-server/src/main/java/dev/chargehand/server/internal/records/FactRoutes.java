package dev.chargehand.server.internal.records;

import dev.chargehand.json.Json;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.api.Owners;
import dev.chargehand.server.internal.api.ServerState;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Operation;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.shape.RecordShapes;
import dev.chargehand.server.internal.shape.Shape;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The route that shows the stored facts of a run, for diagnosis. */
final class FactRoutes {

    private final ServerState state;
    private final Owners owners;

    FactRoutes(ServerState state, Owners owners) {
        this.state = state;
        this.owners = owners;
    }

    List<Route> routes() {
        return List.of(new Route(
                "GET",
                "/api/v1/runs/{id}/facts",
                Route.Access.of(Scope.RUNS_INSPECT),
                "Read the stored facts of one run, for diagnosis",
                Operation.ok(RecordShapes.FACTS)
                        .query("from", Shape.from(0), "The position of the first fact; default 0.")
                        .query("limit", Shape.whole(1, 200), "How many a page has; default 50.")
                        .problems(Problem.RUN_UNKNOWN),
                this::facts));
    }

    private Reply facts(Call call) {
        RunRecord run = owners.run(call);
        int from = call.query("from", 0, Integer.MAX_VALUE, 0);
        int limit = call.query("limit", 1, 200, 50);
        List<FactEntry> all = state.runtime(call.principal()).facts(run.runId(), from);
        List<Map<String, Object>> page = new ArrayList<>();
        for (FactEntry fact : all.subList(0, Math.min(limit, all.size()))) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("position", from + page.size());
            fields.put("type", fact.type());
            fields.put("version", fact.version());
            fields.put("fact", Json.parse(fact.text()));
            page.add(fields);
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("facts", page);
        if (all.size() > limit) {
            fields.put("next", from + limit);
        }
        return Reply.ok(fields);
    }
}
