package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentCatalog;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.json.Json;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the OpenAPI document does not allow in a body, the server rejects, for every route that takes one. */
class RejectedBodiesOverHttpTest extends ServerFixture {

    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "0",
            "-1",
            "1.5",
            "1e400",
            "99999999999999999999",
            "\"\"",
            "\"  \"",
            "\"text\"",
            "\"\\u0000\"",
            "\"" + "x".repeat(300_000) + "\"",
            "[]",
            "[1]",
            "[[]]",
            "{}",
            "{\"unknown\":1}",
            "{\"a\":{\"b\":[]}}");

    /** Bodies that are accepted, by the routes. */
    private static final Map<String, Map<String, Object>> BASES = Map.of(
            "/api/v1/agents/{id}/runs", Map.of("input", "Write."),
            "/api/v1/agents/{id}/versions", Map.of("document", "Write."),
            "/api/v1/workflows/{id}/runs", Map.of("input", Map.of("amount", 1)),
            "/api/v1/runs/{id}/messages", Map.of("input", "More."),
            "/api/v1/runs/{id}/fork", Map.of("afterStep", 0, "input", "Other."),
            "/api/v1/approvals/{id}/answer", Map.of("decision", "approve", "digest", "d"),
            "/api/v1/memory/threads/{id}/working", Map.of("text", "Text."),
            "/api/v1/memory/resource/working", Map.of("text", "Text."),
            "/api/v1/threads/{id}/clone", Map.of("title", "Title."));

    @Override
    AgentRuntimeBuilder changed(AgentRuntimeBuilder runtime) {
        return runtime.catalog(AgentCatalog.stored((id, version, document) -> agents().getFirst()));
    }

    private final Map<String, String> ids = new LinkedHashMap<>();

    private ChargehandServer prepared(Store store, HttpBinding binding) {
        script.on("writer").says("Done.");
        script.on("clerk").calls("pay", Map.of("amount", 1)).then().says("Paid.");
        ChargehandServer server = serve(runtime(store), builder -> builder.binding(binding)
                .limit(ServerLimit.REQUEST_BURST, 100_000)
                .limit(ServerLimit.START_BURST, 100_000));
        HttpResponse<String> run = post(
                server,
                "/api/v1/agents/writer/runs",
                Map.of("input", "Write.", "thread", "t", "resource", "ann"),
                "Prefer",
                "wait=30");
        post(server, "/api/v1/agents/clerk/runs", prompt("Pay."), "Prefer", "wait=30");
        ids.put("agents", "writer");
        ids.put("workflows", "pricing");
        ids.put("runs", at(run, "/runId"));
        ids.put("threads", "t");
        ids.put("approvals", at(get(server, "/api/v1/approvals"), "/approvals/0/id"));
        return server;
    }

    private String filled(String template) {
        String path = template;
        for (Map.Entry<String, String> id : ids.entrySet()) {
            path = path.replace("/" + id.getKey() + "/{id}", "/" + id.getKey() + "/" + id.getValue());
        }
        return path + (path.contains("threads") || path.contains("memory") ? "?resource=ann" : "");
    }

    private static List<Json> variants(Json schema, Map<String, Object> base) {
        List<Json> bodies = new ArrayList<>();
        String required = schema.at("/required").map(Json::text).orElse("");
        for (Map.Entry<String, Json> field :
                schema.at("/properties").map(Json::fields).orElse(Map.of()).entrySet()) {
            for (String value : VALUES) {
                boolean isAbsence = value.equals("null") && !required.contains("\"" + field.getKey() + "\"");
                if (!isAbsence) {
                    bodies.add(with(base, field.getKey(), Json.parse(value)));
                }
            }
            Json nested = field.getValue();
            for (String name :
                    nested.at("/properties").map(Json::fields).orElse(Map.of()).keySet()) {
                VALUES.stream()
                        .filter(value -> !value.equals("null"))
                        .forEach(value ->
                                bodies.add(with(base, field.getKey(), Json.of(Map.of(name, Json.parse(value))))));
            }
            Map<String, Object> missing = new LinkedHashMap<>(base);
            missing.remove(field.getKey());
            bodies.add(Json.of(missing));
        }
        bodies.add(with(base, "unknown", Json.of(1)));
        return bodies;
    }

    private static Json with(Map<String, Object> base, String name, Json value) {
        Map<String, Object> fields = new LinkedHashMap<>(base);
        fields.put(name, value);
        return Json.of(fields);
    }

    @ParameterizedTest
    @EnumSource
    void aBodyThatTheDocumentDoesNotAllowIsRejected(HttpBinding binding) {
        Store store = InMemoryStore.keepingEndedRuns();
        ChargehandServer server = prepared(store, binding);
        int before = store.list(RunFilter.ALL).size();
        String text = get(server, "/openapi.json").body();
        Json document = Json.parse(text);
        Contract contract = Contract.of(text);
        int routes = 0;
        int sent = 0;
        for (Map.Entry<String, Json> path :
                document.at("/paths").orElseThrow().fields().entrySet()) {
            for (Map.Entry<String, Json> operation : path.getValue().fields().entrySet()) {
                List<Json> shapes = contract.requests(operation.getValue());
                routes += shapes.isEmpty() ? 0 : 1;
                for (Json shape : shapes) {
                    for (Json body : variants(shape, BASES.getOrDefault(path.getKey(), Map.of()))) {
                        if (contract.allows(operation.getValue(), body)) {
                            continue;
                        }
                        sent++;
                        HttpResponse<String> answer = send(request(server, filled(path.getKey()))
                                .header("Content-Type", "application/json")
                                .method(
                                        operation.getKey().toUpperCase(java.util.Locale.ROOT),
                                        HttpRequest.BodyPublishers.ofString(body.text()))
                                .build());
                        String what = path.getKey() + " "
                                + body.text()
                                        .substring(0, Math.min(200, body.text().length())) + " → "
                                + answer.body();
                        assertThat(answer.statusCode()).as(what).isIn(400, 422);
                    }
                }
            }
        }
        assertThat(routes).isGreaterThan(9);
        assertThat(sent).isGreaterThan(300);
        assertThat(store.list(RunFilter.ALL)).hasSize(before);
        assertThat(paid).isEmpty();
    }
}
