package dev.chargehand.testkit.provider;

import static dev.chargehand.testkit.provider.WireClient.SOON;
import static dev.chargehand.testkit.provider.WireClient.ask;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.testkit.provider.reply.ChatJson;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What clients may send, and what they may not. */
class RequestReaderTest {
    private static final String POST = "POST /v1/chat/completions HTTP/1.1\r\n";

    @AutoClose
    private final LoopbackProvider provider =
            LoopbackProvider.start().always(Reply.status(200).body("{}"));

    private ReceivedRequest last() {
        return provider.log().getLast().request();
    }

    @Test
    void aBodyMayComeInChunks() throws Exception {
        try (WireClient client = new WireClient(provider)) {
            client.send(
                    POST
                            + "Transfer-Encoding: chunked\r\n\r\n5;ext=1\r\n{\"mod\r\n0A\r\nel\":\"abc\"}\r\n0\r\nT: 1\r\n\r\n");
            assertThat(client.head()).startsWith("HTTP/1.1 200");
            assertThat(last().model()).isEqualTo("abc");
            assertThat(client.bytes(2)).hasSize(2);
            assertThat(client.post(ask("next")).head()).startsWith("HTTP/1.1 200");
        }
        assertThat(last().model()).isEqualTo("next");
    }

    @Test
    void aClientThatWaitsForPermissionGetsIt() throws Exception {
        try (WireClient client = new WireClient(provider)) {
            client.send(POST + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n");
            assertThat(client.head()).isEqualTo("HTTP/1.1 100 Continue\n");
            assertThat(client.send("{}").head()).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void requestsSentAheadAreAnsweredInOrder() throws Exception {
        String two = POST + "Content-Length: 13\r\n\r\n{\"model\":\"a\"}" + POST
                + "Content-Length: 13\r\n\r\n{\"model\":\"b\"}";
        provider.onModel("a", Reply.error(401, "a")).onModel("b", Reply.status(204));
        try (WireClient client = new WireClient(provider).send(two)) {
            assertThat(client.head()).startsWith("HTTP/1.1 401");
            client.bytes(ChatJson.error("a", 401).length());
            assertThat(client.head()).startsWith("HTTP/1.1 204");
        }
    }

    @ParameterizedTest
    @CsvSource({"HTTP/1.1,Connection: close", "HTTP/1.0,X: y"})
    void aClientThatWantsOneAnswerOnlyIsLetGo(String version, String header) throws Exception {
        try (WireClient client =
                new WireClient(provider).send("GET /v1/models " + version + "\r\n" + header + "\r\n\r\n")) {
            client.head();
            assertThat(client.rest()).isEqualTo("{}");
        }
        assertThat(provider.awaitClosed(provider.log().getFirst(), SOON)).isEqualTo(Side.PROVIDER);
        assertThat(provider.awaitEnding(provider.log().getFirst(), SOON)).isEqualTo(Ending.COMPLETE);
    }

    @ParameterizedTest
    @CsvSource({
        "nonsense, 400",
        "GET / SPDY/3, 400",
        "GET / HTTP/1.1|no colon, 400",
        "GET / HTTP/1.1|Content-Length: many, 400",
        "GET / HTTP/1.1|Content-Length: -1, 400",
        "GET / HTTP/1.1|Content-Length: 99999999999, 413",
        "GET / HTTP/1.1|Transfer-Encoding: gzip, 501",
    })
    void whatIsNoRequestIsRefusedAndRecorded(String head, int status) throws Exception {
        try (WireClient client = new WireClient(provider).send(head.replace("|", "\r\n") + "\r\n\r\n")) {
            assertThat(client.head()).startsWith("HTTP/1.1 " + status);
        }
        assertThat(provider.violations()).singleElement().satisfies(violation -> assertThat(violation.rule())
                .isEqualTo(Rule.READABLE_HTTP));
        assertThat(provider.log()).isEmpty();
    }

    @Test
    void anEndlessHeadIsRefused() throws Exception {
        try (WireClient client = new WireClient(provider).send("GET / HTTP/1.1\r\nX: " + "x".repeat(64 * 1024))) {
            assertThat(client.head()).startsWith("HTTP/1.1 431");
        }
    }

    @Test
    void aClientThatLeavesInMidRequestIsNoRequest() throws Exception {
        try (WireClient client = new WireClient(provider)) {
            client.send(POST + "Content-Length: 100\r\n\r\n{");
        }
        try (WireClient client = new WireClient(provider).post(ask("m"))) {
            client.head();
        }
        assertThat(provider.requestCount()).isEqualTo(1);
        assertThat(provider.violations()).isEmpty();
    }
}
