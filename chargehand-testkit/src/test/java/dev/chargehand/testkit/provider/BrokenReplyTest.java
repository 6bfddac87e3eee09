package dev.chargehand.testkit.provider;

import static dev.chargehand.testkit.provider.WireClient.SOON;
import static dev.chargehand.testkit.provider.WireClient.ask;
import static dev.chargehand.testkit.provider.WireClient.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.testkit.provider.reply.Reply;
import java.io.IOException;
import java.net.SocketException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** How an answer breaks off, on the wire and in the log. */
class BrokenReplyTest extends RepliesFixture {
    private Exchange last() {
        return provider.log().getLast();
    }

    @Test
    void aResetBeforeTheHeadIsAResetForTheClient() throws Exception {
        try (WireClient client = asked(Reply.connection().reset())) {
            assertThatThrownBy(client::rest).isInstanceOf(SocketException.class).hasMessageContaining("reset");
        }
        assertThat(provider.awaitEnding(last(), SOON)).isEqualTo(Ending.CUT_BY_SCRIPT);
        assertThat(last().closedBy()).hasValue(Side.PROVIDER);
        assertThat(last().firstByteNanos()).isEmpty();

        provider.enqueue(Reply.connection().reset());
        assertThatThrownBy(() -> post(provider, ask("m"))).isInstanceOf(IOException.class);
    }

    @Test
    void aResetInMidStreamComesAfterWhatTheClientHasRead() throws Exception {
        CountDownLatch read = new CountDownLatch(1);
        try (WireClient client =
                asked(Reply.sse().text("a", "b", "c").hold(read).reset())) {
            assertThat(client.head()).startsWith("HTTP/1.1 200 OK\n");
            assertThat(client.textChunk()).contains("\"a\"");
            assertThat(client.textChunk()).contains("\"b\"");
            assertThat(client.textChunk()).contains("\"c\"");
            read.countDown();
            assertThatThrownBy(client::chunk)
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("reset");
        }
        assertThat(provider.awaitEnding(last(), SOON)).isEqualTo(Ending.CUT_BY_SCRIPT);
    }

    @Test
    void aCleanCloseEndsTheBodyAndThenTheConnection() throws Exception {
        try (WireClient client = asked(Reply.sse().text("a").closeCleanly())) {
            assertThat(client.head()).contains("Transfer-Encoding: chunked").doesNotContain("Connection: close");
            assertThat(client.chunks()).hasSize(1);
            assertThat(client.isAtEnd()).isTrue();
        }
        assertThat(provider.awaitEnding(last(), SOON)).isEqualTo(Ending.COMPLETE);
        assertThat(last().closedBy()).hasValue(Side.PROVIDER);
    }

    @Test
    void aHangUpLeavesTheBodyWithoutItsEnd() throws Exception {
        try (WireClient client = asked(Reply.sse().text("a").hangUp())) {
            client.head();
            assertThat(client.textChunk()).contains("\"a\"");
            assertThat(client.isAtEnd()).isTrue();
        }
        assertThat(provider.awaitEnding(last(), SOON)).isEqualTo(Ending.CUT_BY_SCRIPT);

        provider.enqueue(Reply.sse().text("a").hangUp());
        assertThatThrownBy(() -> post(provider, ask("m"))).isInstanceOf(IOException.class);
    }

    @Test
    void aBodyMayBeShorterThanItsAnnouncedLength() throws Exception {
        try (WireClient client = asked(
                Reply.status(200).header("Content-Length", "1000").body("{}").closeCleanly())) {
            assertThat(client.head()).containsOnlyOnce("Content-Length").contains("Content-Length: 1000");
            assertThat(client.rest()).isEqualTo("{}");
        }
    }

    @Test
    void aChunkSizeMayBeNonsense() throws Exception {
        try (WireClient client = asked(Reply.sse().text("a").badChunk().hangUp())) {
            client.head();
            assertThat(client.textChunk()).contains("\"a\"");
            assertThat(client.line()).isEqualTo("ZZZ");
        }
        provider.enqueue(Reply.sse().text("a").badChunk().hangUp());
        assertThatThrownBy(() -> post(provider, ask("m"))).isInstanceOf(IOException.class);
    }

