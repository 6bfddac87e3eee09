package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs of agents as networks over the server's own API. */
class NetworksOverHttpTest extends ServerFixture {

    private static final String START = "/api/v1/agents/clerk/network/runs";

    static String decision(String id, String type, String prompt) {
        return Json.of(Map.of("primitiveId", id, "primitiveType", type, "prompt", prompt, "selectionReason", "because"))
                .text();
    }

    static String complete() {
        return Json.of(Map.of("isComplete", true, "completionReason", "ok", "finalResult", ""))
                .text();
    }

    /** The router lets the writer write, and then finds the task done. */
    private void delegates() {
        script.on("clerk").says(decision("writer", "agent", "Write.")).then().says(complete());
        script.on("writer").streams("One ", "two.");
    }

    @ParameterizedTest
    @EnumSource
    void aNetworkIsStartedAndItsResultAwaited(HttpBinding binding) {
        delegates();
        ChargehandServer server = serve(binding);
        HttpResponse<String> answer = post(server, START, prompt("Go."), "Prefer", "wait=30");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(at(answer, "/text")).isEqualTo("One two.");
        assertThat(at(answer, "/stopReason")).isEqualTo("task-complete");
        HttpResponse<String> events = get(server, path(answer) + "/events?until=end");
        assertThat(RunsOverHttpTest.types(events.body()))
                .contains("routing-agent-end", "agent-execution-end", "network-execution-event-finish")
                .endsWith("run-finish");
    }

    @ParameterizedTest
    @EnumSource
    void aStreamOfANetworkContinuesAfterACut(HttpBinding binding) {
        delegates();
        ChargehandServer server = serve(binding);
        HttpResponse<String> streamed = post(server, START, prompt("Go."), "Accept", "text/event-stream");
        List<String> ids = streamed.body()
                .lines()
                .filter(line -> line.startsWith("id: "))
                .map(line -> line.substring(4))
                .toList();
        assertThat(RunsOverHttpTest.types(streamed.body()))
                .startsWith("run-start", "routing-agent-start")
                .endsWith("network-execution-event-finish", "run-finish");
        String run = streamed.headers().firstValue("X-Run-Id").orElseThrow();
        for (int i = 0; i < ids.size() - 1; i++) {
            HttpResponse<String> rest = send(request(server, "/api/v1/runs/" + run + "/events")
                    .header("Accept", "text/event-stream")
                    .header("Last-Event-ID", ids.get(i))
                    .build());
            assertThat(rest.body()
                            .lines()
                            .filter(line -> line.startsWith("id: "))
                            .map(line -> line.substring(4)))
                    .isEqualTo(ids.subList(i + 1, ids.size()));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aKeyCountsForTheRouteAndFindsTheNetwork(HttpBinding binding) {
        script.on("clerk")
                .says(decision("writer", "agent", "Write."))
                .then()
                .says(complete())
                .then()
                .says("Hello.");
        script.on("writer").says("One two.");
        Store store = InMemoryStore.keepingEndedRuns();
        ChargehandServer server = serve(runtime(store), builder -> builder.binding(binding));
        String[] key = {"Idempotency-Key", "k", "Prefer", "wait=30"};
        HttpResponse<String> first = post(server, START, prompt("Go."), key);
        HttpResponse<String> again = post(server, START, prompt("Go."), key);
        assertThat(again.headers().firstValue("Idempotency-Replayed")).contains("true");
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(post(server, START, prompt("Stop."), key).statusCode()).isEqualTo(422);
        HttpResponse<String> ordinary = post(server, "/api/v1/agents/clerk/runs", prompt("Go."), key);
        assertThat(at(ordinary, "/text")).isEqualTo("Hello.");
        assertThat(store.list(RunFilter.ROOTS)).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource
    void aNetworkThatWaitsIsAnswered(HttpBinding binding) {
        script.on("clerk")
                .says(decision("pay", "tool", "{\"amount\":7}"))
                .then()
                .says(complete());
        ChargehandServer server = serve(binding);
        HttpResponse<String> streamed = post(server, START, prompt("Pay."), "Accept", "text/event-stream");
        assertThat(RunsOverHttpTest.types(streamed.body()))
                .contains("tool-execution-event-tool-call-approval")
                .endsWith("run-suspend");
        HttpResponse<String> waiting = get(server, "/api/v1/approvals");
        HttpResponse<String> answered = post(
                server,
                "/api/v1/approvals/" + at(waiting, "/approvals/0/id") + "/answer",
                Map.of("decision", "approve", "digest", at(waiting, "/approvals/0/digest")));
        assertThat(answered.statusCode()).isEqualTo(200);
        String run = streamed.headers().firstValue("X-Run-Id").orElseThrow();
        HttpResponse<String> events = get(server, "/api/v1/runs/" + run + "/events?until=end");
        assertThat(RunsOverHttpTest.types(events.body())).endsWith("run-finish");
        assertThat(paid).containsExactly(7);
    }

    @ParameterizedTest
    @EnumSource
    void anAgentThatIsMissingIsMissingAsANetworkToo(HttpBinding binding) {
        HttpResponse<String> answer = post(serve(binding), "/api/v1/agents/nobody/network/runs", prompt("Go."));
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(at(answer, "/code")).isEqualTo("agent-unknown");
    }
}
