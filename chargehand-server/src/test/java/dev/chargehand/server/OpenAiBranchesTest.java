package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Responses that continue the same one: each has what was said until that, and nothing of the others. */
@Timeout(120)
class OpenAiBranchesTest extends ServerFixture {

    private HttpResponse<String> respond(ChargehandServer server, String input, String previous, String... headers) {
        Map<String, Object> body = previous.isEmpty()
                ? Map.of("model", "writer", "input", input)
                : Map.of("model", "writer", "input", input, "previous_response_id", previous);
        return post(server, "/v1/responses", body, headers);
    }

    private String id(ChargehandServer server, String input, String previous) {
        return at(respond(server, input, previous), "/id");
    }

    private List<String> lastRequest() {
        return script.requests().getLast().messages().stream()
                .map(Message::text)
                .filter(text -> !text.equals("Write well."))
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void aResponseIsContinuedTwice(HttpBinding binding) {
        script.on("writer")
                .says("1")
                .then()
                .says("2")
                .then()
                .says("3")
                .then()
                .says("4")
                .then()
                .says("5")
                .then()
                .says("6");
        ChargehandServer server = serve(binding);
        String first = id(server, "A", "");
        String second = id(server, "B", first);
        assertThat(lastRequest()).containsExactly("A", "1", "B");
        String other = id(server, "C", first);
        assertThat(lastRequest()).containsExactly("A", "1", "C");
        id(server, "D", other);
        assertThat(lastRequest()).containsExactly("A", "1", "C", "3", "D");
        id(server, "E", second);
        assertThat(lastRequest()).containsExactly("A", "1", "B", "2", "E");
        id(server, "F", first);
        assertThat(lastRequest()).containsExactly("A", "1", "F");
    }

    @ParameterizedTest
    @EnumSource
    void aRepeatedRequestIsNoOtherContinuation(HttpBinding binding) {
        script.on("writer").says("1").then().says("2").then().says("3");
        Store store = InMemoryStore.keepingEndedRuns();
        ChargehandServer server = serve(runtime(store), builder -> builder.binding(binding));
        String first = id(server, "A", "");
        String second = at(respond(server, "B", first, "Idempotency-Key", "b"), "/id");
        assertThat(at(respond(server, "B", first, "Idempotency-Key", "b"), "/id"))
                .isEqualTo(second);
        String third = at(respond(server, "C", first, "Idempotency-Key", "c"), "/id");
        HttpResponse<String> again = respond(server, "C", first, "Idempotency-Key", "c");
        assertThat(at(again, "/id")).as(again.body()).isEqualTo(third);
        assertThat(store.list(RunFilter.ROOTS)).hasSize(3);
        HttpResponse<String> threads = get(server, "/api/v1/threads");
        assertThat(Json.parse(threads.body()).at("/threads/2"))
                .as(threads.body())
                .isEmpty();
    }
}
