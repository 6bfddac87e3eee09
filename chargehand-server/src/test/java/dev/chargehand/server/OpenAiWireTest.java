package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.error.ModelException;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Chat completions as OpenAI's clients send and read them. A stream that does not end as it must fails the test by its time. */
@Timeout(120)
class OpenAiWireTest extends ServerFixture {

    private static final String CHAT = "/v1/chat/completions";
    /** How long a stream is silent before the server looks whether its client is still there. */
    private static final Duration LOOK = Duration.ofMillis(100);

    private static Map<String, Object> chat(String model, Object... more) {
        Map<String, Object> body = new HashMap<>();
        body.put("model", model);
        body.put("messages", List.of(Map.of("role", "user", "content", "Write.")));
        for (int i = 0; i < more.length; i += 2) {
            body.put((String) more[i], more[i + 1]);
        }
        return body;
    }

    private static List<String> data(String stream) {
        return stream.lines()
                .filter(line -> line.startsWith("data: "))
                .map(line -> line.substring(6))
                .toList();
    }

    private static String content(List<String> chunks) {
        StringBuilder text = new StringBuilder();
        chunks.stream()
                .filter(chunk -> chunk.startsWith("{"))
                .map(chunk -> Json.parse(chunk).at("/choices/0/delta/content"))
                .forEach(part -> part.flatMap(Json::string).ifPresent(text::append));
        return text.toString();
    }

    @ParameterizedTest
    @EnumSource
    void agentsAreModels(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        assertThat(at(get(server, "/v1/models"), "/data/0/owned_by")).isEqualTo("chargehand");
        assertThat(at(get(server, "/v1/models/writer"), "/id")).isEqualTo("writer");
        HttpResponse<String> unknown = get(server, "/v1/models/nobody");
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(at(unknown, "/error/code")).isEqualTo("agent-unknown");
        HttpResponse<String> noRoute = get(server, "/v1/embeddings");
        assertThat(noRoute.statusCode()).isEqualTo(404);
        assertThat(at(noRoute, "/error/code")).isEqualTo("route-unknown");
    }

    @ParameterizedTest
    @EnumSource
    void aRunIsAnsweredAsAWhole(HttpBinding binding) {
        script.on("writer").says("Done.");
        HttpResponse<String> answer = post(serve(binding), CHAT, chat("writer"));
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(at(answer, "/choices/0/message/content")).isEqualTo("Done.");
        assertThat(at(answer, "/choices/0/finish_reason")).isEqualTo("stop");
        assertThat(at(answer, "/usage/total_tokens")).isEqualTo("15");
    }

    @ParameterizedTest
    @EnumSource
    void theTextOfEachStepOfTheRootRunIsStreamed(HttpBinding binding) {
        script.on("clerk")
                .streams("I ", "ask.")
                .and()
                .delegates("writer", "Write.")
                .then()
                .streams("All ", "done.")
                .on("writer")
                .says("Secret.");
        HttpResponse<String> answer = post(
                serve(binding), CHAT, chat("clerk", "stream", true, "stream_options", Map.of("include_usage", true)));
        List<String> chunks = data(answer.body());
        assertThat(content(chunks)).isEqualTo("I ask.\n\nAll done.");
        assertThat(chunks).last().isEqualTo("[DONE]");
        Json usage = Json.parse(chunks.get(chunks.size() - 2));
        assertThat(usage.at("/usage/total_tokens").map(Json::text)).contains("45");
        Json end = Json.parse(chunks.get(chunks.size() - 3));
        assertThat(end.at("/choices/0/finish_reason").flatMap(Json::string)).contains("stop");
    }

    @ParameterizedTest
    @EnumSource
    void earlierMessagesAreHistoryWithoutAThreadAndIgnoredWithOne(HttpBinding binding) {
        script.on("writer").says("One.").forever();
        ChargehandServer server = serve(binding);
        List<Map<String, String>> messages = List.of(
                Map.of("role", "system", "content", "Rhyme."),
                Map.of("role", "user", "content", "First."),
                Map.of("role", "assistant", "content", "Earlier."),
                Map.of("role", "user", "content", "Second."));
        assertThat(post(server, CHAT, chat("writer", "messages", messages)).statusCode())
                .isEqualTo(200);
        List<Message> seen = script.requests().getLast().messages();
        assertThat(seen).extracting(Message::text).last().isEqualTo("Second.");
        assertThat(seen).extracting(Message::text).contains("Earlier.");
        assertThat(seen.stream().map(Message::text))
                .anyMatch(text -> text.startsWith("<client-instructions-") && text.endsWith("First."));

        for (int i = 0; i < 2; i++) {
            assertThat(post(server, CHAT, chat("writer@t1", "messages", messages))
                            .statusCode())
                    .isEqualTo(200);
        }
        List<String> inThread = script.requests().getLast().messages().stream()
                .map(Message::text)
                .filter(text -> !text.equals("Write well."))
                .toList();
        assertThat(inThread).containsExactly("Second.", "One.", "Second.");
    }

