package dev.chargehand.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ModelException;
import dev.chargehand.error.ModelException.Kind;
import dev.chargehand.testkit.provider.Exchange;
import dev.chargehand.testkit.provider.Side;
import dev.chargehand.testkit.provider.reply.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a call waits for, cancelling it ends it and closes its socket. */
@Timeout(60)
class CancellationTest {

    @AutoClose
    private final Loopback wire = new Loopback();

    @Test
    void aCallThatWaitsForTheHeadEndsAndItsSocketIsClosed() throws Exception {
        wire.provider.enqueue(Reply.silence());
        Asking asking = new Asking(wire.model, wire.call, true);
        Exchange exchange = wire.provider.awaitRequests(1, Loopback.PATIENCE).getFirst();
        wire.call.cancel();
        asking.assertCancelled();
        assertThat(wire.provider.awaitClosed(exchange, Loopback.PATIENCE)).isEqualTo(Side.CLIENT);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStreamThatStallsEndsAndItsSocketIsClosed(boolean virtual) throws Exception {
        CountDownLatch two = new CountDownLatch(2);
        Recorder call = new Recorder(delta -> two.countDown());
        wire.provider.enqueue(Reply.sse().text("a", "b").stall());
        Asking asking = new Asking(wire.model, call, virtual);
        two.await();
        call.cancel();
        asking.assertCancelled();
        assertThat(wire.provider.awaitClosed(wire.provider.log().getFirst(), Loopback.PATIENCE))
                .isEqualTo(Side.CLIENT);
    }

    @Test
    void aStreamThatFlowsEndsAndItsSocketIsClosed() throws Exception {
        CountDownLatch some = new CountDownLatch(1_000);
        Recorder call = new Recorder(delta -> some.countDown());
        wire.provider.enqueue(Reply.sse().repeated("x", 100_000_000));
        Asking asking = new Asking(wire.model, call, true);
        some.await();
        call.cancel();
        asking.assertCancelled();
        wire.provider.awaitClosed(wire.provider.log().getFirst(), Loopback.PATIENCE);
    }

    @Test
    void anErrorBodyThatStallsEndsToo() throws Exception {
        wire.provider.enqueue(
                Reply.status(500).header("Content-Length", "100").body("{").stall());
        Asking asking = new Asking(wire.model, wire.call, true);
        Exchange exchange = wire.provider.awaitRequests(1, Loopback.PATIENCE).getFirst();
        wire.call.cancel();
        asking.assertFailed();
        wire.provider.awaitClosed(exchange, Loopback.PATIENCE);
    }

    @Test
    void aRequestThatTheServerDoesNotReadEnds() throws Exception {
        try (ServerSocket deaf = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                OpenAiModel model = modelAt(deaf)) {
            Recorder call = new Recorder();
            Asking asking = new Asking(model, call, true, "x".repeat(50_000_000));
            try (Socket accepted = deaf.accept()) {
                call.awaitRegistered();
                assertThat(accepted.getInputStream().read()).isEqualTo('P');
                call.cancel();
                asking.assertCancelled();
            }
        }
    }

    @Test
    void aConnectionThatIsNotAcceptedEndsWhenCancelled() throws Exception {
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                OpenAiModel model = modelAt(full)) {
            List<Socket> waiting = fill(full);
            Recorder call = new Recorder().connectTimeout(Duration.ofMinutes(10));
            Asking asking = new Asking(model, call, true);
            asking.awaitState(() -> asking.isIn("dev.chargehand.provider.connection.ConnectionOpener", "await"));
            call.cancel();
            asking.assertCancelled();
            closeAll(waiting);
        }
    }

