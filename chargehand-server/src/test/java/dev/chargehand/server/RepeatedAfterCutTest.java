package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams of starts with a key that are sent again because their connection was cut. */
@Timeout(300)
class RepeatedAfterCutTest extends ServerFixture {

    /** The requests of each wire that start a run under a key. */
    enum Start {
        OWN("/api/v1/agents/writer/runs", Map.of("input", "Write.")),
        CHAT_STREAM("/v1/chat/completions", Map.of("model", "writer", "messages", List.of(user()), "stream", true)),
        RESPONSES_STREAM("/v1/responses", Map.of("model", "writer", "input", "Write.", "stream", true)),
        AI_SDK("/ai-sdk/writer", Map.of("id", "t", "messages", List.of(user()))),
        AG_UI("/ag-ui/writer", Map.of("threadId", "t", "runId", "k", "messages", List.of(user()))),
        MASTRA_STREAM("/api/agents/writer/stream", Map.of("messages", "Write.", "runId", "k"));

        private final String path;
        private final String body;

        Start(String path, Map<String, Object> body) {
            this.path = path;
            this.body = Json.of(body).text();
        }

        private static Map<String, Object> user() {
            return Map.of(
                    "id",
                    "1",
                    "role",
                    "user",
                    "content",
                    "Write.",
                    "parts",
                    List.of(Map.of("type", "text", "text", "Write.")));
        }
    }

    static Stream<Arguments> starts() {
        return Stream.of(Start.values())
                .flatMap(start -> Stream.of(HttpBinding.values()).map(binding -> Arguments.of(start, binding)));
    }

    private HttpRequest request(ChargehandServer server, Start start) {
        return request(server, start.path)
                .headers("Content-Type", "application/json", "Idempotency-Key", "k")
                .headers(
                        start == Start.OWN
                                ? new String[] {"Accept", "text/event-stream"}
                                : new String[] {"Accept", "*/*"})
                .POST(HttpRequest.BodyPublishers.ofString(start.body))
                .build();
    }

    /** The end of a connection is noticed later than its client sends the request again; the run is then not cancelled under its new reader. */
    @ParameterizedTest
    @MethodSource("starts")
    void aStartWhoseConnectionIsCutIsReadByTheNextOne(Start start, HttpBinding binding) throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        script.on("writer").does(asked::countDown).and().waitsFor(go).and().says("Once.");
        Store store = InMemoryStore.keepingEndedRuns();
        ChargehandServer server = serve(runtime(store), builder -> builder.binding(binding)
                .limit(ServerLimit.STREAMS_OF_RUN, 2)
                .timeLimit(ServerTimeLimit.HEARTBEAT, Duration.ofMillis(20)));
        RawClient cut = cutLater(server, start);
        asked.await();
        String run = store.list(RunFilter.ALL).getFirst().runId().value();
        HttpResponse<InputStream> again =
                client.send(request(server, start), HttpResponse.BodyHandlers.ofInputStream());
        cut.close();
        HttpRequest events = request(server, "/api/v1/runs/" + run + "/events").build();
        while (client.send(events, HttpResponse.BodyHandlers.ofInputStream()).statusCode() == 429) {
            Thread.onSpinWait(); // until the first request has left its place
        }
        go.countDown();
        String body = new String(again.body().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(again.headers().firstValue("X-Run-Id")).contains(run);
        assertThat(body).contains("Once.");
        assertThat(store.list(RunFilter.ALL)).hasSize(1);
    }

    private RawClient cutLater(ChargehandServer server, Start start) throws IOException {
        String accept = start == Start.OWN ? "Accept: text/event-stream\r\n" : "";
        return new RawClient(server)
                .send("POST " + start.path + " HTTP/1.1\r\nHost: "
                        + server.uri().getAuthority()
                        + "\r\nContent-Type: application/json\r\nIdempotency-Key: k\r\n" + accept + "Content-Length: "
                        + start.body.length() + "\r\n\r\n" + start.body);
    }
}
