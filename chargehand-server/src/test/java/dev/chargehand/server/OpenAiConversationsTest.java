package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.message.Message;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Conversations of OpenAI's clients: a thread is created, read, changed and deleted, and responses continue it. */
class OpenAiConversationsTest extends ServerFixture {

    private static final String PATH = "/v1/conversations";

    private static Map<String, Object> said(String role, Object content) {
        return Map.of("type", "message", "role", role, "content", content);
    }

    private HttpResponse<String> delete(ChargehandServer server, String path) {
        return send(request(server, path).DELETE().build());
    }

    @ParameterizedTest
    @EnumSource
    void aResponseContinuesAConversation(HttpBinding binding) {
        script.on("writer").says("Two.");
        ChargehandServer server = serve(binding);
        HttpResponse<String> created = post(
                server,
                PATH,
                Map.of(
                        "metadata",
                        Map.of("topic", "numbers"),
                        "items",
                        List.of(
                                said("user", "One?"),
                                said("assistant", List.of(Map.of("type", "output_text", "text", "One."))))));
        assertThat(created.statusCode()).as(created.body()).isEqualTo(200);
        String id = at(created, "/id");
        HttpResponse<String> response =
                post(server, "/v1/responses", Map.of("model", "writer", "conversation", id, "input", "And then?"));
        assertThat(at(response, "/conversation/id")).as(response.body()).isEqualTo(id);
        assertThat(script.requests().getFirst().messages().stream().map(Message::text))
                .containsExactly("Write well.", "One?", "One.", "And then?");
        HttpResponse<String> items = get(server, PATH + "/" + id + "/items?order=asc");
        List<String> texts = List.of("One?", "One.", "And then?", "Two.");
        for (int i = 0; i < texts.size(); i++) {
            assertThat(at(items, "/data/" + i + "/content/0/text"))
                    .as(items.body())
                    .isEqualTo(texts.get(i));
        }
        assertThat(at(items, "/data/3/role")).isEqualTo("assistant");
        String newest = at(get(server, PATH + "/" + id + "/items?limit=1"), "/data/0/id");
        assertThat(newest).isEqualTo(at(items, "/data/3/id"));
        assertThat(at(get(server, PATH + "/" + id + "/items/" + newest), "/content/0/text"))
                .isEqualTo("Two.");
    }

    @ParameterizedTest
    @EnumSource
    void aConversationIsChangedAndDeleted(HttpBinding binding) {
        script.on("writer").says("One.");
        ChargehandServer server = serve(binding);
        String id = at(post(server, PATH, Map.of("metadata", Map.of("a", "1", "b", "2"))), "/id");
        String path = PATH + "/" + id;
        HttpResponse<String> changed = post(server, path, Map.of("metadata", Map.of("b", "3")));
        assertThat(at(changed, "/metadata")).as(changed.body()).isEqualTo("{\"b\":\"3\"}");
        assertThat(get(server, path).body()).isEqualTo(changed.body());
        HttpResponse<String> added = post(server, path + "/items", Map.of("items", List.of(said("user", "One?"))));
        assertThat(at(added, "/data/0/content/0/text")).as(added.body()).isEqualTo("One?");
        String item = path + "/items/" + at(added, "/data/0/id");
        assertThat(at(delete(server, item), "/id")).isEqualTo(id);
        assertThat(get(server, item).statusCode()).isEqualTo(404);
        assertThat(delete(server, item).statusCode()).isEqualTo(404);
        assertThat(at(delete(server, path), "/deleted")).isEqualTo("true");
        assertThat(get(server, path).statusCode()).isEqualTo(404);
        assertThat(delete(server, path).statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            metadata             | {"metadata": {"a": 7}}
            metadata             | {"metadata": {"chargehand.a": "b"}}
            items                | {"items": 7}
            items[0].type        | {"items": [{"type": "function_call_output"}]}
            items[0].content     | {"items": [{"role": "user", "content": " "}]}
            items[0].role        | {"items": [{"role": "system", "content": "Be."}]}
            """)
    void whatAConversationCannotHaveIsRejected(String field, String body) {
        ChargehandServer server = serve(HttpBinding.JDK);
        HttpResponse<String> answer = send(request(server, PATH)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(at(answer, "/error/param")).startsWith(field);
    }

    @ParameterizedTest
    @EnumSource
    void aConversationOfAnotherIsMissing(HttpBinding binding) {
        ChargehandServer server = serve(runtime(InMemoryStore.keepingEndedRuns()), builder -> builder.binding(binding)
                .addPrincipals(token -> Optional.of(new Principal(
                        token,
                        Store.LOCAL,
                        Optional.of(token),
                        EnumSet.complementOf(EnumSet.of(Scope.RESOURCES_ANY))))));
        String id = at(post(server, PATH, Map.of("metadata", Map.of()), "Authorization", "Bearer ann"), "/id");
        for (String path : List.of("/" + id, "/" + id + "/items", "/" + id + "/items/x")) {
            HttpResponse<String> theirs = send(request(server, PATH + path)
                    .header("Authorization", "Bearer bob")
                    .build());
            HttpResponse<String> absent = send(request(server, PATH + path.replace(id, "absent"))
                    .header("Authorization", "Bearer bob")
                    .build());
            assertThat(theirs.statusCode()).isEqualTo(404);
            assertThat(theirs.body()).isEqualTo(absent.body());
        }
    }
}
