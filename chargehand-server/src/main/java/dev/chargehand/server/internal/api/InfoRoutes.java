package dev.chargehand.server.internal.api;

import dev.chargehand.json.Json;
import dev.chargehand.server.Scope;
import dev.chargehand.server.ServerLimit;
import dev.chargehand.server.ServerTimeLimit;
import dev.chargehand.server.internal.openapi.OpenApi;
import dev.chargehand.server.internal.route.Call;
import dev.chargehand.server.internal.route.Operation;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Reply;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.shape.Shape;
import dev.chargehand.store.RunFilter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The routes that describe the server and its health. */
final class InfoRoutes {

    private static final Shape NAME = Shape.fields()
            .always("name", Shape.TEXT)
            .always("version", Shape.TEXT)
            .build();

    private static final Shape STATUS =
            Shape.fields().always("status", Shape.words("ok", "ready")).build();

    private static final Shape INFO = Shape.fields()
            .all(NAME)
            .always("signIn", Shape.list(Shape.words("bearer", "none")))
            .always("limits", Shape.map(Shape.WHOLE))
            .always(
                    "routes",
                    Shape.list(Shape.fields()
                            .always("method", Shape.TEXT)
                            .always("path", Shape.TEXT)
                            .always("summary", Shape.TEXT)
                            .maybe("scope", Shape.TEXT)
                            .build()))
            .named("Info");

    private static final Shape PROBLEM = Shape.fields()
            .always("code", Shape.TEXT)
            .always("status", Shape.WHOLE)
            .always("title", Shape.TEXT)
            .named("ProblemPage");

    private final ServerState state;
    private final boolean signIn;
    private final Supplier<List<Route>> all;
    private volatile @Nullable Json document;

    InfoRoutes(ServerState state, boolean signIn, Supplier<List<Route>> all) {
        this.state = state;
        this.signIn = signIn;
        this.all = all;
    }

    List<Route> routes() {
        Route.Access open = Route.Access.OPEN;
        return List.of(
                new Route("GET", "/", open, "Name the server", Operation.ok(NAME), call -> Reply.ok(name())),
                new Route(
                        "GET",
                        "/healthz",
                        open,
                        "Return whether the process answers",
                        Operation.ok(STATUS),
                        call -> Reply.ok(status("ok"))),
                new Route(
                        "GET",
                        "/readyz",
                        open,
                        "Return whether runs can be started",
                        Operation.ok(STATUS).problems(Problem.DRAINING, Problem.STORE_UNAVAILABLE),
                        this::ready),
                new Route("GET", "/api/v1/info", open, "Describe the server", Operation.ok(INFO), this::info),
                new Route(
                        "GET",
                        Problem.PAGES + "{code}",
                        open,
                        "Explain a code of problems",
                        Operation.ok(PROBLEM).problems(Problem.NOT_AVAILABLE),
                        call -> Reply.ok(problem(call.parameter("code")))),
                new Route(
                        "GET",
                        "/openapi.json",
                        open,
                        "Return this document",
                        Operation.ok(Shape.OBJECT),
                        call -> Reply.ok(document())));
    }

    private static Map<String, Object> name() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", "chargehand");
        fields.put("version", version());
        return fields;
    }

    private static String version() {
        String version = InfoRoutes.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    private static Map<String, Object> status(String word) {
        return Map.of("status", word);
    }

    private static Map<String, Object> problem(String code) {
        Problem problem = Arrays.stream(Problem.values())
                .filter(each -> each.code().equals(code))
                .findFirst()
                .orElseThrow(() -> Problem.NOT_AVAILABLE.of(
                        "No problem has this code; the schema 'Problem' of /openapi.json lists the codes."));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("code", problem.code());
        fields.put("status", problem.status());
        fields.put("title", problem.title());
        return fields;
    }

    private Json document() {
        Json made = document;
        if (made == null) {
            made = OpenApi.document(all.get(), version(), signIn);
            document = made;
        }
        return made;
    }

    private Reply ready(Call call) {
        if (state.isDraining()) {
            throw Problem.DRAINING.of("The server is being stopped.");
        }
        state.runtime(call.principal()).runs(RunFilter.ROOTS.limit(1)); // the store answers
        return Reply.ok(status("ready"));
    }

    private Reply info(Call call) {
        Map<String, Object> fields = name();
        fields.put("signIn", signIn ? List.of("bearer") : List.of("none"));
        Map<String, Object> limits = new LinkedHashMap<>();
        for (ServerLimit limit : ServerLimit.values()) {
            limits.put(limit.key(), state.limit(limit));
        }
        for (ServerTimeLimit limit : ServerTimeLimit.values()) {
            limits.put(limit.key() + "Millis", state.limit(limit).toMillis());
        }
        fields.put("limits", limits);
        fields.put("routes", all.get().stream().map(InfoRoutes::route).toList());
        return Reply.ok(fields);
    }

    private static Map<String, Object> route(Route route) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("method", route.method());
        fields.put("path", route.template());
        fields.put("summary", route.summary());
        route.access().scope().map(Scope::text).ifPresent(scope -> fields.put("scope", scope));
        return fields;
    }
}
