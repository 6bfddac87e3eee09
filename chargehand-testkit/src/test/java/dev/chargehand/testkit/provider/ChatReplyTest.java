package dev.chargehand.testkit.provider;

import static dev.chargehand.testkit.provider.WireClient.ask;
import static dev.chargehand.testkit.provider.WireClient.data;
import static dev.chargehand.testkit.provider.WireClient.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.reply.TokenUsage;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ChatReplyTest extends RepliesFixture {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String ASK_WITH_USAGE = """
            {"model":"m","stream":true,"stream_options":{"include_usage":true},
             "messages":[{"role":"user","content":"hi"}]}""";
    private static final String ASK_ONCE = "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}";

    private List<JsonNode> stream(Reply reply, String request) throws Exception {
        provider.enqueue(reply);
        HttpResponse<String> response = post(provider, request);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("content-type")).hasValue("text/event-stream; charset=utf-8");
        List<String> data = new ArrayList<>(data(response.body()));
        assertThat(data.removeLast()).isEqualTo("[DONE]");
        return data.stream().map(JSON::readTree).toList();
    }

    private static List<String> all(List<JsonNode> events, String pointer) {
        return events.stream()
                .map(event -> event.at(pointer))
                .filter(JsonNode::isString)
                .map(JsonNode::stringValue)
                .toList();
    }

    @Test
    void textIsStreamedAsOneEventPerDelta() throws Exception {
        List<JsonNode> events = stream(Reply.text("Hello, ", "world"), ask("m"));

        assertThat(all(events, "/choices/0/delta/content")).containsExactly("", "Hello, ", "world");
        assertThat(all(events, "/choices/0/delta/role")).containsExactly("assistant");
        assertThat(all(events, "/choices/0/finish_reason")).containsExactly("stop");
        assertThat(all(events, "/object")).containsOnly("chat.completion.chunk").hasSize(4);
    }

    @Test
    void usageIsStreamedToThoseWhoAskForItOnly() throws Exception {
        assertThat(stream(Reply.text("a"), ask("m")).getLast().has("usage")).isFalse();

        JsonNode last = stream(Reply.text("a"), ASK_WITH_USAGE).getLast();
        assertThat(last.path("choices").isEmpty()).isTrue();
        assertThat(last.at("/usage/prompt_tokens").intValue()).isEqualTo(10);
        assertThat(last.at("/usage/completion_tokens").intValue()).isEqualTo(5);

        JsonNode detailed = stream(Reply.text("a").usage(new TokenUsage(7, 3, 2, 1)), ASK_WITH_USAGE)
                .getLast();
        assertThat(detailed.at("/usage/total_tokens").intValue()).isEqualTo(10);
        assertThat(detailed.at("/usage/prompt_tokens_details/cached_tokens").intValue())
                .isEqualTo(2);
        assertThat(detailed.at("/usage/completion_tokens_details/reasoning_tokens")
                        .intValue())
                .isEqualTo(1);
    }

    @Test
    void toolCallsAreNamedFirstAndTheirArgumentsFollowInFragments() throws Exception {
        Reply reply = Reply.toolCalls(Reply.call("c1", "add", "{\"a\":1,\"b\":\"😀\"}"), Reply.call("c2", "now", "{}"))
                .fragment(6);
        List<JsonNode> events = stream(reply, ask("m"));

        assertThat(all(events, "/choices/0/delta/tool_calls/0/id")).containsExactly("c1", "c2");
        assertThat(all(events, "/choices/0/delta/tool_calls/0/function/name")).containsExactly("add", "now");
        assertThat(all(events, "/choices/0/delta/tool_calls/0/function/arguments"))
                .containsExactly("", "{\"a\":1", ",\"b\":\"", "😀\"}", "", "{}");
        assertThat(events.stream()
                        .map(e -> e.at("/choices/0/delta/tool_calls/0/index").intValue(-1)))
                .containsExactly(-1, 0, 0, 0, 0, 1, 1, -1);
        assertThat(all(events, "/choices/0/finish_reason")).containsExactly("tool_calls");
    }

    @Test
    void reasoningComesBeforeTextAndTheFinishReasonIsFree() throws Exception {
        List<JsonNode> events = stream(Reply.text("so").reasoning("hm", "mm").finish("content_filter"), ask("m"));

        assertThat(all(events, "/choices/0/delta/reasoning_content")).containsExactly("hm", "mm");
        assertThat(events.get(3).at("/choices/0/delta/content").stringValue()).isEqualTo("so");
        assertThat(all(events, "/choices/0/finish_reason")).containsExactly("content_filter");
    }

    @Test
    void argumentsNeedNotBeJsonAndIdsAndNamesMayBeEmpty() throws Exception {
        List<JsonNode> events =
                stream(Reply.toolCalls(Reply.call("", "", "{\"a\":1,")).finish("length"), ask("m"));

        assertThat(all(events, "/choices/0/delta/tool_calls/0/id")).containsExactly("");
        assertThat(all(events, "/choices/0/delta/tool_calls/0/function/name")).containsExactly("");
        assertThat(all(events, "/choices/0/delta/tool_calls/0/function/arguments"))
                .containsExactly("", "{\"a\":1,");
    }

    @Test
    void controlCharactersAndLoneSurrogatesSurviveTheTrip() throws Exception {
        String hostile = "\" \\ \n \r \t \u0000 \u001b \u2028 é 😀 \ud83d | \ude00";
        List<JsonNode> events = stream(Reply.text(hostile), ask("m"));

        assertThat(all(events, "/choices/0/delta/content")).containsExactly("", hostile);
    }

    @Test
    void aRepeatedDeltaIsSentThatManyTimes() throws Exception {
        List<JsonNode> events = stream(Reply.repeated("ab ", 3).andText("end"), ask("m"));

        assertThat(all(events, "/choices/0/delta/content")).containsExactly("", "ab ", "ab ", "ab ", "end");
    }

    @Test
    void aRequestThatWantsNoStreamGetsOneDocument() throws Exception {
        provider.enqueue(Reply.repeated("x", 2)
                .andText("y")
                .reasoning("hm")
                .andToolCalls(Reply.call("c1", "add", "{}"), Reply.call("c2", "sub", "{}"))
                .usage(3, 4));
        HttpResponse<String> response = post(provider, ASK_ONCE);

        assertThat(response.headers().firstValue("content-type")).hasValue("application/json");
        JsonNode document = JSON.readTree(response.body());
        JsonNode message = document.at("/choices/0/message");
        assertThat(document.path("object").stringValue()).isEqualTo("chat.completion");
        assertThat(message.path("content").stringValue()).isEqualTo("xxy");
        assertThat(message.path("reasoning_content").stringValue()).isEqualTo("hm");
        assertThat(message.at("/tool_calls/1/function/name").stringValue()).isEqualTo("sub");
        assertThat(document.at("/choices/0/finish_reason").stringValue()).isEqualTo("tool_calls");
        assertThat(document.at("/usage/total_tokens").intValue()).isEqualTo(7);
    }

    @Test
    void anAnswerOfToolCallsOnlyHasNullContent() throws Exception {
        provider.enqueue(Reply.toolCalls(Reply.call("c1", "add", "{}")));

        assertThat(JSON.readTree(post(provider, ASK_ONCE).body())
                        .at("/choices/0/message/content")
                        .isNull())
                .isTrue();
    }

    @Test
    void wrongNumbersAreRefusedWhenTheReplyIsMade() {
        assertThatThrownBy(() -> Reply.text("a").fragment(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Reply.text("a").chunkSplit(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Reply.text("a").drip(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Reply.text("a").delay(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
