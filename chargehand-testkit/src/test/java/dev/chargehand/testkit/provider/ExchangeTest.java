package dev.chargehand.testkit.provider;

import static dev.chargehand.testkit.provider.WireClient.SOON;
import static dev.chargehand.testkit.provider.WireClient.ask;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.request.ChatMessage;
import dev.chargehand.testkit.provider.request.FunctionCall;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What the log says of a request and its reply. */
class ExchangeTest {
    @AutoClose
    private final LoopbackProvider provider = LoopbackProvider.start();

    @Test
    void theRequestIsLoggedAsItCame() throws Exception {
        provider.always(Reply.text("a"));
        Instant before = Instant.now();
        String body = """
                {"model":"m","stream":true,"stream_options":{"include_usage":true},"tool_choice":"auto",
                 "tools":[{"type":"function","function":{"name":"add"}},{"type":"function","function":{"name":"sub"}}],
                 "messages":[
                  {"role":"system","content":"Be brief."},
                  {"role":"user","content":[{"type":"text","text":"1+"},{"type":"image_url"},{"type":"text","text":"2?"}]},
                  {"role":"assistant","content":null,"tool_calls":[
                   {"id":"c1","type":"function","function":{"name":"add","arguments":"{\\"a\\":1}"}}]},
                  {"role":"tool","tool_call_id":"c1","content":"3"}]}""";
        try (WireClient client = new WireClient(provider)) {
            client.send(
                    "POST /v1/chat/completions?x=1 HTTP/1.1\r\nAUTHORIZATION: Bearer k\r\nAccept: a\r\naccept: b\r\n"
                            + "Content-Length: " + body.length() + "\r\n\r\n" + body);
            client.head();
        }

        ReceivedRequest request = provider.log().getFirst().request();
        assertThat(request.sequence()).isEqualTo(1);
        assertThat(request.method()).isEqualTo("POST");
        assertThat(request.path()).isEqualTo("/v1/chat/completions?x=1");
        assertThat(request.isChat()).isTrue();
        assertThat(request.header("authorization")).hasValue("Bearer k");
        assertThat(request.headers().get("Accept")).containsExactly("a", "b");
        assertThat(request.arrivedAt()).isBetween(before, Instant.now());
        assertThat(request.body()).isEqualTo(body);
        assertThat(request.bodyBytes()).isEqualTo(body.length());
        assertThat(request.model()).isEqualTo("m");
        assertThat(request.chat().stream()).isTrue();
        assertThat(request.chat().usageAsked()).isTrue();
        assertThat(request.toolNames()).containsExactly("add", "sub");
        assertThat(request.systemText()).isEqualTo("Be brief.");
        assertThat(request.lastUserText()).isEqualTo("1+2?");
        assertThat(request.messages().get(2).toolCalls()).containsExactly(new FunctionCall("c1", "add", "{\"a\":1}"));
        assertThat(request.messages().get(3)).isEqualTo(new ChatMessage("tool", "3", List.of(), "c1"));
        assertThat(request.at("/tool_choice")).hasValue("auto");
        assertThat(request.at("/tools/0/function")).hasValue("{\"name\":\"add\"}");
        assertThat(request.at("/nothing")).isEmpty();
        assertThat(request.toString())
                .doesNotContain("Bearer")
                .doesNotContain("1+2")
                .contains("model 'm'");
    }

    @Test
    void requestsOfOneConnectionShareItsNumber() throws Exception {
        provider.always(Reply.text("a"));
        try (WireClient first = new WireClient(provider);
                WireClient second = new WireClient(provider)) {
            for (WireClient client : List.of(first, first, second)) {
                client.post(ask("m")).head();
                client.chunks();
            }
            assertThat(provider.openConnections()).isEqualTo(2);
        }
        assertThat(provider.log())
                .extracting(exchange -> exchange.request().connection())
                .containsExactly(1L, 1L, 2L);
        assertThat(provider.log())
                .extracting(exchange -> exchange.request().sequence())
                .containsExactly(1L, 2L, 3L);
    }

