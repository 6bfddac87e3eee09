package dev.chargehand.server.internal.openapi;

import dev.chargehand.json.Json;
import dev.chargehand.server.Scope;
import dev.chargehand.server.internal.route.Operation;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.shape.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Makes the OpenAPI 3.1 document of a table of routes. */
public final class OpenApi {

    private static final String PREFIX = "/api/v1";

    private static final Shape PROBLEM = Shape.fields()
            .always("type", Shape.TEXT, "The path of a page that explains the code.")
            .always("title", Shape.TEXT)
            .always("status", Shape.WHOLE)
            .always(
                    "code",
                    Shape.words(
                            Arrays.stream(Problem.values()).map(Problem::code).toList()),
                    "What is wrong; stable. Later versions add codes.")
            .always("detail", Shape.TEXT, "What is wrong, where, and what is allowed; the text may change.")
            .maybe(
                    "errors",
                    Shape.list(Shape.fields()
                            .always("pointer", Shape.TEXT)
                            .always("message", Shape.TEXT)
                            .build()),
                    "The places in the body.")
            .maybe(
                    "scope",
                    Shape.words(Arrays.stream(Scope.values()).map(Scope::text).toList()),
                    "The scope that is missing.")
            .maybe("rootRunId", Shape.TEXT, "The root run, if the path names a nested one.")
            .maybe("runStatus", Shape.TEXT, "How the run stands.")
            .named("Problem");

    private final List<Route> routes;
    private final boolean signIn;
    private final Map<String, Object> components = new TreeMap<>();

    private OpenApi(List<Route> routes, boolean signIn) {
        this.routes = routes;
        this.signIn = signIn;
    }

    /**
     * Return the document.
     *
     * @param version the version of the server
     * @param signIn whether callers must sign in
     */
    public static Json document(List<Route> routes, String version, boolean signIn) {
        return Json.of(new OpenApi(routes, signIn).document(version));
    }

    private Map<String, Object> document(String version) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("openapi", "3.1.0");
        document.put("info", info(version));
        document.put("jsonSchemaDialect", "https://json-schema.org/draft/2020-12/schema");
        document.put("paths", paths());
        Map<String, Object> parts = new LinkedHashMap<>();
        parts.put("schemas", components);
        parts.put("securitySchemes", Map.of("bearer", bearer()));
        document.put("components", parts);
        return document;
    }

    private static Map<String, Object> info(String version) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("title", "Chargehand");
        fields.put("version", version);
        fields.put(
                "description",
                "Starts runs of agents and workflows, streams their events, and takes the answers of people.");
        return fields;
    }

    private static Map<String, Object> bearer() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("type", "http");
        fields.put("scheme", "bearer");
        fields.put("description", "A key of the server.");
        return fields;
    }

    private Map<String, Object> paths() {
        Map<String, Object> paths = new TreeMap<>();
        for (Route route : routes) {
            @SuppressWarnings("unchecked") // only this method puts values there
            Map<String, Object> path =
                    (Map<String, Object>) paths.computeIfAbsent(route.template(), key -> new TreeMap<String, Object>());
            path.put(route.method().toLowerCase(Locale.ROOT), operation(route));
        }
        return paths;
    }

    private Map<String, Object> operation(Route route) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("operationId", operationId(route));
        fields.put("tags", List.of(tag(route)));
        fields.put("summary", route.summary());
        if (route.access().signedIn()) {
            fields.put("security", security(route.access()));
        }
        List<Object> parameters = parameters(route);
        if (!parameters.isEmpty()) {
            fields.put("parameters", parameters);
        }
        Shape request = route.operation().request();
        if (request != null) {
            Map<String, Object> body = new LinkedHashMap<>();
            body.put("required", route.operation().bodyRequired());
            body.put("content", Map.of("application/json", Map.of("schema", request.write(components))));
            fields.put("requestBody", body);
        }
        fields.put("responses", new Answers(route, components, PROBLEM).all());
        return fields;
    }

    /** Without a sign-in a request needs no token, and one that is sent is ignored. */
    private List<Object> security(Route.Access access) {
        Object bearer =
                Map.of("bearer", access.scope().map(Scope::text).map(List::of).orElse(List.of()));
        return signIn ? List.of(bearer) : List.of(Map.of(), bearer);
    }

    private List<Object> parameters(Route route) {
        List<Object> all = new ArrayList<>();
        String before = "";
        for (String segment : route.template().split("/", -1)) {
            if (segment.startsWith("{")) {
                String name = segment.substring(1, segment.length() - 1);
                String what = before.endsWith("s") ? before.substring(0, before.length() - 1) : before;
                all.add(parameter(new Operation.Parameter(
                        name, "path", true, Shape.TEXT.with("minLength", 1), "Names the " + what + ".")));
            }
            before = segment;
        }
        route.operation().parameters().forEach(each -> all.add(parameter(each)));
        return all;
    }

    private Map<String, Object> parameter(Operation.Parameter parameter) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", parameter.name());
        fields.put("in", parameter.in());
        fields.put("required", parameter.required());
        fields.put("description", parameter.description());
        fields.put("schema", parameter.shape().write(components));
        return fields;
    }

    /** Return the method and the segments of the path, such as {@code postAgentsByIdRuns}. */
    private static String operationId(Route route) {
        StringBuilder id = new StringBuilder(route.method().toLowerCase(Locale.ROOT));
        for (String segment : own(route).split("[/.-]", -1)) {
            String word = segment.replaceAll("[{}]", "");
            if (!word.isEmpty()) {
                id.append(segment.startsWith("{") ? "By" : "")
                        .append(Character.toUpperCase(word.charAt(0)))
                        .append(word.substring(1));
            }
        }
        return own(route).equals("/") ? id + "Name" : id.toString();
    }

    private static String tag(Route route) {
        String[] segments = own(route).split("/", -1);
        return own(route).equals(route.template()) || segments.length < 2 ? "server" : segments[1];
    }

    private static String own(Route route) {
        return route.template().startsWith(PREFIX + "/")
                ? route.template().substring(PREFIX.length())
                : route.template();
    }
}
