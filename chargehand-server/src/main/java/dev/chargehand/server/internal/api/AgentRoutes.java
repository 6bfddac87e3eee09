package dev.chargehand.server.internal.api;

import dev.chargehand.Agent;
import dev.chargehand.TenantRuntime;
import dev.chargehand.run.RequestContext;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Operation;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.shape.ApiShapes;
import dev.chargehand.tool.Tool;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The routes that read agents. */
final class AgentRoutes {

    private final ServerState state;

    AgentRoutes(ServerState state) {
        this.state = state;
    }

    List<Route> routes() {
        Route.Access read = Route.Access.of(Scope.AGENTS_READ);
        return List.of(
                new Route("GET", "/api/v1/agents", read, "List the agents", Operation.ok(ApiShapes.AGENTS), this::list),
                new Route(
                        "GET",
                        "/api/v1/agents/{id}",
                        read,
                        "Describe an agent",
                        Operation.ok(ApiShapes.AGENT_DETAILS).problems(Problem.AGENT_UNKNOWN),
                        this::describe));
    }

    /** Return an agent of a runtime. */
    static Agent require(TenantRuntime runtime, String id) {
        return runtime.agents().stream()
                .filter(agent -> agent.id().equals(id))
                .findFirst()
                .orElseThrow(() -> Problem.AGENT_UNKNOWN.of("There is no agent with this id."));
    }

    private Reply list(Call call) {
        return Reply.ok(Map.of(
                "agents",
                state.runtime(call.principal()).agents().stream()
                        .map(Views::agent)
                        .toList()));
    }

    private Reply describe(Call call) {
        Agent agent = require(state.runtime(call.principal()), call.parameter("id"));
        return Reply.ok(described(agent, call.principal().has(Scope.AGENTS_INSPECT)));
    }

    private static Map<String, Object> described(Agent agent, boolean instructions) {
        Map<String, Object> fields = new LinkedHashMap<>(Views.agent(agent));
        fields.put("dynamic", agent.isDynamic());
        if (!agent.isDynamic()) { // else model, tools and instructions depend on the request
            fields.put("model", Views.model(agent));
            fields.put(
                    "tools",
                    agent.toolsFor(RequestContext.empty()).stream()
                            .map(AgentRoutes::tool)
                            .toList());
            if (instructions) {
                fields.put("instructions", agent.instructionsFor(RequestContext.empty()));
            }
        }
        Map<String, Object> agents = new LinkedHashMap<>();
        agent.agents().forEach((key, sub) -> agents.put(key, described(sub, instructions)));
        fields.put("agents", agents);
        return fields;
    }

    private static Map<String, Object> tool(Tool tool) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", tool.name());
        fields.put("description", tool.description());
        fields.put("input", tool.input().json());
        fields.put("needsApproval", tool.approval().isPresent());
        return fields;
    }
}
