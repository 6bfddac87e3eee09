package dev.chargehand.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.error.ModelException;
import dev.chargehand.testkit.provider.reply.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A connection that was kept for the next call, and that the server let go of meanwhile. */
@Timeout(60)
class KeptConnectionTest {

    @AutoClose
    private final Loopback wire = new Loopback();

    @ParameterizedTest
    @ValueSource(strings = {"closed", "reset"})
    void oneThatIsDeadIsReplacedAtOnce(String how) throws InterruptedException {
        if (how.equals("closed")) {
            wire.ask(Reply.sse().text("one").finish("stop").done().closeCleanly());
        } else {
            wire.ask(Reply.sse().text("one").finish("stop").done());
            wire.provider.disconnectAll();
        }
        awaitAllGone();
        assertThat(wire.ask(Reply.text("two")).text()).isEqualTo("two");
        assertThat(wire.provider.requestCount()).isEqualTo(2);
    }

    @Test
    void manyThatAreDeadAreNoFaultEither() throws InterruptedException {
        keep(20);
        wire.provider.disconnectAll();
        awaitAllGone();
        assertThat(wire.ask(Reply.text("more")).text()).isEqualTo("more");
        assertThat(wire.provider.requestCount()).isEqualTo(21);
    }

    @Test
    void aServerThatHangsUpOnANewConnectionTooIsAFault() throws InterruptedException {
        wire.ask(Reply.text("one"));
        wire.provider.enqueue(Reply.connection().hangUp(), Reply.connection().hangUp(), Reply.text("not asked for"));
        ModelException e = wire.fail();
        assertThat(e.kind()).isEqualTo(ModelException.Kind.CONNECTION);
        assertThat(e.retryable()).isTrue();
        assertThat(wire.provider.requestCount()).isEqualTo(3);
    }

    @Test
    void anAnswerThatHasStartedIsNeverAskedForAgain() throws InterruptedException {
        wire.ask(Reply.text("one"));
        wire.provider.enqueue(Reply.sse().hangUp(), Reply.text("not asked for"));
        wire.fail();
        assertThat(wire.provider.requestCount()).isEqualTo(2);
    }

    /** Waits until no connection can take a request any more; one that is being closed may still read one. */
    private void awaitAllGone() {
        while (wire.provider.openConnections() > 0) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Makes so many calls at once, so that as many connections are kept afterwards. */
    private void keep(int count) {
        CountDownLatch all = new CountDownLatch(count);
        wire.provider.on(request -> all.getCount() > 0, request -> Reply.sse()
                .signal(all)
                .hold(all)
                .text("ok")
                .finish("stop")
                .done());
        List<CompletableFuture<Void>> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            CompletableFuture<Void> call = new CompletableFuture<>();
            calls.add(call);
            Thread.ofVirtual().start(() -> {
                try {
                    wire.model.ask(Loopback.request("Hi"), new Recorder());
                    call.complete(null);
                } catch (Throwable e) {
                    call.completeExceptionally(e);
                }
            });
        }
        calls.forEach(CompletableFuture::join);
    }
}
