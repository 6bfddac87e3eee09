package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.chargehand.AgentRuntime;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonType;
import dev.chargehand.store.InMemoryStore;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every route with callers that may not call it, and ids that belong to other callers. */
class AccessOverHttpTest extends ServerFixture {

    @TempDir
    private Path folder;

    private ApiKeys keys;
    private ChargehandServer server;
    private String ann;
    private String bob;
    private String foreign;
    private String expired;
    private String nothing;

    @BeforeEach
    void start() {
        keys = ApiKeys.of(folder.resolve("keys.json"));
        ann = add("ann", "local", "ann", Optional.empty());
        bob = add("bob", "local", "bob", Optional.empty());
        foreign = add("eve", "other", "ann", Optional.empty());
        expired = add("old", "local", "ann", Optional.of(Instant.EPOCH));
        nothing = keys.add(new ApiKey(
                "nothing", new Principal("nothing", "local", Optional.of("ann"), Set.of()), Optional.empty()));
        script.on("clerk").calls("pay", Map.of("amount", 1)).then().says("Paid.");
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        server = serve(runtime, builder -> builder.binding(HttpBinding.JDK).addPrincipals(keys));
    }

    private String add(String name, String tenant, String resource, Optional<Instant> expiry) {
        Set<Scope> scopes = EnumSet.complementOf(EnumSet.of(Scope.RESOURCES_ANY));
        return keys.add(new ApiKey(name, new Principal(name, tenant, Optional.of(resource), scopes), expiry));
    }

