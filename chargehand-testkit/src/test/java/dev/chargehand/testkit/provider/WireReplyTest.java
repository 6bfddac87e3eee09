package dev.chargehand.testkit.provider;

import static dev.chargehand.testkit.provider.WireClient.SOON;
import static dev.chargehand.testkit.provider.WireClient.ask;
import static dev.chargehand.testkit.provider.WireClient.data;
import static dev.chargehand.testkit.provider.WireClient.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.testkit.provider.reply.Framing;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.reply.TokenUsage;
import dev.chargehand.testkit.provider.reply.WireReply;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/** What a scripted answer looks like on the wire when it goes well; {@link BrokenReplyTest} has the other ones. */
class WireReplyTest extends RepliesFixture {
    private String streamed(Reply reply) throws Exception {
        provider.enqueue(reply);
        return post(provider, ask("m")).body();
    }

    @Test
    void aStatusCarriesItsHeadersAndItsBody() throws Exception {
        provider.enqueue(Reply.status(429).header("Retry-After", "2").body("{\"busy\":true}"));
        HttpResponse<String> response = post(provider, ask("m"));

        assertThat(response.statusCode()).isEqualTo(429);
        assertThat(response.headers().firstValue("retry-after")).hasValue("2");
        assertThat(response.headers().firstValue("content-type")).hasValue("application/json");
        assertThat(response.headers().firstValue("content-length")).hasValue("13");
        assertThat(response.body()).isEqualTo("{\"busy\":true}");
    }

    @Test
    void aHeaderReplacesTheOneOfTheSameName() throws Exception {
        provider.enqueue(Reply.status(503).header("Retry-After", "1").header("retry-after", "7"));

        assertThat(post(provider, ask("m")).headers().allValues("Retry-After")).containsExactly("7");
    }

