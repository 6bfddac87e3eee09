package dev.chargehand.testkit.provider;

import static dev.chargehand.testkit.provider.WireClient.SOON;
import static dev.chargehand.testkit.provider.WireClient.ask;
import static dev.chargehand.testkit.provider.WireClient.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.testkit.provider.reply.Finish;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.testkit.provider.reply.WireReply;
import dev.chargehand.testkit.provider.request.Incoming;
import dev.chargehand.testkit.provider.request.ReceivedRequest;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** When and in which portions bytes are written. Lower bounds of time only: nothing here fails on a slow machine. */
class PacingTest extends RepliesFixture {
    private static final String EMOJI = "a😀é漢b";

    private Exchange ended() {
        Exchange exchange = provider.log().getLast();
        assertThat(provider.awaitEnding(exchange, SOON)).isEqualTo(Ending.COMPLETE);
        return exchange;
    }

    private Duration writing() {
        Exchange exchange = ended();
        return Duration.ofNanos(exchange.finishedNanos().orElseThrow()
                - exchange.firstByteNanos().orElseThrow());
    }

    @Test
    void aDelayComesBeforeTheFirstByte() throws Exception {
        Duration delay = Duration.ofMillis(50);
        provider.enqueue(Reply.text("a").delay(delay));
        post(provider, ask("m"));

        Exchange exchange = ended();
        assertThat(exchange.firstByteNanos().orElseThrow() - exchange.request().arrivedNanos())
                .isGreaterThanOrEqualTo(delay.toNanos());
    }

    @Test
    void gapsComeBetweenTheEvents() throws Exception {
        provider.enqueue(Reply.text("a", "b").between(Duration.ofMillis(10)));
        post(provider, ask("m"));

        // role, a, b, finish, [DONE]
        assertThat(writing()).isGreaterThanOrEqualTo(Duration.ofMillis(40));
    }

    @Test
    void aPauseComesAfterWhatStandsBeforeIt() throws Exception {
        provider.enqueue(Reply.sse().pause(Duration.ofMillis(30)).text("a"));
        post(provider, ask("m"));

        assertThat(writing()).isGreaterThanOrEqualTo(Duration.ofMillis(30));
    }

    @Test
    void aDrippingBodyTakesItsSizeByItsRate() throws Exception {
        provider.enqueue(Reply.status(200).body("x".repeat(100)).drip(1000));
        assertThat(post(provider, ask("m")).body()).isEqualTo("x".repeat(100));

        // 100 bytes as two pieces of 50, with the 50 ms of one piece between them
        assertThat(writing()).isGreaterThanOrEqualTo(Duration.ofMillis(50));
    }

    @Test
    void aHeldReplyHasSentAllThatStandsBefore() throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch open = new CountDownLatch(1);
        try (WireClient client =
                asked(Reply.sse().text("a").signal(reached).hold(open).text("b"))) {
            client.head();
            assertThat(client.textChunk()).contains("\"a\"");
            reached.await();
            assertThat(provider.log().getFirst().ending()).isEmpty();

            open.countDown();
            assertThat(client.textChunk()).contains("\"b\"");
            assertThat(client.chunk()).isEmpty();
        }
    }

    @Test
    void aBodyCanComeByteByByteThroughTheMiddleOfCharacters() throws Exception {
        WireReply reply = Reply.sse().text(EMOJI).done();
        String whole = wholeBody(reply);
        try (WireClient client = asked(reply.chunkSplit(1))) {
            client.head();
            List<byte[]> chunks = client.chunks();
            assertThat(chunks).allMatch(chunk -> chunk.length == 1);
            assertThat(joined(chunks)).isEqualTo(whole).contains(EMOJI);
        }
    }

    @Test
    void piecesOfAnySizeCrossTheBordersOfEvents() throws Exception {
        WireReply reply = Reply.sse().text(EMOJI, "b", "c").done();
        String whole = wholeBody(reply);
        for (int size : new int[] {2, 7, 100, 300, 100_000}) {
            try (WireClient client = asked(reply.chunkSplit(size))) {
                client.head();
                List<byte[]> chunks = client.chunks();
                assertThat(chunks.subList(0, chunks.size() - 1)).allMatch(chunk -> chunk.length == size);
                assertThat(joined(chunks)).isEqualTo(whole);
            }
        }
    }

    @Test
    void aSplitBodyOfKnownLengthKeepsItsLength() throws Exception {
        provider.enqueue(Reply.status(200).body(EMOJI).chunkSplit(3));

        assertThat(post(provider, ask("m")).body()).isEqualTo(EMOJI);
    }

    @Test
    void whatIsReadyGoesOutInOneWrite() throws Exception {
        assertThat(writes(Reply.sse().text("a", "b").done())).hasSize(1);
    }

    @Test
    void eventsHaveWritesOfTheirOwnWhenTheGapIsZero() throws Exception {
        List<String> writes = writes(Reply.sse().text("a", "b").done().between(Duration.ZERO));

        assertThat(writes).hasSize(3);
        assertThat(writes.get(0))
                .startsWith("HTTP/1.1 200 OK")
                .contains("\"a\"")
                .doesNotContain("\"b\"");
        assertThat(writes.get(2)).contains("[DONE]").endsWith("0\r\n\r\n");
    }

    @Test
    void headAndFramingCanBeSplitToo() throws Exception {
        WireReply reply = Reply.sse().text(EMOJI);

        assertThat(writes(reply.writeSplit(3))).allMatch(write -> write.length() <= 3);
        assertThat(String.join("", writes(reply.writeSplit(1))))
                .isEqualTo(writes(reply).getFirst());
        provider.enqueue(reply.writeSplit(1));
        assertThat(post(provider, ask("m")).body()).contains(EMOJI);
    }

    private String wholeBody(Reply reply) throws Exception {
        provider.enqueue(reply);
        return post(provider, ask("m")).body();
    }

    private static String joined(List<byte[]> chunks) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        chunks.forEach(all::writeBytes);
        return all.toString(StandardCharsets.UTF_8);
    }

    /** The writes as they reach the socket, one character per byte; a socket's other end cannot tell them apart. */
    private static List<String> writes(WireReply reply) throws Exception {
        List<String> writes = new ArrayList<>();
        Exchange exchange = new Exchange(
                new ReceivedRequest(
                        1,
                        1,
                        new Incoming(
                                new Incoming.RequestHead("POST", "/", "HTTP/1.1"),
                                Map.of(),
                                new byte[0],
                                Instant.EPOCH,
                                0)),
                List.of(),
                new ConnectionEnd());
        OutputStream socket = new OutputStream() {
            @Override
            public void write(int b) {
                throw new AssertionError("a write of one byte by itself");
            }

            @Override
            public void write(byte[] bytes, int from, int length) {
                writes.add(new String(bytes, from, length, StandardCharsets.ISO_8859_1));
            }
        };
        assertThat(new ReplyPlayer(socket, exchange, () -> {}).play(reply.plan()))
                .isEqualTo(Finish.KEEP_OPEN);
        return writes;
    }
}
