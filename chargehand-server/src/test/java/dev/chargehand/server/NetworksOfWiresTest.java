package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Agents that wires start as networks and as themselves, with the same keys and names. */
@Timeout(120)
class NetworksOfWiresTest extends ServerFixture {

    @ParameterizedTest
    @EnumSource
    void aKeyGivesAnAgentItsNetworkAndAnotherAgentThreadsOfTheirOwn(HttpBinding binding) {
        script.on("clerk")
                .says(NetworksOverHttpTest.decision("writer", "agent", "Write."))
                .then()
                .says(NetworksOverHttpTest.complete())
                .then()
                .says("Hello.");
        script.on("writer").says("One two.").then().says("Three.");
        Store store = InMemoryStore.keepingEndedRuns();
        ChargehandServer server = serve(runtime(store), builder -> builder.binding(binding));
        List<String> texts = List.of("clerk/network", "clerk", "writer", "clerk").stream()
                .map(model ->
                        post(server, "/v1/responses", Map.of("model", model, "input", "Go."), "Idempotency-Key", "k"))
                .map(answer -> at(answer, "/output/0/content/0/text"))
                .toList();
        assertThat(texts).containsExactly("One two.", "Hello.", "Three.", "Hello.");
        assertThat(store.list(RunFilter.ROOTS))
                .hasSize(3)
                .extracting(RunRecord::threadId)
                .doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource
    void aChatThatIsCalledAsThePathOfNetworksIsResumed(HttpBinding binding) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        script.on("writer").waitsFor(end).and().says("One two.");
        ChargehandServer server = serve(binding);
        Map<String, Object> body = Map.of(
                "id",
                "network",
                "messages",
                List.of(Map.of("id", "1", "role", "user", "parts", List.of(Map.of("type", "text", "text", "Write.")))));
        CompletableFuture<HttpResponse<String>> written =
                CompletableFuture.supplyAsync(() -> post(server, "/ai-sdk/writer", body));
        HttpResponse<InputStream> resumed = resume(server);
        while (resumed.statusCode() == 204) { // until the run has started
            LockSupport.parkNanos(50_000_000);
            resumed = resume(server);
        }
        assertThat(resumed.statusCode()).isEqualTo(200);
        end.countDown();
        assertThat(new String(resumed.body().readAllBytes(), StandardCharsets.UTF_8))
                .contains("One two.");
        assertThat(written.get().body()).contains("One two.");
    }

    private HttpResponse<InputStream> resume(ChargehandServer server) throws Exception {
        HttpRequest request = request(server, "/ai-sdk/writer/network/stream").build();
        return client.send(request, HttpResponse.BodyHandlers.ofInputStream());
    }

    @ParameterizedTest
    @EnumSource
    void aChatOfANetworkMayHaveTheNameOfAPath(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        for (String chat : List.of("holidays", "network", "stream")) {
            String path = "/ai-sdk/clerk/network/" + chat + "/stream";
            assertThat(get(server, path).statusCode()).as(path).isEqualTo(204);
        }
        assertThat(get(server, "/ai-sdk/clerk/stream/stream").statusCode()).isEqualTo(204);
        assertThat(get(server, "/ai-sdk/clerk/network/a/b").statusCode()).isEqualTo(404);
        assertThat(get(server, "/ai-sdk/clerk/network").statusCode()).isEqualTo(405);
    }
}
