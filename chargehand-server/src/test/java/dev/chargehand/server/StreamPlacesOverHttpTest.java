package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.json.Json;
import dev.chargehand.processor.InputProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The last place for a stream: the request that takes it first has it from before its start until it was answered, in any way. */
class StreamPlacesOverHttpTest extends ServerFixture {

    private static final List<String> PATHS = List.of(
            "/api/v1/agents/guarded/runs",
            "/api/agents/guarded/stream",
            "/api/agents/guarded/generate",
            "/ag-ui/guarded",
            "/ai-sdk/guarded",
            "/v1/chat/completions",
            "/v1/responses");

    /** A start that is held while another request arrives. */
    private record Hold(CompletableFuture<Void> reached, CountDownLatch released) {

        Hold() {
            this(new CompletableFuture<>(), new CountDownLatch(1));
        }
    }

    private final Store store = InMemoryStore.keepingEndedRuns();
    private final AtomicReference<Hold> next = new AtomicReference<>();

    @Override
    List<Agent> agents() {
        InputProcessor guard = InputProcessor.of("guard", (context, messages) -> {
            Hold hold = next.getAndSet(null);
            if (hold != null) {
                hold.reached().complete(null);
                hold.released().await();
            }
            return messages.getLast().text().contains("Bad") ? Processed.abort("Not that.") : Processed.unchanged();
        });
        Agent guarded = Agent.builder("guarded")
                .model(script.modelFor("guarded"))
                .inputProcessors(guard)
                .build();
        return Stream.concat(super.agents().stream(), Stream.of(guarded)).toList();
    }

    private ChargehandServer serve(HttpBinding binding, int places) {
        return serve(runtime(store), builder -> builder.binding(binding).limit(ServerLimit.STREAMS_OF_CALLER, places));
    }

    static Stream<Arguments> everyStart() {
        return Stream.of(HttpBinding.values())
                .flatMap(binding -> PATHS.stream().map(path -> Arguments.of(binding, path)));
    }

    /** Return a body that all paths read, with ids of its own. */
    private static Map<String, Object> body(String id, String text) {
        Map<String, Object> message = Map.of(
                "id", "1", "role", "user", "content", text, "parts", List.of(Map.of("type", "text", "text", text)));
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("messages", List.of(message));
        body.putAll(Map.of("id", id, "threadId", id, "runId", id, "tools", List.of(), "context", List.of()));
        return body;
    }

    private static Map<String, Object> mastra(String id, String text) {
        return Map.of("runId", id, "messages", body(id, text).get("messages"));
    }

    private HttpResponse<String> start(ChargehandServer server, String path, String id, String text) {
        Map<String, Object> body =
                switch (path) {
                    case "/api/v1/agents/guarded/runs" -> prompt(text);
                    case "/v1/chat/completions" ->
                        Map.of("model", "guarded", "messages", body(id, text).get("messages"));
                    case "/v1/responses" -> Map.of("model", "guarded", "input", text, "stream", true);
                    case "/ai-sdk/guarded" ->
                        Map.of("id", id, "messages", body(id, text).get("messages"));
                    case "/api/agents/guarded/stream", "/api/agents/guarded/generate" -> mastra(id, text);
                    default -> body(id, text);
                };
        // With a key the input is checked before the start returns.
        return post(server, path, body, "Accept", "text/event-stream", "Idempotency-Key", id);
    }

