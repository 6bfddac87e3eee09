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

    private final Json document;
    private final Map<String, JsonSchema> schemas = new ConcurrentHashMap<>();

    Contract(Json document) {
        this.document = document;
    }

    /** Check an answer; those of paths that are no route are not described. */
    void check(HttpRequest request, HttpResponse<String> answer) {
        Optional<Json> operation = operation(request.method(), request.uri().getRawPath());
        if (operation.isEmpty()) {
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

    /** Check a request that was accepted. */
    void checkAccepted(HttpRequest request, Json body) {
        Optional<Json> operation = operation(request.method(), request.uri().getRawPath());
        if (operation.isEmpty()) {
            return; // of a wire
        }
        Optional<Json> described = operation.flatMap(found -> found.at("/requestBody/content/application~1json"));
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
        String schema = strict(content.at("/schema").orElseThrow().text());
        return schemas.computeIfAbsent(
                        schema,
                        text -> JsonSchema.of(Json.of(Map.of(
                                "allOf",
                                List.of(Json.parse(text)),
                                "components",
                                Json.parse(strict(
                                        document.at("/components").orElseThrow().text()))))))
                .violations(body);
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
        return document.at("/paths").orElseThrow().fields().entrySet().stream()
                .filter(entry -> Pattern.matches(entry.getKey().replaceAll("\\{[a-z]+}", "[^/]+"), path))
                .sorted(Comparator.comparing(entry -> entry.getKey().contains("{")))
                .findFirst()
                .flatMap(entry -> entry.getValue().at("/" + method.toLowerCase(Locale.ROOT)));
    }
}