    @Test
    void aConnectionThatIsNotAcceptedEndsAtItsLimit() throws Exception {
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                OpenAiModel model = modelAt(full)) {
            List<Socket> waiting = fill(full);
            Recorder call = new Recorder().connectTimeout(Duration.ofMillis(50));
            assertThatThrownBy(() -> model.ask(Loopback.request("Hi"), call))
                    .isInstanceOfSatisfying(ModelException.class, e -> {
                        assertThat(e.kind()).isEqualTo(Kind.CONNECTION);
                        assertThat(e.retryable()).isTrue();
                    });
            closeAll(waiting);
        }
    }

    @Test
    void aCallThatIsCancelledBeforeItBeginsOpensNothing() {
        wire.call.cancel();
        assertThat(wire.fail()).hasMessageContaining("cancelled");
        assertThat(wire.provider.requestCount()).isZero();
    }

    @Test
    void cancellingAfterTheAnswerLeavesTheConnectionToOthers() throws InterruptedException {
        wire.ask(Reply.text("a"));
        wire.call.cancel();
        wire.provider.enqueue(Reply.text("b"));
        assertThat(wire.model.ask(Loopback.request("Hi"), new Recorder()).text())
                .isEqualTo("b");
        assertThat(wire.provider.log())
                .extracting(e -> e.request().connection())
                .containsExactly(1L, 1L);
    }

    @Test
    void anInterruptClosesTheSocketAndIsThrown() throws Exception {
        wire.provider.enqueue(Reply.sse().text("a").stall());
        Asking asking = new Asking(wire.model, wire.call, true);
        Exchange exchange = wire.provider.awaitRequests(1, Loopback.PATIENCE).getFirst();
        asking.thread.interrupt();
        assertThat(asking.failure()).isInstanceOf(InterruptedException.class);
        wire.provider.awaitClosed(exchange, Loopback.PATIENCE);
    }

    @Test
    void aThreadThatIsInterruptedAlreadyAsksNothing() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> wire.ask(Reply.text("a"))).isInstanceOf(InterruptedException.class);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(wire.provider.requestCount()).isZero();
    }

    @Test
    void aConsumerThatThrowsClosesTheSocket() {
        wire.provider.enqueue(Reply.sse().text("a").stall());
        Recorder call = new Recorder(delta -> {
            throw new IllegalStateException("full");
        });
        assertThatThrownBy(() -> wire.model.ask(Loopback.request("Hi"), call)).hasMessage("full");
        wire.provider.awaitClosed(wire.provider.log().getFirst(), Loopback.PATIENCE);
    }

    @Test
    void closingTheModelEndsItsCalls() throws Exception {
        wire.provider.enqueue(Reply.sse().text("a").stall());
        Asking asking = new Asking(wire.model, wire.call, true);
        Exchange exchange = wire.provider.awaitRequests(1, Loopback.PATIENCE).getFirst();
        wire.model.close();
        assertThat(asking.failure()).hasMessageContaining("its provider was closed");
        wire.provider.awaitClosed(exchange, Loopback.PATIENCE);
        assertThat(wire.fail()).hasMessageContaining("its provider was closed");
    }

    private static OpenAiModel modelAt(ServerSocket server) {
        return OpenAiModel.builder()
                .name("test/model")
                .baseUrl("http://127.0.0.1:" + server.getLocalPort() + "/v1")
                .model("m")
                .build();
    }

    /** Takes all places in a server's queue, so that the next connection hangs. */
    private static List<Socket> fill(ServerSocket full) throws IOException {
        List<Socket> waiting = new ArrayList<>();
        while (waiting.size() < 50) {
            Socket socket = new Socket();
            waiting.add(socket);
            try {
                socket.connect(new InetSocketAddress(full.getInetAddress(), full.getLocalPort()), 300);
            } catch (SocketTimeoutException e) {
                return waiting;
            }
        }
        throw new AssertionError("the queue of a server socket does not fill up here");
    }

    private static void closeAll(List<Socket> sockets) throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    /** A call on a thread of its own. */
    private static final class Asking {

        final Thread thread;
        private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

        Asking(OpenAiModel model, Recorder call, boolean virtual) {
            this(model, call, virtual, "Hi");
        }

        Asking(OpenAiModel model, Recorder call, boolean virtual, String prompt) {
            Runnable ask = () -> {
                try {
                    model.ask(Loopback.request(prompt), call);
                    failure.completeExceptionally(new AssertionError("the call was answered"));
                } catch (Throwable e) {
                    failure.complete(e);
                }
            };
            thread = virtual
                    ? Thread.ofVirtual().start(ask)
                    : Thread.ofPlatform().start(ask);
        }

        Throwable failure() throws Exception {
            return failure.get(30, TimeUnit.SECONDS);
        }

        void assertFailed() throws Exception {
            assertThat(failure()).isInstanceOf(ModelException.class);
        }

        void assertCancelled() throws Exception {
            assertThat(failure()).isInstanceOfSatisfying(ModelException.class, e -> {
                assertThat(e).hasMessageContaining("the call was cancelled");
                assertThat(e.retryable()).isFalse();
            });
        }

        boolean isIn(String type, String method) {
            for (StackTraceElement frame : thread.getStackTrace()) {
                if (frame.getClassName().equals(type) && frame.getMethodName().equals(method)) {
                    return thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING;
                }
            }
            return false;
        }

        void awaitState(BooleanSupplier state) {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (!state.getAsBoolean()) {
                assertThat(System.nanoTime()).isLessThan(deadline);
                LockSupport.parkNanos(1_000_000);
            }
        }
    }
}
