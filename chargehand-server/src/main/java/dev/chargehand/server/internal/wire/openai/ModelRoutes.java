package dev.chargehand.server.internal.wire.openai;

import dev.chargehand.Agent;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.WireRuns;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The routes that list agents as models. */
final class ModelRoutes {

    private final WireRuns runs;

    ModelRoutes(WireRuns runs) {
        this.runs = runs;
    }

    List<Route> routes() {
        Route.Access read = Route.Access.of(Scope.AGENTS_READ);
        return List.of(
                new Route("GET", "/v1/models", read, "List the agents as models", this::list),
                new Route("GET", "/v1/models/{id}", read, "Return an agent as a model", this::find));
    }

    private Reply list(Call call) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("object", "list");
        fields.put(
                "data",
                runs.runtime(call.principal()).agents().stream()
                        .map(agent -> model(agent, agent.id()))
                        .toList());
        return Reply.ok(fields);
    }

    private Reply find(Call call) {
        String id = call.parameter("id");
        return Reply.ok(model(Wanted.of(runs, call.principal(), id).agent(), id));
    }

    private static Map<String, Object> model(Agent agent, String id) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", id);
        fields.put("object", "model");
        fields.put("created", 0); // an agent has no such time
        fields.put("owned_by", "chargehand");
        fields.put("description", agent.description());
        fields.put("ignored_parameters", Ignored.names());
        return fields;
    }
}
