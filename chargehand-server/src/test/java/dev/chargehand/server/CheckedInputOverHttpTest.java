package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.json.Json;
import dev.chargehand.processor.InputProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.store.InMemoryStore;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A run whose input is still being checked is not stored yet; the request that has started it reads it all the same. */
class CheckedInputOverHttpTest extends ServerFixture {

    private static final List<String> PATHS = List.of(
            "/api/v1/agents/guarded/runs",
            "/api/agents/guarded/stream",
            "/api/agents/guarded/network",
            "/ai-sdk/guarded",
            "/v1/chat/completions",
            "/v1/responses");

    private final CountDownLatch checked = new CountDownLatch(1);

    @Override
    List<Agent> agents() {
        InputProcessor guard = InputProcessor.of("guard", (context, messages) -> {
            checked.await();
            return messages.getLast().text().contains("Bad") ? Processed.abort("Not that.") : Processed.unchanged();
        });
        return List.of(Agent.builder("guarded")
                .model(script.modelFor("guarded"))
                .inputProcessors(guard)
                .build());
    }

    static Stream<Arguments> everyStream() {
        return Stream.of(HttpBinding.values())
                .flatMap(binding -> PATHS.stream().map(path -> Arguments.of(binding, path)));
    }

    private static Map<String, Object> body(String path, String text) {
        if (path.startsWith("/api/v1/")) {
            return prompt(text);
        }
        Map<String, Object> message = Map.of(
                "id", "1", "role", "user", "content", text, "parts", List.of(Map.of("type", "text", "text", text)));
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("id", "chat");
        if (path.startsWith("/v1/")) {
            body.put("model", "guarded");
        }
        body.put("stream", true);
        body.put("messages", List.of(message));
        body.put("input", text);
        return body;
    }

    @ParameterizedTest
    @MethodSource("everyStream")
    void aStreamStartsWhileTheInputIsChecked(HttpBinding binding, String path) throws Exception {
        script.on("guarded").says("Done.").forever();
        ChargehandServer server = serve(runtime(InMemoryStore.keepingEndedRuns()), builder -> builder.binding(binding)
                .timeLimit(ServerTimeLimit.HEARTBEAT, Duration.ofMillis(50)));
        HttpRequest request = request(server, path)
                .headers("Content-Type", "application/json", "Accept", "text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofString(
                        Json.of(body(path, "Go.")).text()))
                .build();

        HttpResponse<InputStream> stream = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        checked.countDown();

        String text = new String(stream.body().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(stream.statusCode()).as(text).isEqualTo(200);
        assertThat(text).contains(path.endsWith("/network") ? "network-execution" : "Done.");
    }

    @ParameterizedTest
    @MethodSource("everyStream")
    void aStreamSaysThatItsInputIsRejected(HttpBinding binding, String path) {
        ChargehandServer server = serve(binding);
        checked.countDown();
        HttpResponse<String> stream = post(server, path, body(path, "Bad."), "Accept", "text/event-stream");
        assertThat(stream.statusCode()).as(stream.body()).isEqualTo(200);
        assertThat(stream.body()).as(path).containsAnyOf("tripwire", "content_filter", "incomplete");
    }
}
