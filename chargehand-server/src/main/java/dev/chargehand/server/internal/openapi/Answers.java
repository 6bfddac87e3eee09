package dev.chargehand.server.internal.openapi;

import dev.chargehand.server.internal.route.Operation;
import dev.chargehand.server.internal.route.Problem;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.shape.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The answers of a route in the OpenAPI document: its own, its problems, and those that every route has. */
final class Answers {

    private static final List<Problem> ANY_ROUTE = List.of(
            Problem.BAD_REQUEST,
            Problem.BAD_PATH,
            Problem.BAD_HOST,
            Problem.BAD_ORIGIN,
            Problem.PATH_TOO_LONG,
            Problem.BAD_JSON,
            Problem.BODY_TOO_LARGE,
            Problem.NOT_JSON,
            Problem.INTERNAL);

    private static final List<Problem> SIGNED_IN =
            List.of(Problem.NOT_SIGNED_IN, Problem.NOT_ALLOWED, Problem.RATE_LIMITED, Problem.STORE_UNAVAILABLE);

    private final Route route;
    private final Map<String, Object> components;
    private final Shape problem;

    Answers(Route route, Map<String, Object> components, Shape problem) {
        this.route = route;
        this.components = components;
        this.problem = problem;
    }

    /** Return all, by their status. */
    Map<String, Object> all() {
        Map<String, Object> all = new TreeMap<>();
        if (!route.operation().isDescribed()) { // a route of another protocol, which also has its own form of errors
            all.put("default", Map.of("description", "As the protocol defines it."));
            return all;
        }
        route.operation().answers().forEach((status, answer) -> all.put(Integer.toString(status), answer(answer)));
        problems().stream()
                .collect(Collectors.groupingBy(Problem::status))
                .forEach((status, same) -> all.put(Integer.toString(status), problems(same)));
        all.put("default", content("Another problem.", "application/problem+json", problem));
        return all;
    }

    private List<Problem> problems() {
        List<Problem> all = new ArrayList<>(ANY_ROUTE);
        if (route.access().signedIn()) {
            all.addAll(SIGNED_IN);
        }
        if (!route.mediaTypes().isEmpty()) {
            all.add(Problem.NOT_ACCEPTABLE);
        }
        all.addAll(route.operation().problems());
        return all.stream().distinct().sorted().toList();
    }

    private Map<String, Object> problems(List<Problem> same) {
        Map<String, Object> fields = content(
                same.stream()
                        .map(each -> "`" + each.code() + "`: " + each.title() + ".")
                        .collect(Collectors.joining(" ")),
                "application/problem+json",
                problem);
        if (same.getFirst().isTemporary()) {
            fields.put("headers", headers(Map.of("Retry-After", "After how many seconds the request may succeed.")));
        }
        return fields;
    }

    private Map<String, Object> answer(Operation.Answer answer) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("description", answer.description());
        if (!answer.headers().isEmpty()) {
            fields.put("headers", headers(answer.headers()));
        }
        if (!answer.bodies().isEmpty()) {
            Map<String, Object> content = new TreeMap<>();
            answer.bodies()
                    .forEach((mediaType, body) -> content.put(mediaType, Map.of("schema", body.write(components))));
            fields.put("content", content);
        }
        return fields;
    }

    private Map<String, Object> headers(Map<String, String> descriptions) {
        Map<String, Object> headers = new TreeMap<>();
        descriptions.forEach((name, text) -> {
            Map<String, Object> header = new LinkedHashMap<>(); // so that the document has the same order each time
            header.put("schema", Shape.TEXT.write(components));
            header.put("description", text);
            headers.put(name, header);
        });
        return headers;
    }

    private Map<String, Object> content(String description, String mediaType, Shape shape) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("description", description);
        fields.put("content", Map.of(mediaType, Map.of("schema", shape.write(components))));
        return fields;
    }
}