    @Test
    void anErrorHasTheShapeOfOpenAi() throws Exception {
        provider.enqueue(Reply.error(500, "oh \"no\""));
        HttpResponse<String> response = post(provider, ask("m"));

        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.body())
                .isEqualTo(
                        "{\"error\":{\"message\":\"oh \\\"no\\\"\",\"type\":\"loopback\",\"param\":null,\"code\":500}}");
    }

    @Test
    void aRedirectNamesItsTarget() throws Exception {
        provider.enqueue(Reply.redirect(307, "http://127.0.0.1:1/elsewhere"));
        HttpResponse<String> response = post(provider, ask("m"));

        assertThat(response.statusCode()).isEqualTo(307);
        assertThat(response.headers().firstValue("location")).hasValue("http://127.0.0.1:1/elsewhere");
    }

    @Test
    void aWebPageMayComeWithStatus200() throws Exception {
        provider.enqueue(Reply.html("<html>Log in</html>"));
        HttpResponse<String> response = post(provider, ask("m"));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("content-type")).hasValue("text/html; charset=utf-8");
        assertThat(response.body()).isEqualTo("<html>Log in</html>");
    }

    @Test
    void eventsAreSentAsWrittenAndNothingIsAdded() throws Exception {
        assertThat(streamed(Reply.sse().event("{not json}").event("[DONE]")))
                .isEqualTo("data: {not json}\n\ndata: [DONE]\n\n");
    }

    @Test
    void aStreamMayEndWithoutFinishReasonAndDone() throws Exception {
        assertThat(data(streamed(Reply.sse().text("a", "b"))))
                .hasSize(2)
                .allMatch(event -> event.contains("\"finish_reason\":null"));
    }

    @Test
    void legalButNastyStreamsCanBeWritten() throws Exception {
        String stream = streamed(Reply.sse()
                .byteOrderMark()
                .lineEnding("\r\n")
                .comment("keep-alive")
                .line("id: 3")
                .line("unheard-of: yes")
                .event("{\"a\":\n1}")
                .lineEnding("\r")
                .event("{}"));

        assertThat(stream)
                .isEqualTo("\ufeff: keep-alive\r\nid: 3\r\nunheard-of: yes\r\n"
                        + "data: {\"a\":\r\ndata: 1}\r\n\r\ndata: {}\r\r");
    }

    @Test
    void fragmentsOfTwoToolCallsMayAlternate() throws Exception {
        List<String> events = data(streamed(Reply.sse()
                .role()
                .toolCall(0, Reply.call("c1", "add", ""))
                .toolCall(1, Reply.call("c2", "sub", ""))
                .arguments(0, "{\"a\"")
                .arguments(1, "{\"b\"")
                .arguments(0, ":1}")
                .arguments(1, ":2}")
                .finish("tool_calls")
                .usage(TokenUsage.of(1, 2))
                .done()));

        assertThat(events).hasSize(10);
        assertThat(events.get(1)).contains("{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",");
        assertThat(events.get(4))
                .contains("{\"tool_calls\":[{\"index\":1,\"function\":{\"arguments\":\"{\\\"b\\\"\"}}]}");
        assertThat(events.get(8)).contains("\"choices\":[],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":2");
    }

    @Test
    void whatHasNoMethodOfItsOwnIsWrittenAsADelta() throws Exception {
        String call =
                "{\"tool_calls\":[{\"index\":3,\"id\":\"c\",\"function\":{\"name\":\"f\",\"arguments\":{\"a\":1}}}]}";
        List<String> events = data(streamed(
                Reply.sse().delta(call).emptyChoices().error("overloaded", 529).reasoning("hm")));

        assertThat(events.get(0)).contains("\"delta\":" + call);
        assertThat(events.get(1)).contains("\"choices\":[]}");
        assertThat(events.get(2))
                .startsWith("{\"error\":{\"message\":\"overloaded\"")
                .contains("\"code\":529");
        assertThat(events.get(3)).contains("{\"reasoning_content\":\"hm\"}");
    }

    @Test
    void aCompressedAnswerSaysSoAndUnpacksToTheSame() throws Exception {
        for (Reply reply : List.of(
                Reply.text("a", "b"),
                Reply.sse().text("a").repeated("b", 1000),
                Reply.status(200).body("{}"))) {
            String plain = streamed(reply);
            provider.enqueue(reply.gzip());
            try (HttpClient client = HttpClient.newHttpClient()) {
                HttpResponse<byte[]> response =
                        client.send(WireClient.request(provider, ask("m")), HttpResponse.BodyHandlers.ofByteArray());
                assertThat(response.headers().firstValue("content-encoding")).hasValue("gzip");
                assertThat(new GZIPInputStream(new ByteArrayInputStream(response.body())))
                        .hasContent(plain);
            }
        }
    }

    @Test
    void aBodyMayEndWithTheConnection() throws Exception {
        provider.enqueue(Reply.sse().framing(Framing.UNTIL_CLOSE).event("{}"));
        try (WireClient client = new WireClient(provider).post(ask("m"))) {
            assertThat(client.head()).contains("Connection: close").doesNotContain("Transfer-Encoding");
            assertThat(client.rest()).isEqualTo("data: {}\n\n");
            assertThat(provider.awaitEnding(provider.log().getFirst(), SOON)).isEqualTo(Ending.COMPLETE);
        }
    }

    @Test
    void bytesNeedNotBeTextOrHttp() throws Exception {
        byte[] bytes = {'H', 'T', 'T', 'P', '/', '9', (byte) 0xff, 0, '\n'};
        provider.enqueue(Reply.connection().raw(bytes));
        provider.enqueue(Reply.status(200).body(bytes, 2));

        try (WireClient client = new WireClient(provider).post(ask("m"))) {
            assertThat(client.bytes(9)).isEqualTo(bytes);
            assertThat(client.isAtEnd()).isTrue();
        }
        try (WireClient client = new WireClient(provider).post(ask("m"))) {
            assertThat(client.head()).contains("Content-Length: 18");
            ByteArrayOutputStream twice = new ByteArrayOutputStream();
            twice.writeBytes(bytes);
            twice.writeBytes(bytes);
            assertThat(client.bytes(18)).isEqualTo(twice.toByteArray());
        }
    }

    @Test
    void aReplyAnswersAnyNumberOfRequestsAndIsNotChangedByWhatIsMadeFromIt() throws IOException, InterruptedException {
        WireReply base = Reply.sse().text("a");
        WireReply longer = base.text("b").header("X-Longer", "yes");
        provider.enqueue(base, longer, base);

        assertThat(data(post(provider, ask("m")).body())).hasSize(1);
        assertThat(data(post(provider, ask("m")).body())).hasSize(2);
        HttpResponse<String> again = post(provider, ask("m"));
        assertThat(data(again.body())).hasSize(1);
        assertThat(again.headers().firstValue("x-longer")).isEmpty();
    }

    @Test
    void nothingFollowsALastStep() {
        for (WireReply ended : List.of(
                Reply.sse().stall(),
                Reply.sse().reset(),
                Reply.sse().hangUp(),
                Reply.sse().closeCleanly(),
                Reply.silence())) {
            assertThatThrownBy(() -> ended.text("late"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("nothing can be added");
            assertThatThrownBy(ended::reset).isInstanceOf(IllegalStateException.class);
        }
    }
}