    @ParameterizedTest
    @EnumSource
    void whatIsNotOfferedIsRejectedWithTheNameOfTheParameter(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        Map<String, Object> tool = Map.of("type", "function", "function", Map.of("name", "f"));
        Map<String, Map<String, Object>> wrong = new HashMap<>();
        wrong.put("n", chat("writer", "n", 2));
        wrong.put("logprobs", chat("writer", "logprobs", true));
        wrong.put("modalities", chat("writer", "modalities", List.of("audio")));
        wrong.put("top_logprobs", chat("writer", "top_logprobs", 2));
        wrong.put("prediction", chat("writer", "prediction", Map.of("type", "content", "content", "x")));
        wrong.put("web_search_options", chat("writer", "web_search_options", Map.of()));
        wrong.put("function_call", chat("writer", "function_call", "auto"));
        wrong.put("tool_choice", chat("writer", "tool_choice", "required"));
        wrong.put("tools", chat("writer", "tools", List.of(tool)));
        wrong.put("model", chat("writer@"));
        wrong.put("response_format.type", chat("writer", "response_format", Map.of("type", "grammar")));
        wrong.put("stream", chat("writer", "stream", "yes"));
        wrong.put("messages", chat("writer", "messages", List.of()));
        wrong.put(
                "messages[0].tool_call_id",
                chat("writer", "messages", List.of(Map.of("role", "tool", "content", "x"))));
        wrong.put(
                "messages[0].content[0].type",
                chat(
                        "writer",
                        "messages",
                        List.of(Map.of("role", "user", "content", List.of(Map.of("type", "file"))))));
        wrong.forEach((param, body) -> {
            HttpResponse<String> answer = post(server, CHAT, body);
            assertThat(answer.statusCode()).as(param).isEqualTo(400);
            assertThat(at(answer, "/error/param")).isEqualTo(param);
            assertThat(at(answer, "/error/type")).isEqualTo("invalid_request_error");
        });
        assertThat(script.requests()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aRunThatFailsIsNotRepeatedByClients(HttpBinding binding) {
        script.on("writer")
                .failsWith(new ModelException(ModelException.Kind.AUTHENTICATION, "no key", null))
                .forever();
        ChargehandServer server = serve(binding);
        HttpResponse<String> whole = post(server, CHAT, chat("writer"));
        assertThat(whole.statusCode()).isEqualTo(424);
        assertThat(whole.headers().firstValue("x-should-retry")).contains("false");
        assertThat(at(whole, "/error/run_id")).isNotEmpty();
        List<String> chunks =
                data(post(server, CHAT, chat("writer", "stream", true)).body());
        assertThat(chunks).last().isEqualTo("[DONE]");
        assertThat(Json.parse(chunks.get(chunks.size() - 2)).at("/error/type").flatMap(Json::string))
                .contains("run_error");
    }

    @ParameterizedTest
    @EnumSource
    void aRunThatWaitsForAHumanIsAConflictAndIsAnsweredOnTheOwnApi(HttpBinding binding) {
        script.on("clerk").calls("pay", Map.of("amount", 7)).then().says("Paid.");
        ChargehandServer server = serve(binding);
        HttpResponse<String> answer = post(server, CHAT, chat("clerk"));
        assertThat(answer.statusCode()).isEqualTo(409);
        assertThat(at(answer, "/error/code")).isEqualTo("suspended");
        String id = at(answer, "/error/approvals/0");
        String digest = at(get(server, "/api/v1/approvals/" + id), "/digest");
        post(server, "/api/v1/approvals/" + id + "/answer", Map.of("decision", "approve", "digest", digest));
        String run = at(answer, "/error/run_id");
        String events = get(server, "/api/v1/runs/" + run + "/events?until=end").body();
        assertThat(events).contains("event: run-finish");
        assertThat(paid).containsExactly(7);
    }

    @ParameterizedTest
    @EnumSource
    void aClientThatLeavesCancelsItsRun(HttpBinding binding) throws Exception {
        script.on("writer").streams("One ").and().hangs();
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server =
                serve(runtime, builder -> builder.binding(binding).timeLimit(ServerTimeLimit.HEARTBEAT, LOOK));
        HttpResponse<InputStream> response = client.send(
                request(server, CHAT)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(
                                Json.of(chat("writer", "stream", true)).text()))
                        .build(),
                HttpResponse.BodyHandlers.ofInputStream());
        readUntil(response.body(), "One ");
        response.body().close();
        RunId run = new RunId(response.headers().firstValue("X-Run-Id").orElseThrow());
        try (var events = runtime.watch(run, null)) {
            events.forEach(event -> {}); // ends with the run
        }
        assertThat(runtime.runs(RunFilter.ROOTS).getFirst().status()).isEqualTo(RunStatus.ABORTED);
    }

    @ParameterizedTest
    @EnumSource
    void aRunOfAWireThatIsResumableContinuesWithoutItsClient(HttpBinding binding) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        script.on("writer").streams("One ").and().waitsFor(end).and().says("two.");
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, builder -> builder.binding(binding)
                .resumable(ServerWire.OPENAI)
                .timeLimit(ServerTimeLimit.HEARTBEAT, LOOK)
                .limit(ServerLimit.STREAMS_OF_RUN, 1));
        HttpResponse<InputStream> response = client.send(
                request(server, CHAT)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(
                                Json.of(chat("writer", "stream", true)).text()))
                        .build(),
                HttpResponse.BodyHandlers.ofInputStream());
        readUntil(response.body(), "One ");
        response.body().close();
        String run = response.headers().firstValue("X-Run-Id").orElseThrow();
        HttpRequest again =
                request(server, "/v1/responses/resp_" + run + "?stream=true").build();
        HttpResponse<InputStream> second = client.send(again, HttpResponse.BodyHandlers.ofInputStream());
        while (second.statusCode() == 429) { // until the server has noticed that the first reader is gone
            second.body().readAllBytes();
            second = client.send(again, HttpResponse.BodyHandlers.ofInputStream());
        }
        end.countDown();
        assertThat(new String(second.body().readAllBytes(), StandardCharsets.UTF_8))
                .contains("response.completed");
        assertThat(runtime.handle(new RunId(run)).result().text()).isEqualTo("One two.");
    }

    private static void readUntil(InputStream body, String text) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); !line.contains(text); line = lines.readLine()) {
            // the frames before
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSchemaHoldsTheTextBackUntilItFits(HttpBinding binding) {
        script.on("writer").streams("{\"a\":", "1}");
        Map<String, Object> schema = Map.of(
                "type", "object", "properties", Map.of("a", Map.of("type", "integer")), "required", List.of("a"));
        Map<String, Object> format =
                Map.of("type", "json_schema", "json_schema", Map.of("name", "n", "schema", schema));
        HttpResponse<String> answer =
                post(serve(binding), CHAT, chat("writer", "stream", true, "response_format", format));
        assertThat(content(data(answer.body()))).isEqualTo("{\"a\":1}");
    }

    @ParameterizedTest
    @EnumSource
    void theWireCanBeSwitchedOff(HttpBinding binding) {
        ChargehandServer server = serve(runtime(InMemoryStore.keepingEndedRuns()), builder -> builder.binding(binding)
                .wires());
        assertThat(at(get(server, "/v1/models"), "/code")).isEqualTo("route-unknown");
    }

    @ParameterizedTest
    @EnumSource
    void aServerThatIsStoppedEndsTheStreamAndLeavesTheRun(HttpBinding binding) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        script.on("writer").streams("One ").and().waitsFor(end).and().says("two.");
        AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());
        ChargehandServer server = serve(runtime, builder -> builder.binding(binding));
        HttpResponse<InputStream> response = client.send(
                request(server, CHAT)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(
                                Json.of(chat("writer", "stream", true)).text()))
                        .build(),
                HttpResponse.BodyHandlers.ofInputStream());
        readUntil(response.body(), "One ");
        Thread stop = Thread.ofVirtual().start(server::close);
        String rest = new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(rest).contains("run-released").contains("[DONE]");
        stop.join();
        end.countDown();
        RunId run = new RunId(response.headers().firstValue("X-Run-Id").orElseThrow());
        assertThat(runtime.handle(run).result().text()).isEqualTo("One two.");
    }
}
