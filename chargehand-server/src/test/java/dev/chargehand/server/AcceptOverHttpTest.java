package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.json.JsonType;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A caller chooses what a route sends, and one that accepts nothing of it changes nothing. */
class AcceptOverHttpTest extends ServerFixture {

    private static final String START = "/api/v1/agents/writer/runs";
    private static final String STREAM = "text/event-stream";
    private static final String JSON = "application/json";

    private static String type(HttpResponse<String> answer) {
        return answer.headers().firstValue("Content-Type").orElse("none");
    }

    private HttpResponse<String> get(ChargehandServer server, String path, String... accept) {
        HttpRequest.Builder request = request(server, path);
        List.of(accept).forEach(line -> request.header("Accept", line));
        return send(request.build());
    }

    private String started(ChargehandServer server, String... accept) {
        HttpRequest.Builder request = request(server, START)
                .header("Content-Type", JSON)
                .POST(HttpRequest.BodyPublishers.ofString("{\"input\":\"Write.\"}"));
        List.of(accept).forEach(line -> request.header("Accept", line));
        HttpResponse<String> answer = send(request.build());
        assertThat(answer.statusCode()).as(answer.body()).isIn(200, 202);
        return type(answer);
    }

    @ParameterizedTest
    @EnumSource
    void aStartIsAnsweredWithWhatTheCallerPrefers(HttpBinding binding) {
        script.on("writer").says("Done.").forever();
        ChargehandServer server = serve(binding);
        for (String accept : List.of("*/*", "garbage", "", JSON, STREAM + ";q=0.5, " + JSON, STREAM + ";q=0, */*")) {
            assertThat(started(server, accept)).as(accept).isEqualTo(JSON);
        }
        for (String accept : List.of(STREAM, STREAM + ", " + JSON, JSON + ", " + STREAM, JSON + ";q=0.5," + STREAM)) {
            assertThat(started(server, accept)).as(accept).isEqualTo(STREAM);
        }
        assertThat(started(server)).isEqualTo(JSON);
        assertThat(started(server, JSON + ";q=0.1", STREAM)).isEqualTo(STREAM);
        assertThat(started(server, STREAM + ";q=0.1", JSON)).isEqualTo(JSON);
    }

    @ParameterizedTest
    @EnumSource
    void theEventsOfARunAreSentAsTheCallerPrefers(HttpBinding binding) {
        script.on("writer").says("Done.").forever();
        ChargehandServer server = serve(binding);
        HttpResponse<String> run = post(server, START, prompt("Write."), "Prefer", "wait=60");
        String events = "/api/v1/runs/" + at(run, "/runId") + "/events";
        for (String accept : List.of("*/*", STREAM, STREAM + ", */*", JSON + ";q=0.5, " + STREAM, JSON + ";q=0, */*")) {
            assertThat(type(get(server, events, accept))).as(accept).isEqualTo(STREAM);
        }
        for (String accept : List.of(JSON, JSON + ", " + STREAM, JSON + ", text/plain, */*", "application/*")) {
            assertThat(type(get(server, events, accept))).as(accept).isEqualTo(JSON);
        }
        assertThat(type(get(server, events))).isEqualTo(STREAM);
        assertThat(type(get(server, events, JSON + ";q=0.1", STREAM))).isEqualTo(STREAM);
    }

    @ParameterizedTest
    @EnumSource
    void aCallerThatAcceptsNothingOfARouteChangesNothing(HttpBinding binding) {
        Store store = InMemoryStore.keepingEndedRuns();
        ChargehandServer server = serve(runtime(store), builder -> builder.binding(binding));
        List<Map<String, String>> routes = Json.parse(
                        super.get(server, "/api/v1/info").body())
                .at("/routes")
                .orElseThrow()
                .as(new JsonType<>() {});
        int rejected = 0;
        for (Map<String, String> route : routes) {
            if (!route.containsKey("scope") || !route.get("path").startsWith("/api/v1/")) {
                continue;
            }
            String path = route.get("path").replaceAll("\\{[^}]*}", "writer");
            HttpResponse<String> answer = send(request(server, path)
                    .header("Accept", "text/html, " + JSON + ";q=0")
                    .header("Accept", STREAM + ";q=0")
                    .header("Content-Type", JSON)
                    .method(
                            route.get("method"),
                            route.get("method").equals("GET")
                                    ? HttpRequest.BodyPublishers.noBody()
                                    : HttpRequest.BodyPublishers.ofString("{}"))
                    .build());
            if (answer.statusCode() == 404) {
                assertThat(route.get("method")).as(route.toString()).isEqualTo("DELETE"); // it sends no body
                continue;
            }
            assertThat(answer.statusCode()).as(route + " " + answer.body()).isEqualTo(406);
            assertThat(type(answer)).isEqualTo("application/problem+json");
            assertThat(at(answer, "/code")).isEqualTo("not-acceptable");
            assertThat(at(answer, "/detail")).contains("'Accept'").containsAnyOf(JSON, STREAM);
            rejected++;
        }
        assertThat(rejected).isGreaterThan(30);
        assertThat(store.list(RunFilter.ALL)).isEmpty();
        assertThat(script.requests()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aProblemIsSentHoweverTheCallerAccepts(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        HttpResponse<String> stream = get(server, "/api/v1/runs/none/events", STREAM);
        assertThat(stream.statusCode()).isEqualTo(404);
        assertThat(type(stream)).isEqualTo("application/problem+json");
        HttpResponse<String> nowhere = get(server, "/api/v1/nowhere", "text/html");
        assertThat(nowhere.statusCode()).isEqualTo(404);
        assertThat(type(nowhere)).isEqualTo("application/problem+json");
    }

    @ParameterizedTest
    @EnumSource
    void whatAnyCallerMayReadIsSentHoweverItAccepts(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        for (String path : List.of("/healthz", "/readyz", "/openapi.json", "/api/v1/info", "/")) {
            assertThat(get(server, path, "text/plain").statusCode()).as(path).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @EnumSource
    void onTheWiresOfOtherClientsTheBodyDecides(HttpBinding binding) {
        script.on("writer").says("Done.").forever();
        ChargehandServer server = serve(binding);
        Map<String, Object> message = Map.of("role", "user", "content", "Write.");
        Map<String, Object> parts =
                Map.of("role", "user", "id", "m", "parts", List.of(Map.of("type", "text", "text", "Write.")));
        Map<String, Map<String, Object>> streams = Map.of(
                "/v1/chat/completions", Map.of("model", "writer", "stream", true, "messages", List.of(message)),
                "/v1/responses", Map.of("model", "writer", "stream", true, "input", "Write."),
                "/api/agents/writer/stream", Map.of("messages", "Write."),
                "/ai-sdk/writer", Map.of("id", "chat", "messages", List.of(parts)),
                "/ag-ui/writer", Map.of("threadId", "t", "runId", "r", "messages", List.of(message)));
        streams.forEach((path, body) -> {
            for (String accept : List.of(JSON, "image/png")) {
                HttpResponse<String> answer = post(server, path, body, "Accept", accept);
                assertThat(answer.statusCode()).as(path + answer.body()).isEqualTo(200);
                assertThat(type(answer)).as(path).startsWith(STREAM);
            }
        });
        HttpResponse<String> whole = post(
                server,
                "/v1/chat/completions",
                Map.of("model", "writer", "messages", List.of(message)),
                "Accept",
                STREAM);
        assertThat(type(whole)).isEqualTo(JSON);
    }
}
