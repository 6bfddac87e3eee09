package dev.chargehand.server.internal.records;

import dev.chargehand.TenantRuntime;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.VersionUnknownException;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.api.Fields;
import dev.chargehand.server.internal.api.ServerState;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.HttpWords;
import dev.chargehand.server.internal.route.Operation;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.shape.RecordShapes;
import dev.chargehand.server.internal.shape.Shape;
import dev.chargehand.version.AgentVersion;
import dev.chargehand.version.AgentVersions;
import dev.chargehand.version.Version;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The routes of saved versions of agents. They are those of the tenant, for every resource. */
final class VersionRoutes {

    private final ServerState state;

    VersionRoutes(ServerState state) {
        this.state = state;
    }

    List<Route> routes() {
        Route.Access read = Route.Access.of(Scope.AGENTS_READ);
        Route.Access write = Route.Access.of(Scope.AGENTS_PUBLISH);
        String all = "/api/v1/agents/{id}/versions";
        return List.of(
                new Route(
                        "GET",
                        all,
                        read,
                        "List the saved versions of an agent, newest first",
                        known(Operation.ok(RecordShapes.VERSIONS))
                                .query(
                                        "limit",
                                        Shape.whole(1, AgentVersions.LONGEST_PAGE),
                                        "How many a page has; default 50.")
                                .query("after", Shape.TEXT, "The version after which the page starts."),
                        this::list),
                new Route(
                        "POST",
                        all,
                        write,
                        "Save a draft: the latest version, which is not published",
                        known(Operation.NONE.answer(201, "The draft.", RecordShapes.VERSION))
                                .body(RecordShapes.DRAFT)
                                .problems(Problem.INVALID_VERSION),
                        this::save),
                new Route(
                        "GET",
                        all + "/{version}",
                        read,
                        "Return a version: by its id, 'published' or 'latest'",
                        known(Operation.ok(RecordShapes.VERSION)).problems(Problem.VERSION_UNKNOWN),
                        this::find),
                new Route(
                        "POST",
                        all + "/{version}/publish",
                        write,
                        "Make a version the published one",
                        changed(),
                        call -> change(call, (versions, agent, version) -> versions.publish(agent, version))),
                new Route(
                        "POST",
                        all + "/{version}/restore",
                        write,
                        "Save the document of a version again, as a draft",
                        changed(),
                        call -> change(call, (versions, agent, version) -> versions.restore(agent, version))));
    }

    private static Operation known(Operation operation) {
        return operation.problems(Problem.AGENT_UNKNOWN, Problem.NOT_AVAILABLE);
    }

    private static Operation changed() {
        return known(Operation.ok(RecordShapes.VERSION)).problems(Problem.VERSION_UNKNOWN, Problem.INVALID_VERSION);
    }

    /** A change of a version. */
    @FunctionalInterface
    private interface Change {
        AgentVersion apply(AgentVersions versions, String agentId, String versionId);
    }

    private AgentVersions versions(Call call) {
        TenantRuntime runtime = state.runtime(call.principal());
        if (runtime.agents().stream().noneMatch(agent -> agent.id().equals(call.parameter("id")))) {
            throw Problem.AGENT_UNKNOWN.of("There is no agent with this id.");
        }
        try {
            return runtime.versions();
        } catch (ConfigurationException e) {
            throw Problem.NOT_AVAILABLE.of("The server saves no versions of agents.");
        }
    }

    private Reply list(Call call) {
        AgentVersions versions = versions(call);
        int limit = call.query("limit", 1, AgentVersions.LONGEST_PAGE, 50);
        String agent = call.parameter("id");
        List<AgentVersion> page = versions.list(agent, call.query("after").orElse(null), limit);
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("versions", page.stream().map(VersionRoutes::view).toList());
        if (page.size() == limit
                && !versions.list(agent, page.getLast().id(), 1).isEmpty()) { // a longest page has no room for one more
            fields.put("next", page.getLast().id());
        }
        return Reply.ok(fields);
    }

    private Reply find(Call call) {
        AgentVersions versions = versions(call);
        Version version =
                switch (call.parameter("version")) {
                    case "published" -> Version.published();
                    case "latest" -> Version.latest();
                    default -> Version.id(call.parameter("version"));
                };
        return Reply.ok(versions.find(call.parameter("id"), version)
                .map(VersionRoutes::view)
                .orElseThrow(() -> Problem.VERSION_UNKNOWN.of("There is no such version of this agent.")));
    }

    private Reply save(Call call) {
        AgentVersions versions = versions(call);
        Fields body = Fields.of(call.body(), RecordShapes.DRAFT);
        String document = body.text("document", AgentVersions.LONGEST_DOCUMENT)
                .orElseThrow(() -> body.problem("document", "is missing"));
        return Reply.of(201, view(usable(() -> versions.save(call.parameter("id"), document))));
    }

    private Reply change(Call call, Change change) {
        AgentVersions versions = versions(call);
        Version version = Version.id(call.parameter("version"));
        return Reply.ok(view(usable(
                () -> change.apply(versions, call.parameter("id"), version.id().orElseThrow()))));
    }

    /** Mistakes in a document are reported by the reader of the application's catalog, with any exception of Chargehand. */
    private static AgentVersion usable(Supplier<AgentVersion> change) {
        try {
            return change.get();
        } catch (StoreException | VersionUnknownException e) {
            throw e;
        } catch (ChargehandException e) {
            throw Problem.INVALID_VERSION.of(HttpWords.of(e));
        }
    }

    private static Map<String, Object> view(AgentVersion version) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", version.id());
        fields.put("agent", version.agentId());
        fields.put("document", version.document());
        fields.put("createdAt", version.createdAt().toString());
        fields.put("published", version.published());
        fields.put("latest", version.latest());
        return fields;
    }
}
