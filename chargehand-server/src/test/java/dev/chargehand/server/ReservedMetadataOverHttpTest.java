package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the server keeps in metadata, such as the thread in which a chat continues, is not for callers to set or to see. */
class ReservedMetadataOverHttpTest extends ServerFixture {

    private static final Map<String, String> RESERVED = Map.of("chargehand.continuedIn", "another-thread");

    @ParameterizedTest
    @EnumSource
    void aReservedNameIsRejected(HttpBinding binding) {
        Store store = InMemoryStore.keepingEndedRuns();
        ChargehandServer server = serve(runtime(store), builder -> builder.binding(binding));
        assertThat(post(server, "/api/v1/threads", Map.of("id", "t")).statusCode())
                .isEqualTo(201);
        List<HttpResponse<String>> answers = List.of(
                post(server, "/api/v1/agents/writer/runs", Map.of("input", "Go.", "metadata", RESERVED)),
                post(server, "/api/v1/threads", Map.of("id", "u", "metadata", RESERVED)),
                post(
                        server,
                        "/api/memory/threads?agentId=writer",
                        Map.of("threadId", "u", "resourceId", "ann", "metadata", RESERVED)),
                post(server, "/v1/responses", Map.of("model", "writer", "input", "Go.", "metadata", RESERVED)));
        for (HttpResponse<String> answer : answers) {
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
            assertThat(answer.body()).contains("metadata", "must not have names that start with 'chargehand.'");
        }
        assertThat(store.list(RunFilter.ALL)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void whereAChatContinuesIsNotShown(HttpBinding binding) {
        script.on("writer").says("One.").then().says("Two.");
        Store store = InMemoryStore.keepingEndedRuns();
        ChargehandServer server = serve(runtime(store), builder -> builder.binding(binding));
        Map<String, Object> message =
                Map.of("id", "1", "role", "user", "parts", List.of(Map.of("type", "text", "text", "Go.")));
        Map<String, Object> chat = Map.of("id", "c", "messages", List.of(message));
        assertThat(post(server, "/ai-sdk/writer", chat).body()).contains("One.");
        Map<String, Object> again = Map.of("id", "c", "messages", List.of(message), "trigger", "regenerate-message");
        assertThat(post(server, "/ai-sdk/writer", again).body()).contains("Two.");
        List<String> threads = store.list(RunFilter.ROOTS).stream()
                .flatMap(run -> run.threadId().stream())
                .distinct()
                .toList();
        assertThat(threads).hasSize(2);
        for (String thread : threads) {
            assertThat(get(server, "/api/v1/threads/" + thread).body())
                    .contains("\"metadata\"")
                    .doesNotContain("chargehand.");
        }
    }
}
