package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** Compares what a server answers with its OpenAPI document: the status, the code of a problem, and every field of a body. */
final class Contract {

    /** By the text of the document, which servers of most tests share: to compile its schemas takes longer than a test. */
    private static final Map<String, Contract> KNOWN = new ConcurrentHashMap<>();

    private final Json document;
    private final Map<String, JsonSchema> schemas = new ConcurrentHashMap<>();
    private final List<Route> routes;

    /** A path of the document, with what it looks like in a request. */
    private record Route(Pattern path, Json operations) {}

    private Contract(Json document) {
        this.document = document;
        routes = document.at("/paths").orElseThrow().fields().entrySet().stream()
                .sorted(Comparator.comparing(entry -> entry.getKey().contains("{")))
                .map(entry -> new Route(
                        Pattern.compile(entry.getKey().replaceAll("\\{[A-Za-z]+}", "[^/]+")), entry.getValue()))
                .toList();
    }

    /** Return what a document promises. */
    static Contract of(String document) {
        return KNOWN.computeIfAbsent(document, text -> new Contract(Json.parse(text)));
    }

    /** Check an answer; those of paths that are no route are not described. */
    void check(HttpRequest request, HttpResponse<String> answer) {
        Optional<Json> operation = operation(request.method(), request.uri().getRawPath());
        if (operation.isEmpty()) {
            return;
        }
        if (isOfAnotherProtocol(operation.get())) {
            return;
        }
        String what = request.method() + " " + request.uri() + " → " + answer.statusCode();
        Map<String, Json> answers =
                operation.get().at("/responses").orElseThrow().fields();
        Json described = answers.get(Integer.toString(answer.statusCode()));
        assertThat(described).as(what + " " + answer.body()).isNotNull();
        String mediaType = answer.headers().firstValue("Content-Type").orElse("");
        Map<String, Json> bodies = described.at("/content").map(Json::fields).orElse(Map.of());
        if (answer.body().isEmpty()) {
            assertThat(bodies).as(what).isEmpty();
            return;
        }
        assertThat(bodies).as(what).containsKey(mediaType);
        if (mediaType.endsWith("json")) {
            Json body = Json.parse(answer.body());
            if (mediaType.equals("application/problem+json")) {
                assertThat(described.at("/description").flatMap(Json::string).orElse(""))
                        .as(what)
                        .contains("`" + body.at("/code").flatMap(Json::string).orElseThrow() + "`");
            }
            assertThat(violations(bodies.get(mediaType), body))
                    .as(what + "\n" + answer.body())
                    .isEmpty();
        }
    }

    /** Return whether the document leaves an operation to the protocol that defines it. */
    static boolean isOfAnotherProtocol(Json operation) {
        return operation.at("/responses/400").isEmpty();
    }

    /** Check a request that was accepted. */
    void checkAccepted(HttpRequest request, Json body) {
        Optional<Json> operation = operation(request.method(), request.uri().getRawPath());
        if (operation.filter(Contract::isOfAnotherProtocol).isPresent()) {
            return;
        }
        Optional<Json> described = operation.flatMap(it -> it.at("/requestBody/content/application~1json"));
        assertThat(described).as(request + " has a body").isPresent();
        assertThat(violations(described.get(), body))
                .as(request + "\n" + body.text())
                .isEmpty();
    }

    /** Return the shapes that the body of an operation may have, without references; none if it takes no body. */
    List<Json> requests(Json operation) {
        Optional<Json> schema = operation.at("/requestBody/content/application~1json/schema");
        if (schema.isEmpty()) {
            return List.of();
        }
        List<Json> shapes = new ArrayList<>();
        for (int i = 0; schema.get().at("/anyOf/" + i).isPresent(); i++) {
            shapes.add(resolved(schema.get().at("/anyOf/" + i).orElseThrow()));
        }
        return shapes.isEmpty() ? List.of(resolved(schema.get())) : shapes;
    }

    private Json resolved(Json schema) {
        return schema.at("/$ref")
                .flatMap(Json::string)
                .flatMap(reference -> document.at(reference.substring(1)))
                .orElse(schema);
    }

    /** Return whether the body of an operation may be this one. */
    boolean allows(Json operation, Json body) {
        return violations(operation.at("/requestBody/content/application~1json").orElseThrow(), body)
                .isEmpty();
    }

    private List<String> violations(Json content, Json body) {
        return schemas.computeIfAbsent(content.at("/schema").orElseThrow().text(), this::compiled)
                .violations(body);
    }

    private JsonSchema compiled(String schema) {
        Json components = document.at("/components").orElseThrow();
        return JsonSchema.of(Json.of(Map.of(
                "allOf", List.of(Json.parse(strict(schema))), "components", Json.parse(strict(components.text())))));
    }

    /** Reject fields that the document does not name, which clients have to accept. */
    private static String strict(String schema) {
        return closed(Json.parse(schema)).text();
    }

    private static Json closed(Json json) {
        if (!json.isObject()) {
            return json.text().startsWith("[") ? Json.of(items(json)) : json;
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        json.fields().forEach((name, value) -> fields.put(name, closed(value)));
        if (json.fields().containsKey("properties") && json.fields().containsKey("type")) {
            fields.put("additionalProperties", false);
        }
        return Json.of(fields);
    }

    private static List<Json> items(Json list) {
        List<Json> items = new ArrayList<>();
        for (int i = 0; list.at("/" + i).isPresent(); i++) {
            items.add(closed(list.at("/" + i).orElseThrow()));
        }
        return items;
    }

    private Optional<Json> operation(String method, String path) {
        return routes.stream()
                .filter(route -> route.path().matcher(path).matches())
                .findFirst()
                .flatMap(route -> route.operations().at("/" + method.toLowerCase(Locale.ROOT)));
    }
}