    @ParameterizedTest
    @MethodSource("everyStart")
    void theRequestThatComesSecondIsRejectedWhileTheFirstOneStarts(HttpBinding binding, String path) throws Exception {
        script.on("guarded").says("Done.").forever();
        ChargehandServer server = serve(binding, 1);
        Hold hold = new Hold();
        next.set(hold);
        CompletableFuture<HttpResponse<String>> first =
                CompletableFuture.supplyAsync(() -> start(server, path, "first", "Go."));
        CompletableFuture.anyOf(first, hold.reached()).join();
        assertThat(first).isNotDone();

        HttpResponse<String> second = start(server, path, "second", "Go.");
        hold.released().countDown();

        assertThat(second.statusCode()).as(second.body()).isEqualTo(429);
        assertThat(second.body()).contains("too-many-streams");
        assertThat(first.get().statusCode()).as(first.get().body()).isEqualTo(200);
        assertThat(first.get().body()).contains("Done.");
        assertThat(store.list(RunFilter.ALL)).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("everyStart")
    void aPlaceIsFreeAgainHoweverTheRequestEnds(HttpBinding binding, String path) {
        script.on("guarded").says("Done.").forever();
        ChargehandServer server = serve(binding, 1);
        for (String text : List.of("Go.", "Bad.", "Go.")) {
            HttpResponse<String> answer =
                    startWhenFree(server, path, "r" + store.list(RunFilter.ALL).size(), text);
            assertThat(answer.body().contains("Done.")).as(answer.body()).isEqualTo(text.equals("Go."));
        }
    }

    /** These requests take a place before they find out that there is nothing to read. */
    @ParameterizedTest
    @EnumSource
    void aRequestThatIsRejectedAfterwardsLeavesItsPlace(HttpBinding binding) {
        script.on("guarded").says("Done.").forever();
        ChargehandServer server = serve(binding, 1);
        Map<String, Object> again = Map.of("id", "chat", "trigger", "regenerate-message", "messages", List.of());
        assertThat(post(server, "/ai-sdk/guarded", again).statusCode()).isEqualTo(404);
        assertThat(post(server, "/api/v1/agents/missing/runs", prompt("Go."), "Accept", "text/event-stream")
                        .statusCode())
                .isEqualTo(404);
        Map<String, Object> input = Map.of("inputData", Map.of("amount", "much"));
        assertThat(post(server, "/api/workflows/pricing/stream", input).statusCode())
                .isEqualTo(400);
        assertThat(start(server, "/api/agents/guarded/stream", "r", "Go.").statusCode())
                .isEqualTo(200);
    }

    /** Where clients have left, their places are free when the server has noticed it. */
    @ParameterizedTest
    @EnumSource
    void aClientThatLeavesGivesItsPlaceBack(HttpBinding binding) throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        script.on("guarded").waitsFor(never);
        ChargehandServer server = serve(binding, 1);
        HttpRequest request = request(server, "/api/agents/guarded/stream")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        Json.of(mastra("r", "Go.")).text()))
                .build();
        HttpResponse<InputStream> left = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        assertThat(left.body().read()).isPositive();
        assertThat(start(server, "/api/agents/guarded/stream", "s", "Go.").statusCode())
                .isEqualTo(429);
        left.body().close();
        script.on("guarded").says("Done.").forever();
        assertThat(startWhenFree(server, "/api/agents/guarded/stream", "s", "Go.")
                        .statusCode())
                .isEqualTo(200);
        never.countDown();
    }

    /** A client can read the end of a response before the place of its stream is free. */
    private HttpResponse<String> startWhenFree(ChargehandServer server, String path, String id, String text) {
        HttpResponse<String> answer;
        do {
            answer = start(server, path, id, text);
        } while (answer.statusCode() == 429);
        return answer;
    }

    /** The reader of a run that an earlier request has started needs a place of that run too. */
    @ParameterizedTest
    @EnumSource
    void aRepeatedStartCountsAsAReaderOfItsRun(HttpBinding binding) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        script.on("guarded").waitsFor(end).and().says("Done.");
        ChargehandServer server =
                serve(runtime(store), builder -> builder.binding(binding).limit(ServerLimit.STREAMS_OF_RUN, 1));
        HttpRequest request = request(server, "/api/v1/agents/guarded/runs")
                .headers("Content-Type", "application/json", "Accept", "text/event-stream", "Idempotency-Key", "k")
                .POST(HttpRequest.BodyPublishers.ofString(Json.of(prompt("Go.")).text()))
                .build();
        HttpResponse<InputStream> first = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        assertThat(first.body().read()).isPositive();
        HttpResponse<InputStream> second = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        assertThat(second.statusCode()).isEqualTo(429);
        end.countDown();
        assertThat(new String(first.body().readAllBytes(), StandardCharsets.UTF_8))
                .contains("Done.");
        assertThat(store.list(RunFilter.ALL)).hasSize(1);
    }
}
