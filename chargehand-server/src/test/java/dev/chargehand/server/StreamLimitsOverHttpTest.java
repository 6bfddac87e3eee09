package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A request whose stream would be one too many changes nothing: no run starts and no call is answered that nobody would read. */
class StreamLimitsOverHttpTest extends ServerFixture {

    private final CountDownLatch end = new CountDownLatch(1);
    private final Store store = InMemoryStore.keepingEndedRuns();

    /** Start a server of two streams, and open both. */
    private ChargehandServer full(HttpBinding binding) throws Exception {
        ChargehandServer server =
                serve(runtime(store), builder -> builder.binding(binding).limit(ServerLimit.STREAMS_OF_CALLER, 2));
        script.on("writer").waitsFor(end).and().says("Done.");
        String run = at(post(server, "/api/v1/agents/writer/runs", prompt("Write.")), "/runId");
        for (int i = 0; i < 2; i++) {
            HttpResponse<InputStream> stream = client.send(
                    request(server, "/api/v1/runs/" + run + "/events")
                            .header("Accept", "text/event-stream")
                            .build(),
                    HttpResponse.BodyHandlers.ofInputStream());
            assertThat(stream.body().read()).isPositive();
        }
        return server;
    }

    private static Map<String, Object> chat(Object... more) {
        Map<String, Object> body = new LinkedHashMap<>(Map.of(
                "id",
                "chat",
                "messages",
                List.of(Map.of("id", "1", "role", "user", "parts", List.of(Map.of("type", "text", "text", "Go."))))));
        for (int i = 0; i < more.length; i += 2) {
            body.put(more[i].toString(), more[i + 1]);
        }
        return body;
    }

    private static Map<String, Object> messages(Object... more) {
        Map<String, Object> body = chat(more);
        body.put("messages", List.of(Map.of("id", "1", "role", "user", "content", "Go.")));
        return body;
    }

    @ParameterizedTest
    @EnumSource
    void aRunThatWouldHaveNoReaderIsNotStarted(HttpBinding binding) throws Exception {
        ChargehandServer server = full(binding);
        Map<String, Map<String, Object>> starts = new LinkedHashMap<>();
        starts.put("/api/v1/agents/writer/runs", prompt("Go."));
        starts.put("/api/v1/agents/clerk/network/runs", prompt("Go."));
        starts.put("/api/v1/workflows/pricing/runs", Map.of("input", Map.of("amount", 1)));
        starts.put("/v1/responses?", Map.of("model", "writer", "input", "Go."));
        starts.put("/v1/responses?stream", Map.of("model", "writer", "input", "Go.", "stream", true));
        starts.put(
                "/v1/responses?background",
                Map.of("model", "writer", "input", "Go.", "stream", true, "background", true));
        starts.put("/v1/chat/completions?", messages("model", "writer"));
        starts.put("/v1/chat/completions?stream", messages("model", "writer", "stream", true));
        starts.put("/ai-sdk/writer", chat());
        starts.put("/ag-ui/writer", messages("threadId", "t", "runId", "r", "tools", List.of(), "context", List.of()));
        starts.put("/api/agents/writer/generate", messages());
        starts.put("/api/agents/writer/stream", messages());
        starts.put("/api/agents/clerk/network", messages());
        starts.put("/api/workflows/pricing/start-async", Map.of("inputData", Map.of("amount", 1)));
        starts.put("/api/workflows/pricing/stream", Map.of("inputData", Map.of("amount", 1)));
        SoftAssertions softly = new SoftAssertions();
        starts.forEach((path, body) -> {
            HttpResponse<String> answer = post(server, path, body, "Accept", "text/event-stream");
            softly.assertThat(answer.statusCode()).as(path + answer.body()).isEqualTo(429);
            softly.assertThat(answer.body()).as(path).contains("too-many-streams");
            softly.assertThat(answer.headers().firstValue("Retry-After"))
                    .as(path)
                    .isPresent();
        });
        softly.assertThat(store.list(RunFilter.ALL)).hasSize(1);
        softly.assertAll();
        end.countDown();
    }

    @ParameterizedTest
    @EnumSource
    void aStartWithoutAReaderIsNoStream(HttpBinding binding) throws Exception {
        ChargehandServer server = full(binding);
        script.on("writer").says("Done.").forever();
        Map<String, Object> background = Map.of("model", "writer", "input", "Go.", "background", true);
        assertThat(post(server, "/v1/responses", background).statusCode()).isEqualTo(200);
        assertThat(post(server, "/api/v1/agents/writer/runs", prompt("Go.")).statusCode())
                .isEqualTo(202);
        Map<String, Object> input = Map.of("inputData", Map.of("amount", 1));
        assertThat(post(server, "/api/workflows/pricing/start", input).statusCode())
                .isEqualTo(200);
        end.countDown();
    }

    @ParameterizedTest
    @EnumSource
    void aCallWhoseRunWouldHaveNoReaderIsNotAnswered(HttpBinding binding) throws Exception {
        script.on("clerk").calls("pay", Map.of("amount", 7)).then().says("Paid.");
        ChargehandServer server = full(binding);
        HttpResponse<String> run = post(server, "/api/v1/agents/clerk/runs", prompt("Pay."), "Prefer", "wait=30");
        assertThat(at(run, "/status")).isEqualTo("suspended");
        String runId = at(run, "/runId");
        String approval = at(get(server, "/api/v1/approvals"), "/approvals/0/id");
        assertThat(approval).isNotEmpty();
        Map<String, Map<String, Object>> requests = new LinkedHashMap<>();
        for (String name : List.of("approve-tool-call", "decline-tool-call", "approve-tool-call-generate")) {
            requests.put("/api/agents/clerk/" + name, Map.of("runId", runId));
        }
        requests.put("/api/agents/clerk/resume-stream", Map.of("runId", runId, "resumeData", Map.of("approved", true)));
        requests.put(
                "/ag-ui/clerk",
                Map.of(
                        "threadId",
                        "t",
                        "runId",
                        "r",
                        "messages",
                        List.of(),
                        "resume",
                        List.of(Map.of(
                                "interruptId", approval, "status", "resolved", "payload", Map.of("approved", true)))));
        Map<String, Object> decision = Map.of(
                "type",
                "tool-pay",
                "toolCallId",
                "c",
                "state",
                "approval-responded",
                "approval",
                Map.of("id", approval, "approved", true));
        requests.put(
                "/ai-sdk/clerk",
                Map.of(
                        "id",
                        "c",
                        "messages",
                        List.of(Map.of("id", "1", "role", "assistant", "parts", List.of(decision)))));
        SoftAssertions softly = new SoftAssertions();
        requests.forEach((path, body) -> {
            HttpResponse<String> answer = post(server, path, body);
            softly.assertThat(answer.statusCode()).as(path + answer.body()).isEqualTo(429);
            softly.assertThat(answer.body()).as(path).contains("too-many-streams");
            softly.assertThat(at(get(server, "/api/v1/approvals"), "/approvals/0/id"))
                    .as(path)
                    .isEqualTo(approval);
        });
        softly.assertThat(paid).isEmpty();
        softly.assertAll();
        end.countDown();
    }
}
