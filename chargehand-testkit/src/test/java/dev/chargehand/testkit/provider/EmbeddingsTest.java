package dev.chargehand.testkit.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.model.HashedWords;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class EmbeddingsTest {

    @AutoClose
    private final LoopbackProvider provider = LoopbackProvider.start();

    @AutoClose
    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void textsGetTheVectorsOfHashedWords() throws Exception {
        JsonNode answer = json(post("{'model':'e','input':['the cat','soup']}"));
        assertThat(vector(answer, 0)).isEqualTo(HashedWords.vector("the cat"));
        assertThat(vector(answer, 1)).isEqualTo(HashedWords.vector("soup"));
        assertThat(answer.at("/data/1/index").intValue()).isEqualTo(1);
        assertThat(answer.at("/data").size()).isEqualTo(2);
        assertThat(answer.at("/usage/prompt_tokens").intValue()).isEqualTo(10);
        provider.verify();
    }

    @Test
    void oneTextNeedsNoList() throws Exception {
        assertThat(vector(json(post("{'model':'e','input':'soup'}")), 0)).isEqualTo(HashedWords.vector("soup"));
        ReceivedRequest request = provider.log().getFirst().request();
        assertThat(request.isEmbeddings()).isTrue();
        assertThat(request.isChat()).isFalse();
        assertThat(request.model()).isEqualTo("e");
        assertThat(request.texts()).containsExactly("soup");
        assertThat(request).hasToString("request 1 (POST /v1/embeddings, model 'e', 1 texts)");
        provider.verify();
    }

    @Test
    void aRequestForEmbeddingsTakesNoReplyOfAChatAndTheReverse() throws Exception {
        provider.enqueue(Reply.text("chat")).always(Reply.text("more chat"));
        provider.enqueueEmbeddings(Reply.vectors(List.of(new float[] {1, Float.NaN})));
        assertThat(provider.unusedReplies()).isEqualTo(2);
        assertThat(post("{'model':'e','input':'a'}").body()).contains("[1.0,\"NaN\"]");
        assertThat(vector(json(post("{'model':'e','input':'a'}")), 0)).isEqualTo(HashedWords.vector("a"));
        assertThat(provider.unusedReplies()).isEqualTo(1);
        String chat = "{'model':'m','messages':[{'role':'user','content':'Hi'}]}";
        assertThat(send("/chat/completions", chat).body()).contains("\"chat\"");
        assertThat(send("/chat/completions", chat).body()).contains("\"more chat\"");
        provider.verify();
    }

    @Test
    void aRuleThatClaimsItComesFirstAndAFunctionLast() throws Exception {
        provider.onModel("e", Reply.error(429, "busy").header("Retry-After", "2"));
        provider.enqueueEmbeddings(Reply.error(500, "x"));
        provider.onEmbeddings(request -> Reply.error(400, String.valueOf(request.texts())));
        assertThat(post("{'model':'e','input':'a'}").statusCode()).isEqualTo(429);
        assertThat(post("{'model':'f','input':'a'}").statusCode()).isEqualTo(500);
        assertThat(post("{'model':'f','input':['a','b']}").body()).contains("[a, b]");
        provider.verify();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{'input':'a'}; at least one text",
                "{'model':'e'}; at least one text",
                "{'model':'e','input':[]}; at least one text",
                "{'model':'e','input':[1]}; at least one text",
                "{'model':'e','input':['a','']}; an empty text",
                "{'model':'e','model':'e','input':'a'}; not JSON",
                "[]; not a JSON object"
            })
    void aRequestThatIsNoneBreaksARule(String body, String detail) throws Exception {
        post(body);
        assertThat(provider.violations()).singleElement().satisfies(violation -> {
            assertThat(violation.rule()).isEqualTo(Rule.READABLE_BODY);
            assertThat(violation.detail()).contains(detail);
        });
    }

    @Test
    void aTextThatIsForbiddenIsFound() throws Exception {
        provider.forbid("diary");
        post("{'model':'e','input':'my diary'}");
        assertThat(provider.violations()).extracting(Violation::rule).containsExactly(Rule.FORBIDDEN_TEXT);
    }

    private HttpResponse<String> post(String body) throws IOException, InterruptedException {
        return send("/embeddings", body);
    }

    private HttpResponse<String> send(String path, String body) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(provider.baseUrl() + path))
                        .POST(HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static JsonNode json(HttpResponse<String> response) {
        assertThat(response.statusCode()).isEqualTo(200);
        return JsonMapper.shared().readTree(response.body());
    }

    private static float[] vector(JsonNode answer, int position) {
        List<JsonNode> numbers = StreamSupport.stream(
                        answer.at("/data/" + position + "/embedding").spliterator(), false)
                .toList();
        float[] vector = new float[numbers.size()];
        for (int i = 0; i < vector.length; i++) {
            vector[i] = numbers.get(i).floatValue();
        }
        return vector;
    }
}