    private HttpResponse<String> call(String method, String path, String key) {
        HttpRequest.Builder request = request(server, path);
        if (!key.isEmpty()) {
            request.header("Authorization", "Bearer " + key);
        }
        if (method.equals("GET") || method.equals("DELETE")) {
            return send(
                    request.method(method, HttpRequest.BodyPublishers.noBody()).build());
        }
        String body = path.endsWith("/answer")
                ? "{\"decision\":\"approve\",\"digest\":\"d\"}"
                : path.endsWith("/fork")
                        ? "{\"afterStep\":0}"
                        : path.endsWith("/messages") ? "{\"input\":\"x\"}" : "{}";
        return send(request.header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    private List<Map<String, String>> routes() {
        return Json.parse(get(server, "/api/v1/info").body())
                .at("/routes")
                .orElseThrow()
                .as(new JsonType<>() {});
    }

    @Test
    void everyRouteWithAScopeRejectsCallersWithoutIt() {
        int checked = 0;
        for (Map<String, String> route : routes()) {
            String path = route.get("path").replace("{code}", "run-unknown").replaceAll("\\{[a-z]+}", "x");
            if (!route.containsKey("scope")) {
                assertThat(call(route.get("method"), path, "").statusCode())
                        .as(path)
                        .isEqualTo(200);
                continue;
            }
            checked++;
            for (String key : List.of("", "chk_unknown", expired, "Basic x")) {
                HttpResponse<String> answer = call(route.get("method"), path, key);
                assertThat(answer.statusCode()).as(route + " with " + key).isEqualTo(401);
                assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
            }
            HttpResponse<String> narrow = call(route.get("method"), path, nothing);
            assertThat(narrow.statusCode()).as(route + " without a scope").isEqualTo(403);
            assertThat(narrow.body()).contains(route.get("scope"));
        }
        assertThat(checked).isGreaterThan(20);
    }

    @Test
    void whatBelongsToOthersLooksLikeWhatDoesNotExist() {
        HttpResponse<String> started = send(request(server, "/api/v1/agents/clerk/runs")
                .headers("Authorization", "Bearer " + ann, "Content-Type", "application/json", "Prefer", "wait=30")
                .POST(HttpRequest.BodyPublishers.ofString("{\"input\":\"Pay.\",\"thread\":\"t\"}"))
                .build());
        assertThat(at(started, "/status")).isEqualTo("suspended");
        String run = at(started, "/runId");
        String approval = at(call("GET", "/api/v1/approvals", ann), "/approvals/0/id");
        assertThat(approval).startsWith(run);
        int compared = 0;
        for (Map<String, String> route : routes()) {
            String template = route.get("path");
            if (!template.contains("{id}") || template.matches("/api/(v1/)?(agents|workflows)/.*|/v1/models/.*")) {
                continue;
            }
            String prefix = template.startsWith("/v1/responses/")
                    ? "resp_"
                    : template.startsWith("/v1/chat/") ? "chatcmpl-" : "";
            String own = template.contains("/approvals/")
                    ? approval
                    : template.matches(".*/(threads|conversations)/.*") ? "t" : prefix + run;
            String absent = template.contains("/approvals/") ? "run_absent.call.1" : prefix + "run_absent";
            HttpResponse<String> missing = call(
                    route.get("method"),
                    template.replace("{id}", absent).replace("{path}", "p").replace("{item}", "i"),
                    bob);
            for (String key : List.of(bob, foreign)) {
                HttpResponse<String> theirs = call(
                        route.get("method"),
                        template.replace("{id}", own).replace("{path}", "p").replace("{item}", "i"),
                        key);
                boolean saysSo = template.endsWith("/working-memory")
                        && route.get("method").equals("GET");
                assertThat(theirs.statusCode()).as(route.toString()).isEqualTo(saysSo ? 200 : 404);
                assertThat(theirs.body()).as(route.toString()).isEqualTo(missing.body());
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(25);
        assertThat(call("GET", "/api/v1/runs", bob).body()).doesNotContain(run);
        assertThat(call("GET", "/api/v1/approvals", foreign).body()).doesNotContain(run);
        assertThat(call("GET", "/api/v1/runs", ann).body()).contains(run);
        assertThat(paid).isEmpty();
    }

    @Test
    void aTaskOfOthersLooksLikeOneThatDoesNotExist() {
        script.on("lead")
                .calls("agent-writer", Map.of("prompt", "Write.", "background", true))
                .then()
                .says("It has started.");
        script.on("writer").says("A letter.");
        HttpResponse<String> started = send(request(server, "/api/v1/agents/lead/runs")
                .headers("Authorization", "Bearer " + ann, "Content-Type", "application/json", "Prefer", "wait=30")
                .POST(HttpRequest.BodyPublishers.ofString("{\"input\":\"Write.\",\"thread\":\"t\"}"))
                .build());
        String task = at(call("GET", "/api/v1/tasks?run=" + at(started, "/runId"), ann), "/tasks/0/id");
        assertThat(at(call("GET", "/api/v1/tasks/" + task, ann), "/id")).isEqualTo(task);
        assertThat(at(call("GET", "/api/v1/tasks", ann), "/tasks/0/id")).isEqualTo(task);
        for (String key : List.of(bob, foreign)) {
            HttpResponse<String> theirs = call("GET", "/api/v1/tasks/" + task, key);
            assertThat(theirs.statusCode()).isEqualTo(404);
            assertThat(theirs.body())
                    .isEqualTo(call("GET", "/api/v1/tasks/none", key).body());
            assertThat(call("GET", "/api/v1/tasks", key).body()).doesNotContain(task);
        }
    }

    @Test
    void aCallerActsForItsOwnResourceOnly() {
        HttpResponse<String> named = call("GET", "/api/v1/threads?resource=bob", ann);
        assertThat(named.statusCode()).isEqualTo(403);
        assertThat(at(named, "/scope")).isEqualTo("resources:any");
    }

    @Test
    void aRevokedKeyIsUnknown() throws InterruptedException {
        assertThat(call("GET", "/api/v1/agents", bob).statusCode()).isEqualTo(200);
        assertThat(keys.revoke("bob")).isTrue();
        assertThat(call("GET", "/api/v1/agents", bob).statusCode()).isEqualTo(401);
        assertThat(keys.list()).extracting(ApiKey::name).doesNotContain("bob");
    }

    @Test
    void aServerWithoutSignInListensOnThisMachineOnly() {
        AgentRuntime runtime = runtime(InMemoryStore.create());
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> ChargehandServer.builder(runtime)
                        .host("0.0.0.0")
                        .port(0)
                        .start())
                .withMessageContaining("has no sign-in");
    }

    @Test
    void pagesOfOtherHostsAndOriginsAreRejected() {
        HttpResponse<String> origin = send(request(server, "/api/v1/info")
                .header("Origin", "http://evil.example")
                .build());
        assertThat(at(origin, "/code")).isEqualTo("bad-origin");
        HttpResponse<String> own = send(request(server, "/api/v1/info")
                .header("Origin", server.uri().toString())
                .build());
        assertThat(own.statusCode()).isEqualTo(200);
    }
}
