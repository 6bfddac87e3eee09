package dev.chargehand.server.internal.wire.mastra;

import dev.chargehand.Agent;
import dev.chargehand.run.RequestContext;
import dev.chargehand.server.Principal;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.api.Views;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.wire.WireRuns;
import dev.chargehand.server.internal.wire.mastra.tool.DirectTools;
import dev.chargehand.server.internal.wire.mastra.workflow.WorkflowViews;
import dev.chargehand.tool.Tool;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The routes that list agents and tools, as maps by their ids. */
final class CatalogRoutes {

    private final WireRuns runs;
    private final DirectTools direct;

    CatalogRoutes(WireRuns runs, DirectTools direct) {
        this.runs = runs;
        this.direct = direct;
    }

    List<Route> routes() {
        Route.Access read = Route.Access.of(Scope.AGENTS_READ);
        return List.of(
                new Route("GET", "/api/agents", read, "List the agents, for Mastra's client", this::agents),
                new Route(
                        "GET",
                        "/api/agents/providers",
                        read,
                        "List the providers of models, for Mastra's client",
                        call -> Reply.ok(Map.of("providers", List.of()))),
                new Route("GET", "/api/agents/{id}", read, "Describe an agent, for Mastra's client", this::agent),
                new Route(
                        "GET",
                        "/api/agents/{id}/tools/{tool}",
                        read,
                        "Describe a tool of an agent, for Mastra's client",
                        this::toolOfAgent),
                new Route("GET", "/api/tools", read, "List the tools, for Mastra's client", this::tools),
                new Route("GET", "/api/tools/{tool}", read, "Describe a tool, for Mastra's client", this::tool));
    }

    private Reply agents(Call call) {
        Map<String, Object> agents = new LinkedHashMap<>();
        runs.runtime(call.principal())
                .agents()
                .forEach(agent -> agents.put(agent.id(), described(agent, call.principal())));
        return Reply.ok(agents);
    }

    private Reply agent(Call call) {
        return Reply.ok(described(runs.agent(call.principal(), call.parameter("id")), call.principal()));
    }

    private static Map<String, Object> described(Agent agent, Principal principal) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", agent.id());
        fields.put("name", agent.name());
        fields.put("description", agent.description());
        boolean inspects = principal.has(Scope.AGENTS_INSPECT) && !agent.isDynamic();
        fields.put("instructions", inspects ? agent.instructionsFor(RequestContext.empty()) : "");
        fields.put("tools", tools(agent));
        Map<String, Object> agents = new LinkedHashMap<>();
        agent.agents().forEach((key, sub) -> agents.put(key, Map.of("id", sub.id(), "name", sub.name())));
        fields.put("agents", agents);
        Map<String, Object> workflows = new LinkedHashMap<>();
        agent.workflows().forEach((key, workflow) -> workflows.put(key, WorkflowViews.workflow(workflow)));
        fields.put("workflows", workflows);
        String model = agent.isDynamic() ? "" : Views.model(agent);
        int slash = model.indexOf('/');
        fields.put("provider", slash < 0 ? "" : model.substring(0, slash));
        fields.put("modelId", model.substring(slash + 1));
        fields.put("modelVersion", "v2");
        fields.put("source", "code");
        fields.put("supportsMemory", true);
        fields.put("skills", List.of());
        fields.put("workspaceTools", List.of());
        fields.put("browserTools", List.of());
        fields.put("hasBrowser", false);
        fields.put("inputProcessors", List.of()); // those of an agent are of its application
        fields.put("outputProcessors", List.of());
        fields.put("defaultOptions", Map.of());
        fields.put("defaultGenerateOptionsLegacy", Map.of());
        fields.put("defaultStreamOptionsLegacy", Map.of());
        return fields;
    }

    private static Map<String, Object> tools(Agent agent) {
        Map<String, Object> tools = new LinkedHashMap<>();
        if (!agent.isDynamic()) {
            agent.toolsFor(RequestContext.empty()).forEach(tool -> tools.put(tool.name(), described(tool)));
        }
        return tools;
    }

    private static Map<String, Object> described(Tool tool) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", tool.name());
        fields.put("description", tool.description());
        fields.put("inputSchema", tool.input().json().text()); // its client parses a text
        fields.put("requireApproval", tool.approval().isPresent());
        return fields;
    }

    private Map<String, Object> allTools(Principal principal) {
        Map<String, Object> all = new LinkedHashMap<>();
        direct.all().forEach(tool -> all.put(tool.name(), described(tool)));
        runs.runtime(principal).agents().forEach(agent -> tools(agent).forEach(all::putIfAbsent));
        return all;
    }

    private Reply tools(Call call) {
        return Reply.ok(allTools(call.principal()));
    }

    private Reply tool(Call call) {
        return found(allTools(call.principal()), call);
    }

    private Reply toolOfAgent(Call call) {
        return found(tools(runs.agent(call.principal(), call.parameter("id"))), call);
    }

    private static Reply found(Map<String, Object> tools, Call call) {
        return Reply.ok(Optional.ofNullable(tools.get(call.parameter("tool")))
                .orElseThrow(() -> Problem.TOOL_UNKNOWN.of("There is no tool with this id.")));
    }
}
