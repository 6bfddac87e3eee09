package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A user may send images where a wire starts a run. An agent's model receives them as they were sent. */
class ImagesOverWiresTest extends ServerFixture {

    private static final String PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk";
    private static final String DATA = "data:image/png;base64," + PIXEL;
    private static final String URL = "https://example.com/a.JPG?size=2";
    private static final Part SAID = new Part.Text("What is it?");

    @Override
    List<Agent> agents() {
        return Stream.concat(
                        super.agents().stream(),
                        Stream.of(Agent.builder("helper")
                                .model(script.modelFor("helper"))
                                .acceptClientTools()
                                .build()))
                .toList();
    }

    private HttpResponse<String> send(ChargehandServer server, String path, String part) {
        String said = "[{'id':'m','role':'user','content':[{'type':'text','text':'What is it?'}," + part + "]}]";
        String body =
                switch (path.substring(0, path.indexOf('/', 1))) {
                    case "/v1" ->
                        path.endsWith("responses")
                                ? "{'model':'writer','conversation':'chat','input':"
                                        + said.replace("'text',", "'input_text',")
                                : "{'model':'writer','store':true,'messages':" + said;
                    case "/ai-sdk" -> "{'id':'chat','messages':" + said.replace("content", "parts");
                    case "/ag-ui" -> "{'threadId':'chat','runId':'r','messages':" + said;
                    default -> "{'messages':" + said;
                };
        String json = (body + "}")
                .replace('\'', '"')
                .replace("DATA", DATA)
                .replace("URL", URL)
                .replace("PIXEL", PIXEL);
        return send(request(server, path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            JDK     | /v1/chat/completions        | image/png  | {'type':'image_url','image_url':{'url':'DATA','detail':'low'}}
            HELIDON | /v1/chat/completions        | image/jpeg | {'type':'image_url','image_url':{'url':'URL'}}
            JDK     | /v1/responses               | image/jpeg | {'type':'input_image','image_url':'URL','detail':'auto'}
            HELIDON | /v1/responses               | image/png  | {'type':'input_image','image_url':'DATA'}
            JDK     | /ai-sdk/writer              | image/png  | {'type':'file','mediaType':'image/png','url':'DATA','filename':'a.png'}
            HELIDON | /ai-sdk/writer              | image/webp | {'type':'file','mediaType':'image/webp','url':'URL'}
            JDK     | /ag-ui/writer               | image/png  | {'type':'image','source':{'type':'data','value':'PIXEL','mimeType':'image/png'}}
            HELIDON | /ag-ui/writer               | image/jpeg | {'type':'image','source':{'type':'url','value':'URL'}}
            HELIDON | /ag-ui/writer               | image/png  | {'type':'binary','mimeType':'image/png','data':'PIXEL'}
            JDK     | /api/agents/writer/generate | image/png  | {'type':'image','image':'PIXEL'}
            JDK     | /api/agents/writer/generate | image/gif  | {'type':'image','image':'PIXEL','mediaType':'image/gif'}
            HELIDON | /api/agents/writer/generate | image/jpeg | {'type':'image','image':'URL'}
            HELIDON | /api/agents/writer/generate | image/png  | {'type':'file','data':'DATA','mimeType':'image/png'}
            JDK     | /api/agents/writer/generate | image/png  | {'type':'file','url':'DATA','mediaType':'image/png'}
            """)
    void anImageIsPartOfTheMessage(HttpBinding binding, String path, String mediaType, String part) {
        script.on("writer").says("A pixel.");
        ChargehandServer server = serve(binding);
        HttpResponse<String> answer = send(server, path, part);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        Message asked = script.requests().getFirst().messages().getLast();
        String url = part.contains("URL") ? URL : "data:" + mediaType + ";base64," + PIXEL;
        assertThat(asked.parts()).containsExactly(SAID, new Part.Image(mediaType, url));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            /v1/chat/completions        | messages[0].content[1].image_url.url   | {'type':'image_url','image_url':{'url':'http://example.com/a.png'}}
            /v1/chat/completions        | messages[0].content[1].image_url.url   | {'type':'image_url','image_url':{'url':'data:image/png;base64,!'}}
            /v1/chat/completions        | messages[0].content[1].type            | {'type':'file','file':{'file_id':'a'}}
            /v1/responses               | input[0].content[1].file_id            | {'type':'input_image','file_id':'a'}
            /v1/responses               | input[0].content[1].image_url          | {'type':'input_image'}
            /ai-sdk/writer              | messages[0].parts[1].mediaType         | {'type':'file','mediaType':'application/pdf','url':'data:application/pdf;base64,PIXEL'}
            /ag-ui/writer               | messages[0].content[1].source.type     | {'type':'image','source':{'type':'file','value':'a'}}
            /ag-ui/writer               | messages[0].content[1].type            | {'type':'audio','source':{'type':'url','value':'URL'}}
            /api/agents/writer/generate | messages[0].content[1].mediaType       | {'type':'file','data':'PIXEL','mediaType':'text/plain'}
            /api/agents/writer/generate | messages[0].content[1].image           | {'type':'image','image':{'0':1}}
            """)
    void whatIsNoImageIsRejectedBeforeARunStarts(String path, String field, String part) {
        Store store = InMemoryStore.keepingEndedRuns();
        ChargehandServer server = serve(runtime(store), builder -> builder);
        HttpResponse<String> answer = send(server, path, part);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(answer.body()).contains("'" + field + "'");
        assertThat(store.list(RunFilter.ALL)).isEmpty();
    }

    @Test
    void anImageAloneIsAMessage() {
        script.on("writer").says("A pixel.");
        ChargehandServer server = serve(HttpBinding.JDK);
        HttpResponse<String> answer = post(
                server,
                "/v1/responses",
                Map.of(
                        "model",
                        "writer",
                        "instructions",
                        "Be short.",
                        "input",
                        List.of(Map.of(
                                "role",
                                "user",
                                "content",
                                List.of(Map.of("type", "input_image", "image_url", DATA))))));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        List<Part> parts = script.requests().getFirst().messages().getLast().parts();
        assertThat(parts).hasSize(2);
        assertThat(((Part.Text) parts.getFirst()).text()).contains("Be short.");
        HttpResponse<String> items = get(server, "/v1/responses/" + at(answer, "/id") + "/input_items");
        assertThat(at(items, "/data/0/content/1/image_url")).isEqualTo(DATA);
    }

    @Test
    void aNetworkIsGivenAnImageToo() {
        script.on("clerk")
                .says(
                        "{\"primitiveId\":\"none\",\"primitiveType\":\"none\",\"prompt\":\"A pixel.\",\"selectionReason\":\"\"}");
        ChargehandServer server = serve(HttpBinding.JDK);
        HttpResponse<String> answer = send(
                server,
                "/ag-ui/clerk/network",
                "{'type':'image','source':{'type':'data','value':'PIXEL','mimeType':'image/png'}}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(script.requests().getFirst().messages().toString())
                .as(answer.body())
                .contains(DATA);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/chat/completions", "/ag-ui/writer"})
    void anImageIsAmongTheMessagesThatAreReadAgain(String path) {
        script.on("writer").says("A pixel.");
        ChargehandServer server = serve(HttpBinding.HELIDON);
        boolean chat = path.startsWith("/v1");
        HttpResponse<String> answer = send(
                server,
                path,
                chat
                        ? "{'type':'image_url','image_url':{'url':'DATA'}}"
                        : "{'type':'image','source':{'type':'data','value':'PIXEL','mimeType':'image/png'}}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        if (chat) {
            HttpResponse<String> messages = get(server, path + "/" + at(answer, "/id") + "/messages");
            assertThat(at(messages, "/data/0/content_parts/1/image_url/url")).isEqualTo(DATA);
        } else {
            HttpResponse<String> again = send(request(server, path + "/connect")
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"threadId\":\"chat\",\"runId\":\"r2\"}"))
                    .build());
            String snapshot = again.body()
                    .lines()
                    .filter(line -> line.contains("MESSAGES_SNAPSHOT"))
                    .findFirst()
                    .orElseThrow();
            assertThat(Json.parse(snapshot.substring("data: ".length()))
                            .at("/messages/0/content/1/source/value")
                            .flatMap(Json::string))
                    .contains(PIXEL);
        }
    }

    @Test
    void aRunThatWaitsForResultsReceivesNoImage() {
        script.on("helper").calls("locate", Map.of());
        ChargehandServer server = serve(HttpBinding.JDK);
        Map<String, Object> tool = Map.of("type", "function", "function", Map.of("name", "locate"));
        Map<String, Object> asked = Map.of("role", "user", "content", "Where?");
        String path = "/v1/chat/completions";
        HttpResponse<String> first =
                post(server, path, Map.of("model", "helper", "messages", List.of(asked), "tools", List.of(tool)));
        String id = at(first, "/choices/0/message/tool_calls/0/id");
        Map<String, Object> result = Map.of("role", "tool", "tool_call_id", id, "content", "Here.");
        Map<String, Object> shown = Map.of(
                "role", "user", "content", List.of(Map.of("type", "image_url", "image_url", Map.of("url", DATA))));
        HttpResponse<String> second =
                post(server, path, Map.of("model", "helper", "messages", List.of(asked, result, shown)));
        assertThat(second.statusCode()).as(second.body()).isEqualTo(400);
        assertThat(at(get(server, "/api/v1/runs?limit=1"), "/runs/0/status")).isEqualTo("suspended");
    }
}