    @Test
    void theGapOfARetryIsMeasuredFromTheEndOfTheReplyBefore() throws Exception {
        provider.enqueue(Reply.status(429), Reply.text("ok"));
        CountDownLatch open = new CountDownLatch(1);
        provider.onModel("held", Reply.sse().hold(open));
        try (WireClient client = new WireClient(provider);
                WireClient held = new WireClient(provider).post(ask("held"))) {
            client.post(ask("m")).head();
            client.post(ask("m")).head();
            List<Exchange> log = provider.awaitRequests(3, SOON).stream()
                    .filter(exchange -> exchange.request().model().equals("m"))
                    .toList();

            assertThat(log.get(1).gapAfter(log.get(0))).isBetween(Duration.ZERO, SOON);
            Exchange going = provider.log().stream()
                    .filter(exchange -> exchange.request().model().equals("held"))
                    .findFirst()
                    .orElseThrow();
            assertThatThrownBy(() -> log.get(1).gapAfter(going)).isInstanceOf(IllegalStateException.class);
            open.countDown();
            held.head();
        }
    }

    @Test
    void aFinishedReplyHasItsTimesAndItsSize() throws Exception {
        provider.enqueue(Reply.status(200).body("{}"));
        try (WireClient client = new WireClient(provider).post(ask("m"))) {
            int head = client.head().length();
            client.bytes(2);
            Exchange exchange = provider.log().getFirst();

            assertThat(provider.awaitEnding(exchange, SOON)).isEqualTo(Ending.COMPLETE);
            // Each of the head's lines has one more byte on the wire, the empty line two.
            assertThat(exchange.bytesWritten()).isEqualTo(head + 3 + 2 + 2);
            assertThat(exchange.firstByteNanos().orElseThrow())
                    .isBetween(
                            exchange.request().arrivedNanos(),
                            exchange.finishedNanos().orElseThrow());
            assertThat(exchange.closedBy()).isEmpty();
        }
    }

    @Test
    void requestsInFlightAreCounted() throws Exception {
        CountDownLatch open = new CountDownLatch(1);
        provider.onModel("held", Reply.sse().hold(open), Reply.sse().hold(open));
        provider.always(Reply.text("a"));
        try (WireClient first = new WireClient(provider).post(ask("held"));
                WireClient second = new WireClient(provider).post(ask("held"))) {
            provider.awaitRequests(2, SOON);
            assertThat(provider.inFlight()).isEqualTo(2);
            open.countDown();
            first.head();
            first.chunks();
            second.head();
            second.chunks();
            assertThat(provider.inFlight()).isZero();
        }
        assertThat(provider.peakInFlight()).isEqualTo(2);
    }

    @Test
    void requestsOneAfterTheOtherAreNeverInFlightTogether() throws Exception {
        provider.always(Reply.text("a"));
        try (WireClient one = new WireClient(provider);
                WireClient other = new WireClient(provider)) {
            for (int i = 0; i < 500; i++) {
                WireClient client = i % 2 == 0 ? one : other;
                client.post(ask("m")).head();
                client.chunks();
            }
        }
        assertThat(provider.peakInFlight()).isEqualTo(1);
    }

    @Test
    void theLogKeepsTheNewest() throws Exception {
        try (LoopbackProvider small = LoopbackProvider.start(ProviderOptions.DEFAULT.withKeptExchanges(2));
                WireClient client = new WireClient(small)) {
            small.always(Reply.text("a"));
            for (int i = 0; i < 3; i++) {
                client.post(ask("m")).head();
                client.chunks();
            }
            assertThat(small.log())
                    .extracting(exchange -> exchange.request().sequence())
                    .containsExactly(2L, 3L);
            assertThat(small.requestCount()).isEqualTo(3);
        }
    }

    @Test
    void waitingInVainSaysWhatCame() throws Exception {
        provider.always(Reply.silence());
        try (WireClient client = new WireClient(provider).post(ask("m"))) {
            Exchange exchange = provider.awaitRequests(1, SOON).getFirst();
            assertThatThrownBy(() -> provider.awaitRequests(2, Duration.ofMillis(1)))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("2 requests did not come within 0.001 s, only 1 did");
            assertThatThrownBy(() -> provider.awaitEnding(exchange, Duration.ZERO))
                    .hasMessageContaining("did not end within 0 s: request 1");
            assertThatThrownBy(() -> provider.awaitClosed(exchange, Duration.ZERO))
                    .hasMessageContaining("was not closed");
            client.reset();
        }
    }

    @Test
    void anInterruptEndsTheWaitAndStays() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> provider.awaitRequests(1, SOON)).hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }
}