    @Test
    void aStalledReplyEndsWhenTheClientLeaves() throws Exception {
        try (WireClient client = asked(Reply.sse().text("a", "b").stall())) {
            client.head();
            client.textChunk();
            assertThat(client.textChunk()).contains("\"b\"");
            assertThat(last().ending()).isEmpty();
            assertThat(last().closedNanos()).isEmpty();
        }
        assertThat(provider.awaitClosed(last(), SOON)).isEqualTo(Side.CLIENT);
        assertThat(provider.awaitEnding(last(), SOON)).isEqualTo(Ending.CUT_BY_CLIENT);
        assertThat(last().leftByClient()).isTrue();
        assertThat(last().closedNanos().orElseThrow())
                .isGreaterThan(last().firstByteNanos().orElseThrow());
    }

    @Test
    void aSilentProviderWritesNothingAndNoticesTheClientLeave() throws Exception {
        WireClient client = asked(Reply.silence());
        Exchange exchange = provider.awaitRequests(1, SOON).getFirst();
        client.reset();

        assertThat(provider.awaitEnding(exchange, SOON)).isEqualTo(Ending.CUT_BY_CLIENT);
        assertThat(exchange.bytesWritten()).isZero();
        assertThat(exchange.firstByteNanos()).isEmpty();
    }

    @Test
    void aHeadMayBeAllThatComes() throws Exception {
        try (WireClient client = asked(Reply.sse().stall())) {
            assertThat(client.head()).startsWith("HTTP/1.1 200 OK\n");
        }
        assertThat(provider.awaitEnding(last(), SOON)).isEqualTo(Ending.CUT_BY_CLIENT);
    }

    @Test
    void aClientThatLeavesEndsHoldsAndDelaysToo() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        for (Reply waiting : new Reply[] {
            Reply.sse().text("a").hold(never).text("b"),
            Reply.text("a").delay(Duration.ofDays(1)),
            Reply.text("a").between(Duration.ofDays(1)),
            Reply.sse().pause(Duration.ofDays(1)),
        }) {
            long count = provider.requestCount();
            WireClient client = asked(waiting);
            Exchange exchange = provider.awaitRequests(count + 1, SOON).getLast();
            client.close();
            assertThat(provider.awaitEnding(exchange, SOON)).isEqualTo(Ending.CUT_BY_CLIENT);
        }
    }

    @Test
    void aClientThatLeavesWithoutReadingEndsAnAnswerThatDoesNotFitTheSocket() throws Exception {
        WireClient client = asked(Reply.repeated("x".repeat(1 << 20), 64));
        Exchange exchange = provider.awaitRequests(1, SOON).getFirst();
        client.head();
        client.close();

        assertThat(provider.awaitEnding(exchange, SOON)).isEqualTo(Ending.CUT_BY_CLIENT);
        assertThat(exchange.bytesWritten()).isLessThan(64 << 20);
    }

    @Test
    void aKeptConnectionClosedByTheClientLaterDoesNotSpoilACompleteReply() throws Exception {
        WireClient client = asked(Reply.text("a"));
        client.head();
        client.chunks();
        client.close();

        assertThat(provider.awaitClosed(last(), SOON)).isEqualTo(Side.CLIENT);
        assertThat(provider.awaitEnding(last(), SOON)).isEqualTo(Ending.COMPLETE);
        assertThat(last().leftByClient()).isFalse();
    }

    @Test
    void closingTheProviderEndsWhatWaits() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        provider.onModel("silent", Reply.silence()).onModel("held", Reply.sse().hold(never));
        try (WireClient silent = new WireClient(provider).post(ask("silent"));
                WireClient held = new WireClient(provider).post(ask("held"))) {
            provider.awaitRequests(2, SOON);
            held.head();
            provider.close();

            for (Exchange exchange : provider.log()) {
                assertThat(provider.awaitEnding(exchange, SOON)).isEqualTo(Ending.CUT_BY_PROVIDER);
                assertThat(exchange.closedBy()).hasValue(Side.PROVIDER);
            }
            assertThat(silent.rest()).isEmpty();
        }
        assertThatThrownBy(() -> new WireClient(provider)).isInstanceOf(IOException.class);
    }

    @Test
    void idleConnectionsCanBeDroppedWhileTheProviderGoesOn() throws Exception {
        provider.always(Reply.text("a"));
        try (WireClient idle = new WireClient(provider).post(ask("m"))) {
            idle.head();
            idle.chunks();
            provider.disconnectAll();
            assertThat(idle.isAtEnd()).isTrue();
        }
        assertThat(post(provider, ask("m")).statusCode()).isEqualTo(200);
    }
}
